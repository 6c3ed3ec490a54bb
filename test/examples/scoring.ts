import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution } from '../../src/engine/execute.ts';
import { execute } from '../../src/engine/execute.ts';
import { scorerEnvironment } from '../../src/engine/execute/environment.ts';
import { scorerCommand } from '../../src/engine/scorer.ts';
import { chooseScorer } from '../../src/engine/start/scorer-choice.ts';
import type { Reading } from '../../src/loop/score.ts';
import { readScore, reportOf } from '../../src/loop/score.ts';
import type { Metric, ScorerSpec } from '../../src/records.ts';

export const NODE = process.execPath;

/** A Python that starts, or undefined: tests that need it skip then, and say so. */
export async function findPython(): Promise<string | undefined> {
  for (const file of ['python3', 'python']) {
    const { exitCode } = await run([file, '--version'], '.');
    if (exitCode === 0) return file;
  }
  return undefined;
}

/** For `before`: skips the suite on a machine without Python. */
export async function pythonOrSkip(context: Mocha.Context): Promise<string> {
  const python = await findPython();
  if (python !== undefined) return python;
  console.log('python3 is not installed: the tests that need it are skipped.');
  return context.skip();
}

/** Runs a command to its end in a folder, and proves that nothing of it is left. */
export async function run(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Execution> {
  const [file = '', ...args] = argv;
  const base = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const mark = `examples-${process.pid}-${performance.now()}`;
  const options = { timeoutMs: 60_000, signal: new AbortController().signal, mark };
  const ended = await execute({ file, args, cwd, env: { ...base, ...env } }, options);
  assert.deepEqual(ended.survivors, []);
  return ended;
}

export interface Scored {
  readonly reading: Reading;
  readonly execution: Execution;
}

/**
 * Scores `target` in `folder` as the engine does: `choice` is a scorer as a person writes it, or a spec. Paths of `target` are
 * relative to the folder.
 */
export async function score(folder: string, target: string, choice: string | ScorerSpec, metric: Metric, python: string): Promise<Scored> {
  const spec = typeof choice === 'string' ? (await chooseScorer(choice, folder, { others: [] }, { python, node: NODE })).spec : choice;
  const paths = { root: folder, target: join(folder, target), inside: (path: string) => path };
  const command = scorerCommand(spec, paths, { node: NODE, python }, process.platform);
  const result = join(folder, 'ratchet-result.json');
  const env = scorerEnvironment({}, { target: paths.target, result, seed: 1, slot: 0 });
  const execution = await run([command.file, ...command.args], folder, { ...env, ...command.env });
  const written = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);
  const text = await written(result);
  const report = command.readsStdout ? reportOf(command.display) : undefined;
  const reported = report === undefined ? undefined : await written(join(folder, report.file));
  const reading = readScore({
    stdout: execution.stdout, stderr: execution.stderr, exitCode: execution.exitCode, end: execution.end,
    readsStdout: command.readsStdout, ...(text === undefined ? {} : { result: text }), ...(reported === undefined ? {} : { report: reported }),
  }, metric, report);
  return { reading, execution };
}
