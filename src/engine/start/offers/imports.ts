import { basename, dirname, resolve, sep } from 'node:path';

const MODULE = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"`])([^'"`\n]{1,300})\1/g;
const PYTHON = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{0,4000}\)|[^\n]*)|import[ \t]+([^\n]+))/gm;

/** Whether a test's text imports the target, by its import and require lines. Paths are absolute. */
export function importsTarget(text: string, file: string, target: string, stem: string): boolean {
  return target.endsWith('.py') ? importsPython(text, file, target) : importsModule(text, file, target, stem);
}

/** A path must lead to the target, with any ending; a name (an alias, a package's subpath) must end in the stem. */
function importsModule(text: string, file: string, target: string, stem: string): boolean {
  const wanted = new Set([target, withoutEnding(target), ...(/^index\.\w+$/.test(basename(target)) ? [dirname(target)] : [])]);
  return [...text.matchAll(MODULE)].some(([, , name = '']) => {
    const path = name.replace(/[?#].*$/, '');
    if (!path.startsWith('.')) return path.includes('/') && withoutEnding(basename(path)) === stem;
    const full = resolve(dirname(file), path);
    return wanted.has(full) || wanted.has(withoutEnding(full));
  });
}

/** `from pkg.stem import x`, `from pkg import stem`, `import pkg.stem as s`: the path as far as it is written must be the target's. */
function importsPython(text: string, file: string, target: string): boolean {
  const wanted = target.replace(/(?:[/\\]__init__)?\.py$/, '');
  const isTarget = (module: string): boolean => {
    const [, dots = '', path = ''] = /^(\.*)([\w.]*)/.exec(module) ?? [];
    const below = path.split('.').filter((part) => part !== '');
    // Each dot after the first is a folder up.
    if (dots !== '') return resolve(dirname(file), '../'.repeat(dots.length - 1), ...below) === wanted;
    return below.length > 0 && wanted.endsWith(`${sep}${below.join(sep)}`);
  };
  return [...text.matchAll(PYTHON)].some(([, from = '', names = '', modules]) => {
    if (modules !== undefined) return modules.split(',').some((module) => isTarget(module.trim()));
    const named = names.replace(/[()]|#[^\n]*/g, '').split(',').map((name) => name.trim()).filter((name) => /^\w/.test(name));
    return isTarget(from) || named.some((name) => isTarget(`${from}${/\.$/.test(from) ? '' : '.'}${name}`));
  });
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:d\.)?[cm]?[jt]sx?$|\.(?:vue|svelte|json|css)$/, '');
}
