/** What a confined command met at its walls, as far as its output tells. */
export interface Blocked {
  /** Words of `allow` that would open it. */
  readonly allow: readonly string[];
  /** Servers that it asked for. */
  readonly hosts: readonly string[];
}

/** What is known of the other side of the walls. */
export interface Outside {
  /** Where this is a file or folder that the person has and a confined command isn't shown: what must be opened for it, itself or what it is installed with. */
  readonly hidden: (path: string) => string | undefined;
  /** The folder that isn't shown and holds this module of Python or Node, where one does. */
  readonly hiddenModule: (name: string) => string | undefined;
  /** The folder at this path, or around it, that could be written there; undefined where none could. */
  readonly folderAt: (path: string) => string | undefined;
  /** Absolute. */
  readonly home?: string;
  /** Names of variables that were held back. */
  readonly heldBack: readonly string[];
  /** Whether the network is closed. */
  readonly offline: boolean;
  /** Other projects that the project's links lead to, and don't open: absolute. */
  readonly closedLinks: readonly string[];
}

const NO_NETWORK = /\b(?:ENETUNREACH|EAI_AGAIN|ENETDOWN)\b|network is unreachable|name resolution|name or service not known|could ?n[o']t resolve host|could not resolve|nodename nor servname/i;
/** A server of the scorer's own may have failed as well: said of the start file alone, where another run proves it. */
const REFUSED = /\bECONNREFUSED\b|connection refused|failed to connect|ConnectionError|fetch failed/i;
const HOST = /(?:getaddrinfo (?:EAI_AGAIN|ENOTFOUND) |resolve host:? '?|host='|https?:\/\/)((?:[a-z0-9-]+\.)+[a-z]{2,})/gi;
const MISSING = /no such file|ENOENT|not found|does not exist|cannot find|can't find|couldn't find|FileNotFoundError|is not a directory/i;
const MODULE = /(?:No module named|Cannot find (?:module|package)) ['"]((?:@[\w.-]+\/)?[\w-]+)/g;
const READ_ONLY = /read-only file system|EROFS/i;
const PATHS = /(?:~|)\/[^\s'"`()<>[\],;:]+/g;
const MOST = 8;

/** Reads what was blocked from an output. `isStart`: of the unchanged file, where a guess is tried out before it is told. */
export function blockedIn(output: string, outside: Outside, isStart = false): Blocked {
  const lines = output.split('\n');
  const allow = new Set<string>();
  const isOffline = (sign: RegExp): boolean => outside.offline && sign.test(output);
  const add = (path: string | undefined): void => {
    if (path !== undefined) allow.add(fromHome(path, outside.home));
  };
  if (isOffline(NO_NETWORK)) allow.add('net');
  for (const line of lines.filter((each) => READ_ONLY.test(each)))
    for (const path of pathsIn(line, outside)) {
      const folder = outside.folderAt(path);
      if (folder !== undefined) allow.add(`write:${fromHome(folder, outside.home)}`);
    }
  for (const line of lines.filter((each) => MISSING.test(each)))
    for (const path of pathsIn(line, outside)) add(outside.hidden(path));
  for (const [, name = ''] of output.matchAll(MODULE)) add(outside.hiddenModule(name));
  const named = new Set(output.match(/\b[A-Za-z_][A-Za-z0-9_]{3,}\b/g) ?? []);
  for (const name of outside.heldBack) if (named.has(name)) allow.add(`env:${name}`);
  if (allow.size === 0 && isStart && isOffline(REFUSED)) allow.add('net');
  // A path through a link looks like one of the project's own.
  if (allow.size === 0 && isStart) for (const path of outside.closedLinks) add(path);
  const hosts = !allow.has('net') ? [] : [...new Set([...output.matchAll(HOST)].map(([, host = '']) => host))];
  return { allow: [...allow].slice(0, MOST), hosts: hosts.slice(0, MOST) };
}

function pathsIn(line: string, { home }: Outside): readonly string[] {
  return (line.match(PATHS) ?? []).map((path) => (path.startsWith('~') && home !== undefined ? `${home}${path.slice(1)}` : path).replace(/[./]+$/, '')).filter((path) => path.startsWith('/'));
}

/** An absolute path as a word of `allow`, from the home folder where it lies there. */
export function fromHome(path: string, home: string | undefined): string {
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
