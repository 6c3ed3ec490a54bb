/** What a confined scorer is given beyond its own view. */
export interface Allowed {
  /** The network, all of it. */
  readonly net: boolean;
  /** What drivers of accelerators want besides their devices, which pass in any case. */
  readonly gpu: boolean;
  /** Absolute paths, or below `~`, that it may read. */
  readonly read: readonly string[];
  /** Folders of which it has a private copy that it may write to. */
  readonly write: readonly string[];
  /** Names of variables that it is given. */
  readonly env: readonly string[];
}

export const NOTHING_ALLOWED: Allowed = { net: false, gpu: false, read: [], write: [], env: [] };

/** Said of a word that is none. */
export const ALLOW_WORDS = 'must be `net`, `gpu`, `env:NAME`, a path such as /data or ~/models, or `write:PATH`';

/** Whether a word of `allow` says something. */
export function isAllowWord(word: string): boolean {
  return word === 'net' || word === 'gpu' || /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(word) || /^(?:write:)?(?:~\/|\/)[^\0]*[^\0/]\/*$/.test(word);
}

/** What the words open together; each is one that `isAllowWord` knows. */
export function readAllowed(words: readonly string[]): Allowed {
  const after = (prefix: string): readonly string[] => [...new Set(words.filter((word) => word.startsWith(prefix)).map((word) => trimmed(word.slice(prefix.length))))];
  return { net: words.includes('net'), gpu: words.includes('gpu'), read: [...after('/').map((path) => `/${path}`), ...after('~/').map((path) => `~/${path}`)], write: after('write:'), env: after('env:') };
}

/** The words as they are said to a person: "the network · ~/models · to write ~/out (a private copy)". */
export function allowedWords(words: readonly string[]): string {
  return words.map((word) => {
    if (word === 'net') return 'the network';
    if (word === 'gpu') return 'all that graphics drivers want';
    if (word.startsWith('env:')) return `the variable ${word.slice('env:'.length)}`;
    return word.startsWith('write:') ? `to write ${word.slice('write:'.length)} (a private copy)` : `to read ${word}`;
  }).join(' · ');
}

/** What confinement isn't, as a page names it for a person to confirm. */
export function opens({ sandbox, allow = [] }: { readonly sandbox?: string | undefined; readonly allow?: readonly string[] | undefined }): { readonly opens?: readonly string[] } {
  const words = [...(sandbox === 'off' ? ['no confinement at all'] : []), ...(allow.length > 0 ? [allowedWords(allow)] : [])];
  return words.length === 0 ? {} : { opens: words };
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '');
}
