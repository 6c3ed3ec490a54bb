import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClocks } from '../../src/engine/conditions/clocks.ts';
import { loadParsers } from '../../src/engine/parsers.ts';
import { Session } from '../../src/engine/session.ts';
import type { LedgerEvent } from '../../src/records.ts';
import { assertNoSurvivors } from '../census.ts';
import { reply } from '../cli/lab.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

describe('a run in a copy of the workspace', function () {
  this.timeout(60_000);

  it('shows what is held out to the holdout alone', async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-copy-')));
    const root = join(base, 'work');
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    };
    const hidden = 'import f, os\nassert not os.path.exists("held.py") and not os.path.exists("secret"), "it sees what is held out"\n';
    write('f.py', 'A = 10\nB = 1\n');
    write('score.py', `${hidden}print("score:", f.A)\n`);
    write('gate.py', hidden);
    write('held.py', 'import f\nassert open("secret/x.txt").read() == "x"\nprint("score:", f.B)\n');
    write('secret/x.txt', 'x');
    write('r/1.md', reply('A = 10\nB = 1', 'A = 20\nB = 0'));
    write('r/2.md', reply('A = 10\nB = 1', 'A = 11\nB = 2'));
    const events: LedgerEvent[] = [];
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const session = new Session({
      root, top: root, data: join(base, 'data'), parsers: await loadParsers(grammars), scratch: { kind: 'copy', how: 'A copy.' }, build: 'test', now: () => new Date(), readClocks: systemClocks,
      slotFolder: () => Promise.resolve(join(base, `slot-${Math.random().toString(36).slice(2)}`)), onEvent: (event) => { events.push(event); }, onActivity: () => undefined, onRun: ({ active }) => { if (!active) end(); }, onIdle: () => undefined, onFault: () => undefined,
    });
    try {
      const env = { PATH: process.env['PATH'] ?? '', TEST_BASE: base };
      await session.start({ target: join(root, 'f.py'), flags: { scorer: 'python3 score.py', proposer: 'replay:r', attempts: 2, gates: ['python3 gate.py'], holdout: { scorer: 'python3 held.py', files: ['secret'] } }, settings: {}, env }, undefined);
      await over;
      assert.ok(events.some((event) => event.type === 'scratch-opened' && event.scratch === 'copy'));
      assert.deepEqual(events.flatMap((event) => (event.type === 'judged' ? [`${event.verdict} ${event.evidence.code ?? ''}`] : [])), ['kept ', 'discarded holdout', 'kept '], JSON.stringify(events.at(-1)));
    } finally {
      await session.dispose();
      await assertNoSurvivors([base], 3000);
      rmSync(base, { recursive: true, force: true });
    }
  });
});
