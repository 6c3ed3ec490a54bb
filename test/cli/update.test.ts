import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readlink, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startModelServer, type CannedResponse } from '../engine/proposers/server.ts';
import type { LedgerEvent } from '../../src/records.ts';
import { follow } from '../../src/wire/follow.ts';
import { CLI, Lab, reply, verdictsOf } from './lab.ts';

const FILES = {
  'f.py': 'A = 1\nB = 1\n\ndef f():\n    return A\n',
  // Held while the file is there that the test names; the engine then waits for it.
  'score.py': 'import os, sys, time\nimport f\nopen(sys.argv[1] + ".begun", "w").close()\nwhile os.path.exists(sys.argv[1]): time.sleep(0.05)\nprint("score:", f.f())\n',
  'program.md': '---\ngates:\n  - python3 -m py_compile f.py\n---\nRaise A.\n',
};

const answer = (text: string): CannedResponse => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: 'r', object: 'chat.completion', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] }) });

describe('an update that deletes the folder of the engine in the middle of a run', () => {
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open(FILES)));
  afterEach(() => lab.close());

  it('doesn\'t hurt it: attempts, gates, parsers, guard, a check, a script and the next client go on', async () => {
    lab.unconfined();
    const old = lab.path('../old');
    await cp(dirname(CLI), join(old, 'dist'), { recursive: true });
    await cp('media', join(old, 'media'), { recursive: true });
    const hold = lab.path('../hold');
    await writeFile(hold, '');
    const server = await startModelServer([answer(reply('A = 1', 'A = 2')), answer(reply('A = 2', '# only a comment\nA = 2')), answer(reply('A = 2', 'A = 3'))]);
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;

    const started = spawn(process.execPath, [join(old, 'dist', 'cli.js'), ...lab.words(['run', 'f.py', '--score', `python3 score.py ${hold}`, '--proposer', 'openai', '--model', 'm', '--attempts', '3', '--yes', '--detach', '--json'])], { cwd: lab.folder, env: lab.env, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    started.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    assert.deepEqual(await once(started, 'close'), [0, null]);
    const { run } = JSON.parse(said) as { readonly run: string };
    const client = await lab.engine();
    assert.ok(client);
    while (!existsSync(`${hold}.begun`)) await new Promise((resolve) => setTimeout(resolve, 20));
    await rm(old, { recursive: true });
    await rm(hold);

    const events: LedgerEvent[] = [];
    const ended = Promise.withResolvers<void>();
    await follow(client, run, (event) => {
      events.push(event);
      if (event.type === 'run-ended') ended.resolve();
    });
    await ended.promise;
    await server.close();
    assert.deepEqual(verdictsOf(events), ['kept', 'kept', 'refused', 'kept']);
    const refused = events.find((event) => event.type === 'judged' && event.verdict === 'refused');
    assert.ok(refused?.type === 'judged' && refused.evidence.code === 'no-change', 'the grammar tells a comment from code');
    assert.ok(events.some((event) => event.type === 'measured' && event.role === 'gate'));
    assert.equal(events.at(-1)?.type === 'run-ended' && (events.at(-1) as { reason?: string }).reason, 'attempts');

    const env = { PATH: process.env['PATH'] ?? '' };
    const ask = { target: lab.path('f.py'), flags: { scorer: `python3 score.py ${hold}`, proposer: 'replay:.', sandbox: 'off' as const }, settings: {}, env };
    assert.equal((await client.request('ratchet/try', ask)).score, 1);
    assert.ok((await client.request('ratchet/check', ask)).verdict);
    assert.match((await client.request('ratchet/new-scorer', { target: lab.path('f.py'), kind: 'checks', env })).text, /\S/);
    // The next version's client serves itself of the engine that is there.
    const { stdout, code } = await lab.ratchet('show', run);
    assert.equal(code, 0);
    assert.match(stdout, /3 {2}kept/);
    assert.equal((await lab.ratchet('run', 'f.py', '--score', `python3 score.py ${hold}`, '--proposer', 'literals', '--attempts', '1', '--yes', '--json')).code === 1, false);
    if (process.platform === 'linux') assert.match(await readlink(`/proc/${client.engine.pid}/cwd`), /runtime/, 'it doesn\'t stand in the folder either');
    client.close();
  }).timeout(180_000);
});
