import { openSync, readdirSync, readFileSync } from 'node:fs';
import type { StdioNull, StdioPipe } from 'node:child_process';

type Stdio = StdioNull | StdioPipe | number;

/** As Linux writes it in octal: the descriptor is closed where another program begins. */
const CLOSE_ON_EXEC = 0o2000000;

/** Found once: all that Node opens itself is closed in its children. */
let inherited: readonly number[] | undefined;
let nothing: number | undefined;

/**
 * What a child is given as its standard streams, and nothing in place of every descriptor that this process was started with: a shell, an
 * editor or a job that leaves a folder or a socket open would hand it to whatever we start, through all walls. Only Linux tells which
 * these are.
 */
export function onlyStreams(streams: readonly [Stdio, Stdio, Stdio]): Stdio[] {
  inherited ??= descriptorsOf();
  const given: Stdio[] = [...streams];
  if (inherited.length === 0) return given;
  nothing ??= openSync('/dev/null', 'r+');
  for (const descriptor of inherited) given[descriptor] = nothing;
  return Array.from(given, (each: Stdio | undefined) => each ?? 'ignore');
}

function descriptorsOf(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number).filter((descriptor) => descriptor > 2 && isInherited(descriptor));
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // That of the listing itself, which is closed by now.
    return false;
  }
}
