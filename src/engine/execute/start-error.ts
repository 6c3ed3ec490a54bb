import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Command } from '../command.ts';

/** One sentence for a person: why the system would not start the command. */
export function startErrorSentence(command: Command, error: unknown): string {
  const { file, cwd } = command;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // The system says the same of a missing folder and of a missing program.
  const folder = kindOf(cwd);
  if (folder === 'nothing') return `The folder to run in does not exist: ${cwd}.`;
  if (folder === 'file') return `The place to run in is not a folder: ${cwd}.`;
  const program = file.includes('/') ? kindOf(isAbsolute(file) ? file : join(cwd, file)) : 'unknown';
  switch (code) {
    case 'ENOENT':
      return program === 'file'
        ? `The interpreter that the first line of ${file} names was not found.`
        : `The program ${file} was not found: check its name, and that its folder is on the PATH.`;
    case 'EACCES':
    case 'EPERM':
      return program === 'folder'
        ? `${file} is a folder, not a program.`
        : `The program ${file} may not be executed: make it executable (chmod +x), or name the interpreter that runs it.`;
    case 'E2BIG':
      return 'The command could not be started: its arguments and environment are too long for the system.';
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return `The system cannot start another process now (${code}): close some programs and try again.`;
    default:
      return `The program ${file} could not be started: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function kindOf(path: string): 'file' | 'folder' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}
