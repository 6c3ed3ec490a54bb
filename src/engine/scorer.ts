import { isAbsolute, join } from 'node:path';
import type { ScorerSpec } from '../records.ts';
import { NODE_RUNNER, PYTHON_RUNNER } from './scorer/runners.ts';

/** A scorer as it is started. */
export interface ScorerCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Exactly what the start page shows: the command line, or for a module what is called. */
  readonly display: string;
  /** False for modules: what they print isn't parsed. */
  readonly readsStdout: boolean;
  /** To be added to the environment; empty but where the engine's own Electron serves as Node. */
  readonly env: Readonly<Record<string, string>>;
  /** The arguments must reach the program unquoted (`windowsVerbatimArguments`): cmd has quoting of its own. */
  readonly verbatim: boolean;
}

/** Where things lie. Paths absolute. */
export interface ScorerPaths {
  readonly root: string;
  /** The candidate, as the scorer sees it. */
  readonly target: string;
  /** Where a path of the workspace lies for the scorer; any other path stays as it is. */
  readonly inside: (path: string) => string;
}

/** The programs for modules. Absolute paths, or names on the PATH. */
export interface ScorerTools {
  readonly node: string;
  /** What that Node needs in its environment to be one (tools.ts). */
  readonly nodeEnv?: Readonly<Record<string, string>>;
  readonly python: string;
}

/** How a scorer becomes a command. Throws where a list is empty, which no plan lets through. */
export function scorerCommand(spec: ScorerSpec, paths: ScorerPaths, tools: ScorerTools, platform: NodeJS.Platform): ScorerCommand {
  const windows = platform === 'win32';
  switch (spec.kind) {
    case 'shell': {
      const how = windows
        ? { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${spec.command}"`], verbatim: true }
        : { file: 'sh', args: ['-c', spec.command], verbatim: false };
      return { ...how, display: spec.command, readsStdout: true, env: {} };
    }
    case 'argv':
      return plain(spec.argv.map((word) => (isAbsolute(word) ? paths.inside(word) : word)), tools, windows);
    case 'self': {
      const [python, ...options] = spec.python;
      return plain([...(python === undefined ? [] : [located(python, paths)]), ...options, paths.target], tools, windows);
    }
    case 'module':
      return moduleCommand(spec, paths, tools);
  }
}

function plain(words: readonly string[], tools: ScorerTools, windows: boolean): ScorerCommand {
  const [file, ...args] = words;
  if (file === undefined) throw new Error('The scorer is an empty list: it needs at least a program.');
  const env = file === tools.node ? tools.nodeEnv ?? {} : {};
  return { file, args, display: words.map((word) => quoted(word, windows)).join(' '), readsStdout: true, env, verbatim: false };
}

function moduleCommand({ file, language }: Extract<ScorerSpec, { kind: 'module' }>, paths: ScorerPaths, tools: ScorerTools): ScorerCommand {
  const given = [paths.inside(join(paths.root, file)), paths.target];
  if (language === 'python') {
    const python = located(tools.python, paths);
    return { file: python, args: ['-c', PYTHON_RUNNER, ...given], display: `${python} ${file} (calls its score(path))`, readsStdout: false, env: {}, verbatim: false };
  }
  const node = located(tools.node, paths);
  const args = ['--input-type=module', '-e', NODE_RUNNER, '--', ...given];
  return { file: node, args, display: `${node} ${file} (calls its default export)`, readsStdout: false, env: tools.nodeEnv ?? {}, verbatim: false };
}

/** A program by its path, relative to the root or absolute, or by its name alone. */
function located(program: string, { root, inside }: ScorerPaths): string {
  if (isAbsolute(program)) return inside(program);
  return /[/\\]/.test(program) ? inside(join(root, program)) : program;
}

/** A word as a shell would take it. */
function quoted(word: string, windows: boolean): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (windows || !word.includes('\\'))) return word;
  return windows ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
