import { access, constants, readFile } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, sep } from 'node:path';
import type { ScorerSpec } from '../../records.ts';
import { HumanError } from '../../errors.ts';
import { isFile } from './offers/files.ts';

const NODE_ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'];

/** A chosen scorer as it will run. */
export interface ChosenScorer {
  readonly spec: ScorerSpec;
  /** Relative to the root, with `/`; '' is the root. */
  readonly cwd: string;
}

/**
 * Turns what a person wrote into a spec and a folder. A text is a shell command, a list runs without a shell; a text
 * that is just the name of a script runs by its language: as a module where it has a default export or a top-level
 * `score`, else by its interpreter. The folder is the one that a person chose (`chosen`), else the root, unless the files
 * that the command names exist only in one of `others` (the program's, the target's and those above it).
 */
export async function chooseScorer(
  choice: string | readonly string[], root: string, folders: { readonly chosen?: string; readonly others: readonly string[] }, tools: { readonly python: string; readonly node: string },
): Promise<ChosenScorer> {
  const words = typeof choice === 'string' ? shellWords(choice) : choice;
  const folder = folders.chosen ?? (await folderOf(words, root, folders.others));
  const cwd = slashes(relative(root, folder));
  if (typeof choice !== 'string') return { spec: { kind: 'argv', argv: choice }, cwd };

  const [only, ...rest] = words;
  const file = only === undefined || rest.length > 0 ? undefined : isAbsolute(only) ? only : join(folder, only);
  const script = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  if (file === undefined || script === undefined) return { spec: { kind: 'shell', command: choice }, cwd };
  const language = extname(file) === '.py' ? 'python' : NODE_ENDINGS.includes(extname(file)) ? 'node' : undefined;
  if (language === 'python' && /^(async )?def score\s*\(/m.test(script)) return { spec: { kind: 'module', file: slashes(relative(root, file)), language }, cwd };
  if (language === 'node' && /^\s*export\s+default\b|^\s*module\.exports\s*=|^\s*exports\.default\s*=|\bas default\b/m.test(script))
    return { spec: { kind: 'module', file: slashes(relative(root, file)), language }, cwd };
  if (language !== undefined) return { spec: { kind: 'argv', argv: [language === 'python' ? tools.python : tools.node, file] }, cwd };
  await access(file, constants.X_OK).catch(() => {
    throw new HumanError('no-scorer', `The scorer ${only ?? ''} is not executable. Run chmod +x on it, or name its interpreter: "sh ${only ?? ''}".`);
  });
  return { spec: { kind: 'argv', argv: [file] }, cwd };
}

/** The root, unless a file that the command names exists only below another folder. */
async function folderOf(words: readonly string[], root: string, folders: readonly string[]): Promise<string> {
  const names = words.filter((word) => /[./]/.test(word) && !word.startsWith('-') && !isAbsolute(word));
  for (const folder of [root, ...folders])
    for (const name of names) if (await isFile(join(folder, name))) return folder;
  return root;
}

/** The words of a simple command line; quotes are taken off, all else is left to the shell. */
function shellWords(command: string): readonly string[] {
  return (command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

/** A relative path as plans and screens write it. */
export function slashes(path: string): string {
  return path.split(sep).join('/');
}
