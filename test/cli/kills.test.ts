import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { foldAll } from '../../src/loop/ledger.ts';
import { parseLedger } from '../../src/loop/ledger-text.ts';
import { assertNoSurvivors } from '../census.ts';
import { Lab } from './lab.ts';

const KILLS = 20;
/** Enough of them that no search is over before the last kill. */
const NUMBERS = Array.from({ length: 40 }, (_, index) => `N${index} = ${index + 3}`);
const SCORER = 'import f\nprint("score:", 90 - sum(abs(getattr(f, f"N{i}") - 10) for i in range(40)) / 100)\n';

describe('an engine that is killed at any moment', () => {
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open({ 'f.py': `${NUMBERS.join('\n')}\n`, 'score.py': SCORER })));
  afterEach(() => lab.close());

  async function kill(): Promise<void> {
    const engine = await lab.engine();
    if (engine === undefined) return;
    process.kill(engine.engine.pid, 'SIGKILL');
    await engine.closed;
  }

  async function ledger(run: string): Promise<ReturnType<typeof parseLedger>> {
    return parseLedger(await lab.read(`.ratchet/runs/${run}/ledger.jsonl`));
  }

  it(`loses no verdict and gives none twice, in ${KILLS} kills of one run`, async () => {
    const attempts = 60;
    const start = ['run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--confirm', 'off', '--attempts', String(attempts), '--detach', '--json'];
    let run: string | undefined;
    const told = new Map<number, string>();
    for (let kills = 0; kills < KILLS; kills++) {
      const { code, stdout, stderr } = await lab.ratchet(...(run === undefined ? start : ['resume', run, '--detach', '--json']));
      // One that died before its start file was measured has nothing to go on from.
      if (code === 2 && /before its start file was measured/.test(stderr)) {
        run = undefined;
        continue;
      }
      assert.equal(code, 0, stderr);
      run ??= (JSON.parse(stdout) as { run: string }).run;
      // Any moment: while its view is made, in a run of the scorer, between two lines of the ledger.
      await wait(Math.random() * 700);
      await kill();
      const { events } = await ledger(run);
      for (const event of events) if (event.type === 'judged') told.set(event.attempt, told.get(event.attempt) ?? event.verdict);
      assert.ok(foldAll(events), 'it folds after every kill');
    }
    const last = await lab.ratchet(...(run === undefined ? start.slice(0, -2) : ['resume', run]));
    assert.match(last.stdout, /all 60 attempts are done/, last.stderr);
    run ??= /\d{8}-\d{6}-\w+/.exec(last.stdout)?.[0] ?? '';
    const { events, damagedLines } = await ledger(run);
    assert.ok(damagedLines <= KILLS, `${damagedLines} lines are torn`);
    assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index));
    const verdicts = events.flatMap((event) => (event.type === 'judged' ? [[event.attempt, event.verdict] as const] : []));
    assert.deepEqual(verdicts.map(([attempt]) => attempt), verdicts.map((_, index) => index), 'one verdict each, in order');
    assert.equal(verdicts.filter(([attempt, verdict]) => attempt > 0 && verdict !== 'cancelled').length, attempts);
    for (const [attempt, verdict] of told) assert.equal(verdicts[attempt]?.[1], verdict, 'what was once written stays');
    await kill();
    await assertNoSurvivors([lab.folder.replace(/\/work$/, '')], 3000);
  }).timeout(240_000);
});
