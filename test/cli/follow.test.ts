import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import type { LedgerEvent, NewEvent } from '../../src/records.ts';
import { begun } from '../loop/events.ts';
import { eventsOf, Lab, verdictsOf } from './lab.ts';
import { numbered, pageOf, standIn } from './stand-in.ts';

const RUN = '20260101-000000-aaaaaa';
const RUN_ARGS = ['run', 'f.py', '--score', 'x', '--proposer', 'literals', '--json'];
const KEPT: readonly NewEvent[] = [...begun(1), { type: 'attempt-started', attempt: 1, parent: 0 }, { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: 'better', score: 2 } }];
const END: NewEvent = { type: 'run-ended', reason: 'attempts', sentence: 'Ended: all attempts were made.' };

describe('following a run', () => {
  let lab: Lab;
  let close: () => void;
  beforeEach(async () => {
    lab = await Lab.open({ 'f.py': 'A = 1\n' });
  });
  afterEach(async () => {
    close();
    await lab.close();
  });

  it('ends where the run is over but its end never came, with what the ledger says', async () => {
    const events = numbered(RUN, [...KEPT, END]);
    await mkdir(lab.path(`.ratchet/runs/${RUN}`), { recursive: true });
    await writeFile(lab.path(`.ratchet/runs/${RUN}/ledger.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    close = await standIn(lab, {
      'ratchet/page': pageOf(lab), 'ratchet/start': () => ({ run: RUN }),
      'ratchet/watch': (_, tell) => {
        setImmediate(() => void tell('ratchet/activity', { run: RUN, doing: 'ended' }));
        return events.slice(0, -1);
      },
    });
    const { code, stdout } = await lab.ratchet(...RUN_ARGS);
    assert.deepEqual(eventsOf(stdout), events, 'each once, in order');
    assert.equal(code, 0);
  });

  it('ends where no end was written at all, and says so', async () => {
    close = await standIn(lab, {
      'ratchet/page': pageOf(lab), 'ratchet/start': () => ({ run: RUN }),
      'ratchet/watch': (_, tell) => {
        void tell('ratchet/activity', { run: RUN, doing: 'ended' });
        return numbered(RUN, KEPT);
      },
    });
    const { code, stderr } = await lab.ratchet(...RUN_ARGS);
    assert.match(stderr, /is over, but its end could not be written/);
    assert.equal(code, 4);
  });

  it('gives a fault of ours its exit code, whatever was kept before', async () => {
    close = await standIn(lab, {
      'ratchet/page': pageOf(lab), 'ratchet/start': () => ({ run: RUN }),
      'ratchet/watch': () => numbered(RUN, [...KEPT, { type: 'run-ended', reason: 'failed', sentence: 'Ended: a fault.' }]),
    });
    const { code, stdout } = await lab.ratchet(...RUN_ARGS);
    assert.deepEqual(verdictsOf(eventsOf(stdout)), ['kept', 'kept']);
    assert.equal(code, 1);
  });

  it('exits though the engine had begun to say more', async () => {
    const events = numbered(RUN, [...KEPT, END]);
    close = await standIn(lab, {
      'ratchet/page': pageOf(lab), 'ratchet/start': () => ({ run: RUN }),
      'ratchet/watch': (_, tell) => {
        setImmediate(() => void tell('ratchet/event', events.at(-1) as LedgerEvent));
        return events.slice(0, -1);
      },
    }, 'Content-Length: 100\r\n\r\n{');
    const { code } = await lab.ratchet(...RUN_ARGS);
    assert.equal(code, 0);
  });

  for (const more of [[], ['--detach']])
    it(`stops a run that begins after Ctrl-C ${more.join('')}`, async () => {
      const asked = Promise.withResolvers<void>();
      const begin = Promise.withResolvers<void>();
      const stopped: string[] = [];
      close = await standIn(lab, {
        'ratchet/page': pageOf(lab),
        'ratchet/start': async () => {
          asked.resolve();
          await begin.promise;
          return { run: RUN };
        },
        'ratchet/stop': ({ run }) => {
          stopped.push(run);
          return null;
        },
        'ratchet/watch': () => numbered(RUN, begun(1)),
      });
      const going = lab.start([...RUN_ARGS, ...more]);
      await asked.promise;
      going.process.kill('SIGINT');
      await going.until((_, stderr) => stderr.includes('Stopping.'));
      begin.resolve();
      assert.equal((await going.ended).code, 130);
      assert.deepEqual(stopped, [RUN]);
    });
});
