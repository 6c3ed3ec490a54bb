/** Whether a text is a pattern, and no plain path. */
export function isGlob(pattern: string): boolean {
  return /[*?[{]/.test(pattern);
}

/**
 * Whether a path (relative, with `/`) is, or lies below, what one of the patterns names. `*` and `?` stand for what holds
 * no `/`, `**` for any folders, `{a,b}` for one of them.
 */
export function matcher(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((pattern) => new RegExp(`^${expression(normalized(pattern))}(?:/|$)`));
  return (path) => tests.some((test) => test.test(path));
}

/** Without `./` in front and `/` at the end. */
function normalized(pattern: string): string {
  return pattern.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

function expression(pattern: string): string {
  return pattern.replace(/\*\*\/|\*\*|\*|\?|\{[^{}/]*\}|\[[^\]/]*\]|[.+^$()|{}[\]\\]/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 1 && part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(expression).join('|')})`;
    if (part.length > 1 && part.startsWith('[')) return part.replace(/^\[!/, '[^');
    return `\\${part}`;
  });
}
