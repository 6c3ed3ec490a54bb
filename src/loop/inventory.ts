/**
 * What a scorer is shown besides the target: path, size, time and hash of each file, relative to the workspace's top. Of what
 * is seen live (installed packages, environments, data) names, sizes and times alone, two folders deep.
 */
export type Inventory = ReadonlyMap<string, Entry>;

export type Entry =
  | { readonly kind: 'file'; readonly size: number; readonly mtimeMs: number; readonly hash: string }
  | { readonly kind: 'link'; readonly to: string }
  /** Seen live, or outside of the workspace; `mark` differs where it is another. */
  | { readonly kind: 'live'; readonly mark: string };

/** One entry a line, by path. */
export function inventoryText(inventory: Inventory): string {
  return [...inventory].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, entry]) => `${JSON.stringify([path, entry])}\n`).join('');
}

/** Undefined for a text that isn't one. */
export function readInventory(text: string): Inventory | undefined {
  try {
    return new Map(text.split('\n').filter((line) => line !== '').map((line) => entryOf(JSON.parse(line))));
  } catch {
    return undefined;
  }
}

function entryOf(value: unknown): readonly [string, Entry] {
  const [path, entry] = value as readonly [unknown, Partial<Record<string, unknown>>];
  if (typeof path !== 'string') throw new TypeError('An entry has a path.');
  const { kind, size, mtimeMs, hash, to, mark } = entry;
  if (kind === 'link' && typeof to === 'string') return [path, { kind, to }];
  if (kind === 'live' && typeof mark === 'string') return [path, { kind, mark }];
  if (kind === 'file' && typeof size === 'number' && typeof mtimeMs === 'number' && typeof hash === 'string') return [path, { kind, size, mtimeMs, hash }];
  throw new TypeError('An entry says what it is.');
}

/** What is another, new or gone; sorted. A file that was only touched isn't. */
export function changesBetween(before: Inventory, now: Inventory): readonly string[] {
  const changed = [...now].filter(([path, entry]) => !isSame(before.get(path), entry)).map(([path]) => path);
  return [...changed, ...[...before.keys()].filter((path) => !now.has(path))].sort();
}

function isSame(before: Entry | undefined, now: Entry): boolean {
  if (before === undefined) return false;
  switch (now.kind) {
    case 'file':
      return before.kind === 'file' && before.size === now.size && before.hash === now.hash;
    case 'link':
      return before.kind === 'link' && before.to === now.to;
    case 'live':
      return before.kind === 'live' && before.mark === now.mark;
  }
}

const NAMED = 20;

/** One sentence for a person, and the names that the ledger keeps. */
export function changeWords(changed: readonly string[]): { readonly why: string; readonly changed: readonly string[] } {
  const named = changed.slice(0, NAMED);
  const more = changed.length - 3;
  const list = `${changed.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return { why: `Other files that the scorer is shown changed: ${list}. Start file and best so far are measured anew; scores from before are compared with none after.`, changed: named };
}

/** Said where nothing tells what the scorer was shown before. */
export const UNKNOWN_BEFORE = 'What else the scorer was shown before isn\'t known. Start file and best so far are measured anew; scores from before are compared with none after.';
