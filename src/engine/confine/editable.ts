import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of paths above this is none. */
const MAX_CHARS = 1_000_000;

/**
 * The folders outside of a Python environment (absolute, of a virtual environment or conda) that it names as its own: those of packages that
 * were installed as editable, and of path files. Without them an import fails that works for the person.
 */
export function editablePlaces(environment: string): readonly string[] {
  return sitePackages(environment).flatMap((folder) => namesIn(folder).flatMap((name) => placesOf(folder, name)));
}

function sitePackages(environment: string): readonly string[] {
  const versions = namesIn(join(environment, 'lib')).filter((name) => /^(?:python|pypy)[\d.]+t?$/.test(name));
  return [...versions.map((name) => join(environment, 'lib', name, 'site-packages')), join(environment, 'Lib', 'site-packages')];
}

/** As setuptools, hatch, poetry, flit, pip and the older `setup.py develop` write them. */
function placesOf(folder: string, name: string): readonly string[] {
  if (name.endsWith('.pth')) return linesOf(join(folder, name)).filter(isAbsolute);
  if (name.endsWith('.egg-link')) return linesOf(join(folder, name)).slice(0, 1).filter(isAbsolute);
  if (/^__editable__.*\.py$/.test(name)) return [...textOf(join(folder, name)).matchAll(/'(\/[^'\n]+)'/g)].map(([, path = '']) => path);
  return name.endsWith('.dist-info') ? editableUrl(textOf(join(folder, name, 'direct_url.json'))) : [];
}

function editableUrl(text: string): readonly string[] {
  try {
    const { url, dir_info: info } = JSON.parse(text) as { readonly url?: unknown; readonly dir_info?: { readonly editable?: unknown } };
    return typeof url === 'string' && url.startsWith('file:') && info?.editable === true ? [fileURLToPath(url)] : [];
  } catch {
    return [];
  }
}

function linesOf(path: string): readonly string[] {
  return textOf(path).split(/\r?\n/).map((line) => line.trim());
}

function textOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > MAX_CHARS ? '' : text;
  } catch {
    return '';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
