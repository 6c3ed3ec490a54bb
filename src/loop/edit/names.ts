/** Names for "before" and "after" that name no file. */
const GENERIC = new Set(['/dev/null', 'dev/null', 'original', 'modified', 'old', 'new', 'before', 'after', 'file', 'target', 'current', 'updated', 'a', 'b', '']);

/** The file that a `---` or `+++` line of a diff names, without prefix and time; undefined where it names none. */
export function namedInHeader(line: string): string | undefined {
  const name = line.slice(4).replace(/\t.*$/, '').replace(/\s+\d{4}-\d\d-\d\d[ T].*$/, '').trim().replace(/^"(.*)"$/, '$1');
  if (GENERIC.has(name.toLowerCase())) return undefined;
  return name.replace(/^[abciow]\//, '');
}

/** Whether `name` may mean the file at `path`: one ends with the other, folder by folder. */
export function isSameFile(name: string, path: string): boolean {
  const [shorter, longer] = [partsOf(name), partsOf(path)].sort((a, b) => a.length - b.length) as [string[], string[]];
  return shorter.length > 0 && shorter.every((part, index) => part === longer[longer.length - shorter.length + index]);
}

/** The file that the info string of a fence names ("python train.py"), or else a line that is nothing but a file's name. */
export function namedByFence(info: string, lead: string): string | undefined {
  const inInfo = info.split(/[\s:={}",']+/).slice(info.includes(':') || /\s/.test(info) ? 1 : 0).find(isFileName);
  if (inInfo !== undefined) return inInfo;
  const alone = lead.trim().replace(/^(?:#{1,6}\s+|\*{1,2}|`)+/, '').replace(/[`*:\s]+$/, '');
  return isFileName(alone) ? alone : undefined;
}

function isFileName(text: string): boolean {
  return text.length < 200 && /^[\w@./\\-]*\w\.[A-Za-z]\w{0,9}$/.test(text);
}

function partsOf(path: string): string[] {
  return path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
}
