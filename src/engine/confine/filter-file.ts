import { writeFile } from 'node:fs/promises';
import { systemCallFilter } from './seccomp.ts';

/** Writes the filter of system calls for this machine. False where there is none for its processor. */
export async function writeFilter(path: string): Promise<boolean> {
  const filter = systemCallFilter(process.arch);
  if (filter !== undefined) await writeFile(path, filter, { mode: 0o600 });
  return filter !== undefined;
}
