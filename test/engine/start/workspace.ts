import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import { scorerCommand } from '../../../src/engine/scorer.ts';
import { findOffers } from '../../../src/engine/start/offers.ts';
import { chooseScorer } from '../../../src/engine/start/scorer-choice.ts';
import { defaultMetric, readScore, reportOf, type Reading, type ReportRef } from '../../../src/loop/score.ts';
import type { ScorerOffer } from '../../../src/protocol.ts';
import { assertNoSurvivors } from '../../census.ts';

const MODULES = join(import.meta.dirname, '..', '..', '..', 'node_modules');

/** A temporary workspace of one test. */
export class Workspace {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-offers-')));
  private readonly mark = randomUUID();

  write(files: Readonly<Record<string, string>>): this {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, name)), { recursive: true });
      writeFileSync(join(this.root, name), text);
    }
    return this;
  }

  executable(...names: readonly string[]): this {
    for (const name of names) chmodSync(join(this.root, name), 0o755);
    return this;
  }

  /** Programs in the node_modules of a folder, with nothing in them. */
  binaries(folder: string, ...names: readonly string[]): this {
    const paths = names.map((name) => join(folder, 'node_modules', '.bin', name));
    return this.write(Object.fromEntries(paths.map((path) => [path, '']))).executable(...paths);
  }

  /** The project's own node_modules. */
  realModules(): this {
    symlinkSync(MODULES, join(this.root, 'node_modules'));
    return this;
  }

  offers(target: string): Promise<readonly ScorerOffer[]> {
    return findOffers(this.root, join(this.root, target));
  }

  /** Offers as `folder$ command # why`, the folder relative to the root. */
  async shown(target: string): Promise<readonly string[]> {
    const where = (folder: string): string => folder.slice(this.root.length + 1);
    return (await this.offers(target)).map(({ scorer, folder, why }) => `${where(folder)}$ ${String(scorer)} # ${why}`);
  }

  /** Runs a scorer in its folder as the start would, and reads it; `report` where its text doesn't name one that is known. */
  async score(offer: Pick<ScorerOffer, 'scorer' | 'folder' | 'metric'>, target: string, report?: ReportRef): Promise<Reading> {
    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
    const tools = { node: process.execPath, python };
    const { spec, cwd } = await chooseScorer(offer.scorer, this.root, { chosen: offer.folder, others: [] }, tools);
    const paths = { root: this.root, target: join(this.root, target), inside: (path: string) => path };
    const command = scorerCommand(spec, paths, tools, process.platform);
    const folder = join(this.root, cwd);
    const result = join(this.root, 'result.json');
    const env = {
      PATH: [dirname(process.execPath), dirname(python), process.env['PATH'] ?? ''].join(delimiter), HOME: this.root,
      RATCHET_TARGET: paths.target, RATCHET_RESULT: result, ...command.env,
    };
    const run = await execute({ file: command.file, args: command.args, cwd: folder, env }, { timeoutMs: 60_000, signal: new AbortController().signal, mark: this.mark });
    const written = report ?? reportOf(command.display);
    return readScore({
      stdout: run.stdout, stderr: run.stderr, exitCode: run.exitCode, end: run.end, readsStdout: command.readsStdout,
      ...(existsSync(result) ? { result: readFileSync(result, 'utf8') } : {}),
      ...(written !== undefined && existsSync(join(folder, written.file)) ? { report: readFileSync(join(folder, written.file), 'utf8') } : {}),
    }, offer.metric ?? defaultMetric('score') ?? { name: 'score', direction: 'higher' }, written);
  }

  /** Removes the workspace, and proves that nothing that it started is left. */
  async dispose(): Promise<void> {
    rmSync(this.root, { recursive: true, force: true });
    await assertNoSurvivors([this.mark]);
  }
}
