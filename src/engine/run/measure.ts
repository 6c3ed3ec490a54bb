import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MeasurementRole, Outcome } from '../../records.ts';
import { readScore, reportOf, type Reading, type ReportRef, type ScorerOutput } from '../../loop/score.ts';
import { maskPrinted, maskSecrets } from '../../loop/secrets.ts';
import { MaskedStream } from '../../loop/secrets/stream.ts';
import { overLimit } from '../../loop/score/over-limit.ts';
import type { Confined } from '../confine/bubblewrap.ts';
import type { Confinement } from '../confine/confinement.ts';
import type { Mount } from '../confine/mount.ts';
import { execute } from '../execute.ts';
import { scorerEnvironment } from '../execute/environment.ts';
import { withDefaults } from '../execute/limits.ts';
import { freePort } from '../execute/port.ts';
import { HumanError } from '../../errors.ts';
import { causeOf } from '../scratch/enter.ts';
import { emptyFolder } from '../scratch/tidy.ts';
import { scorerCommand } from '../scorer.ts';
import type { Measuring } from './context.ts';

/** One run of the scorer on one text, as it came out. */
export interface Measurement {
  readonly role: MeasurementRole;
  readonly seed: number;
  readonly reading: Reading;
  readonly output: ScorerOutput;
  /** The report that its command names. */
  readonly report?: ReportRef;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly altered: readonly string[];
  /** Processes that could not be ended; normally none. */
  readonly survivors: readonly number[];
}

/** Of a run that rewrites everything, so many names are enough. */
const MAX_ALTERED = 200;
const MAX_RESULT_BYTES = 16 * 1024 * 1024;

/**
 * Puts a text in the target's place and runs the scorer on it. Never rejects for what the scorer does; rejects with
 * HumanError (`no-scratch`) where its private view of the workspace can't be opened.
 */
export async function measure(
  measuring: Measuring, text: string, role: MeasurementRole, timeoutMs: number, signal: AbortSignal, onLine: (line: string) => void, seed = measuring.plan.seed,
): Promise<Measurement> {
  const { plan, workspace, slot, tools } = measuring;
  await slot.place(text, role === 'holdout');
  // What another run left there would be seen by this one.
  await emptyFolder(measuring.ioFolder);
  const result = join(measuring.ioFolder, 'result.json');

  const command = scorerCommand(plan.scorer, { root: workspace.root, target: slot.target, inside: (path) => slot.inside(path) }, tools, process.platform);
  const cwd = slot.inside(join(workspace.root, plan.cwd));
  const { confinement } = measuring;
  const slotNumber = measuring.slotNumber ?? 0;
  const port = await freePort(slotNumber);
  const env = scorerEnvironment(measuring.env, {
    target: slot.target,
    result,
    seed,
    slot: slotNumber,
    ...(port === undefined ? {} : { port }),
    ...(plan.budgetS === undefined ? {} : { budgetS: plan.budgetS }),
  }, confinement?.passes);
  const limits = withDefaults(plan.resources);
  const view = confinement === undefined ? undefined : withOwn(confinement, { kind: 'write', path: measuring.ioFolder });
  const { mask = maskSecrets } = measuring;
  const shown = { stdout: new MaskedStream(mask), stderr: new MaskedStream(mask) };
  const execution = await execute(slot.enter({ file: command.file, args: command.args, cwd, env: { ...env, ...measuring.ownEnv, ...command.env }, verbatim: command.verbatim }, view), {
    timeoutMs, signal, limits, guard: measuring.guard, pipes: measuring.pipes, mark: `${measuring.mark}.${role}`, onOutput: (chunk, stream) => {
      const line = lastLine(shown[stream].push(slot.ownStderr(chunk) ?? chunk));
      if (line !== '') onLine(line);
    },
  });

  const stderr = slot.ownStderr(execution.stderr);
  if (stderr === undefined && execution.end === 'exited')
    throw new HumanError('no-scratch', `The private view of your files could not be opened (${causeOf(execution.stderr) ?? 'the system gave no reason'}). Start again when all folders of the project are back in their places.`);

  const masked = (text: string | undefined): string | undefined => (text === undefined ? undefined : mask(text));
  const report = command.readsStdout ? reportOf(command.display) : undefined;
  const output: ScorerOutput = {
    stdout: maskPrinted(execution.stdout, execution.droppedBytes, mask),
    stderr: maskPrinted(stderr ?? execution.stderr, execution.droppedBytes, mask),
    readsStdout: command.readsStdout,
    exitCode: execution.exitCode,
    end: execution.end,
    timeoutMs,
    ...(execution.signal === null ? {} : { signal: execution.signal }),
    ...(execution.exceeded === undefined ? {} : { overLimit: overLimit(execution.exceeded, limits) }),
    ...(execution.startError === undefined ? {} : { startError: execution.startError }),
    ...optional('result', masked(await readIfThere(result))),
    ...optional('report', report === undefined ? undefined : masked(await slot.written(join(cwd, report.file)))),
  };
  const reading = readScore(output, plan.metric, report);
  return {
    role,
    seed,
    reading,
    output,
    ...(report === undefined ? {} : { report }),
    outcome: reading.outcome,
    durationMs: execution.durationMs,
    altered: (await slot.changed()).filter((path) => slot.showed(path)).slice(0, MAX_ALTERED),
    survivors: execution.survivors,
  };
}

/** Nothing of a run lies outside of its slot but the folder of its result. */
function withOwn({ confined }: Confinement, own: Mount): Confined {
  return { ...confined, mounts: [...confined.mounts, own] };
}

/** The text of a plain file. A scorer may have put anything in its place: a folder, a pipe that never ends, a link out. */
async function readIfThere(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.size <= MAX_RESULT_BYTES ? readFile(path, 'utf8').catch(() => undefined) : undefined;
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: string });
}

function lastLine(chunk: string): string {
  return chunk.trimEnd().split('\n').at(-1) ?? '';
}
