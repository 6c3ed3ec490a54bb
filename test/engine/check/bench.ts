import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Course } from '../../../src/engine/check/course.ts';
import { checkKey } from '../../../src/engine/check/key.ts';
import { checkPrepared } from '../../../src/engine/check/prepared.ts';
import { CheckRecords } from '../../../src/engine/check/records.ts';
import { treeOf } from '../../../src/engine/code.ts';
import { startGuard, type Guard } from '../../../src/engine/execute/guard.ts';
import { PipePool } from '../../../src/engine/execute/pipes.ts';
import type { Parsers } from '../../../src/engine/parsers.ts';
import { Pulse } from '../../../src/engine/pulse.ts';
import { probeScratch } from '../../../src/engine/scratch/create.ts';
import { newSlotFolder } from '../../../src/engine/scratch/place.ts';
import { prepare } from '../../../src/engine/start/prepare.ts';
import { Store } from '../../../src/engine/store.ts';
import { WorkFolders } from '../../../src/engine/work-folders.ts';
import type { Finding } from '../../../src/loop/audit/findings.ts';
import type { LineId } from '../../../src/loop/audit/lines/line.ts';
import type { CheckLine, CheckReport } from '../../../src/loop/audit/report.ts';
import { ANY_PROPOSER, type CheckAsk, type CheckProgress } from '../../../src/protocol.ts';
import { assertNoSurvivors } from '../../census.ts';

export interface CheckOptions extends Partial<Pick<CheckAsk, 'flags' | 'repeated' | 'again' | 'text'>> {
  readonly signal?: AbortSignal;
  /** A copy of the workspace instead of a layer over it. */
  readonly copied?: boolean;
  readonly now?: () => Date;
  readonly onProgress?: (progress: CheckProgress) => void;
}

/** A workspace for one test of a check, with real runs. */
export class CheckBench {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-check-')));
  readonly root = join(this.base, 'work');
  private readonly mark = `check-${randomUUID()}`;
  private readonly guard: Guard = startGuard();
  private readonly pipes = new PipePool();
  private readonly pulse = new Pulse();
  private readonly parsers: Parsers;

  constructor(parsers: Parsers) {
    this.parsers = parsers;
    mkdirSync(this.root);
  }

  write(files: Readonly<Record<string, string>>): this {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      writeFileSync(join(this.root, name), text);
    }
    return this;
  }

  get env(): Record<string, string> {
    return { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: this.base, XDG_CACHE_HOME: join(this.base, 'cache'), LANG: 'C.UTF-8', OUTSIDE: join(this.base, 'outside') };
  }

  /** Checks a file with a scorer, from what the flags say. */
  async check(target: string, scorer: string | undefined, { signal = new AbortController().signal, now = () => new Date(), onProgress = () => undefined, flags = {}, copied = false, ...ask }: CheckOptions = {}): Promise<CheckReport> {
    const { root, env, parsers, guard, pipes } = this;
    const scratch = copied ? { kind: 'copy', how: 'A copy.' } as const : await probeScratch(root, env, signal);
    const given: CheckAsk = { target: join(root, target), settings: {}, env, flags: { proposer: 'literals', ...(scorer === undefined ? {} : { scorer }), ...flags }, ...ask };
    const world = { root, top: root, parsers, now, scratch: scratch.how };
    const asked = await prepare(given, world);
    const isOpen = asked.page.problems.some(({ key }) => key === 'proposer');
    const prepared = isOpen ? await prepare({ ...given, flags: { ...given.flags, proposer: ANY_PROPOSER } }, world) : asked;
    return checkPrepared(prepared, given, () => {
      if (prepared.page.plan === undefined) throw new Error(prepared.page.problems.map(({ message }) => message).join(' '));
      return prepared.page.plan;
    }, {
      workspace: prepared.workspace, tools: prepared.tools, env, guard, pipes, mark: this.mark, now, signal, onProgress, parsers,
      folders: new WorkFolders(scratch, () => newSlotFolder(root, env), this.pulse), store: new Store(root, join(root, '.ratchet')),
    });
  }

  /** What an earlier check found of the parts, as a run would ask for it. */
  async known(target: string, scorer: string): Promise<readonly Finding[]> {
    const { root, env, parsers } = this;
    const { page, text } = await prepare({ target: join(root, target), settings: {}, env, flags: { proposer: 'literals', scorer } }, { root, top: root, parsers, now: () => new Date(), scratch: '' });
    if (page.plan === undefined) throw new Error('There is no plan.');
    const records = new CheckRecords(new Store(root, join(root, '.ratchet')));
    return (await Course.open({ plan: page.plan, text, tree: treeOf(text, page.plan.target, parsers), protectedRanges: [], key: await checkKey(root, page.plan, text), records })).findings();
  }

  /** Removes everything, and proves that nothing that was started is left. */
  async dispose(): Promise<void> {
    this.pipes.dispose();
    this.pulse.dispose();
    await assertNoSurvivors([this.mark], 2000);
    await this.guard.dispose();
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** One line of a report. */
export function lineOf({ lines }: CheckReport, id: LineId): CheckLine {
  const line = lines.find((each) => each.id === id);
  if (line === undefined) throw new Error(`There is no line ${id}.`);
  return line;
}

/** The lines that are no plain yes, as `id verdict`. */
export function troubles({ lines }: CheckReport): readonly string[] {
  return lines.filter(({ verdict }) => verdict === 'no' || verdict === 'warning').map(({ id, verdict }) => `${id} ${verdict}`);
}
