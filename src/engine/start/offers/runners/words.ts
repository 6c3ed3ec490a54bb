import { shellWord } from '../../../../loop/shell-word.ts';
import { inFolder } from '../surroundings.ts';

/** A command line: words as they are, files (absolute) as seen from the folder, and words as they are. */
export function line(before: readonly string[], folder: string, files: readonly string[] | undefined, after: readonly string[]): string {
  return [...before, ...(files ?? []).map((file) => shellWord(inFolder(folder, file))), ...after].join(' ');
}
