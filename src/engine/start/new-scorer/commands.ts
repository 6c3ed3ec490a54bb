import { basename, dirname, extname, join } from 'node:path';
import { reportOf } from '../../../loop/score.ts';
import { scriptLanguageOf } from '../../../loop/new-scorer/names.ts';
import { onPath, type Environment } from '../../tools.ts';
import { isFile } from '../offers/files.ts';
import { venvOf } from '../offers/python-packages.ts';
import { shellWord } from '../../../loop/shell-word.ts';
import { inFolder, localBinary, type Surroundings } from '../offers/surroundings.ts';
import { testRunners, testsThatImport } from '../offers/tests.ts';

/** A line of the shell, and the folder (absolute) that it is for. */
export interface ShellLine {
  readonly command: string;
  readonly folder: string;
}

/** The tests of the target. */
export interface TestLine extends ShellLine {
  /** The JUnit report that the command writes, relative to its folder; absent where its report is of another kind. */
  readonly junit?: string;
  /** The same tests, ended with another exit code than 0 where one fails. */
  readonly gate: string;
}

/** The tests that import the target, else all of the project; undefined where none are found. */
export async function testLine(around: Surroundings): Promise<TestLine | undefined> {
  const offers = process.platform === 'win32' ? [] : [...(await testsThatImport(around)), ...(await testRunners(around))];
  for (const { scorer, folder } of offers) {
    const report = typeof scorer === 'string' ? reportOf(scorer) : undefined;
    // What the offer ends with lets failed tests pass: their report says so.
    if (typeof scorer === 'string' && report !== undefined) return { command: scorer, folder, ...(report.format === 'junit' ? { junit: report.file } : {}), gate: scorer.replace(/ \|\| test (?:-s \S+|\$\? -eq 1)$/, '') };
  }
  return undefined;
}

/** Starts the target as a program; undefined where it isn't known how. */
export async function programLine({ target, files }: Surroundings, folder: string): Promise<string | undefined> {
  const file = shellWord(inFolder(folder, target));
  switch (scriptLanguageOf(target)) {
    case 'javascript':
      return /x$/.test(extname(target)) ? undefined : `node ${file}`;
    case 'python':
      return `${process.platform === 'win32' ? 'python' : 'python3'} ${file}`;
    case 'shell':
      return `${shellOf((await files.read(target)) ?? '', target)} ${file}`;
    case undefined:
      return undefined;
  }
}

/** The shell that a script is for. */
export function shellOf(text: string, path: string): string {
  return /^#!.*\b(bash|zsh)\b/.exec(text)?.[1] ?? (extname(path) === '.bash' ? 'bash' : 'sh');
}

/** A linter that is there, with the target as its argument; undefined where none is. */
export async function lintLine(around: Surroundings, folder: string, env: Environment): Promise<string | undefined> {
  const file = shellWord(inFolder(folder, around.target));
  const programs = await venvOf(around);
  const installed = async (name: string): Promise<string | undefined> => {
    const path = programs === undefined ? undefined : join(programs, name);
    if (path !== undefined && (await isFile(path))) return shellWord(inFolder(folder, path));
    return (await onPath(name, env, process.platform)) === undefined ? undefined : name;
  };
  switch (scriptLanguageOf(around.target)) {
    case 'javascript': {
      const eslint = await localBinary(around, folder, 'eslint');
      return eslint === undefined ? undefined : `${shellWord(eslint)} --format json ${file}`;
    }
    case 'python':
      for (const [name, words] of [['ruff', ' check --output-format concise'], ['flake8', ''], ['pyflakes', '']] as const) {
        const program = await installed(name);
        if (program !== undefined) return `${program}${words} ${file}`;
      }
      return undefined;
    case 'shell': {
      const shellcheck = await installed('shellcheck');
      return shellcheck === undefined ? undefined : `${shellcheck} -f gcc ${file}`;
    }
    case undefined:
      return undefined;
  }
}

/** Builds the target into the file "$OUT"; undefined where no bundler is there: the file itself is weighed then. */
export async function buildLine(around: Surroundings, folder: string): Promise<string | undefined> {
  if (scriptLanguageOf(around.target) !== 'javascript') return undefined;
  const esbuild = await localBinary(around, folder, 'esbuild');
  return esbuild === undefined ? undefined : `${shellWord(esbuild)} ${shellWord(inFolder(folder, around.target))} --bundle --minify --platform=node --log-level=error --outfile="$OUT"`;
}

/** Name of the copy that a function is compared with, beside the target: one that nothing takes for a test or a module of its own. */
export function copyName(target: string): string {
  const ending = extname(target);
  return `${basename(target, ending)}${ending === '.py' ? '_original' : '.original'}${ending}`;
}

/** The folder in which commands about a target run where no test says otherwise. */
export function commandFolder(around: Surroundings): string {
  return around.upward.includes(around.home) ? around.home : dirname(around.target);
}
