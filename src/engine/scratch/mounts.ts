import { readFile } from 'node:fs/promises';

/** Mount points of this process strictly below `top` (a real path), relative to it, parents first. Empty where /proc isn't Linux's. */
export async function mountsBelow(top: string): Promise<readonly string[]> {
  let table: string;
  try {
    table = await readFile('/proc/self/mountinfo', 'utf8');
  } catch {
    return [];
  }
  const prefix = top.endsWith('/') ? top : `${top}/`;
  const points = table.split('\n').map((line) => unescapeMount(line.split(' ')[4] ?? ''));
  return [...new Set(points.filter((point) => point.startsWith(prefix)).map((point) => point.slice(prefix.length)))].sort();
}

/** The kernel writes spaces, tabs, line breaks and backslashes as three octal digits; mount reads its table the same way. */
export function escapeMount(path: string): string {
  return path.replaceAll(/[\\ \t\n]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function unescapeMount(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
