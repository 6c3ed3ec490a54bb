import assert from 'node:assert/strict';
import { chmod, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Lab, reply, verdictsOf } from './lab.ts';

const TARGET = '# mine\nA = 10\n\n\ndef value():\n    return A\n\n\n# end\n';

describe('looking at a run and accepting it', () => {
  let lab: Lab;
  const open = async (files: Readonly<Record<string, string>> = {}): Promise<void> => {
    lab = await Lab.open({ 'f.py': TARGET, 'score.py': 'import f\nprint("score:", f.value())\n', 'r/1.md': reply('A = 10', 'A = 20', 'Twice as\tmuch\nhelps.'), 'r/2.md': reply('A = 20', 'A = 5'), ...files });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'replay:r', '--attempts', '2');
    assert.deepEqual(verdictsOf(events), ['kept', 'kept', 'discarded']);
  };
  afterEach(() => lab.close());

  it('log, show and diff tell what was tried', async () => {
    await open();
    assert.match((await lab.ratchet('log')).stdout, /f\.py {2}score 10 → 20, 2\.0× {2}1 kept of 2/);
    const shown = (await lab.ratchet('show')).stdout;
    assert.match(shown, /#1 {2}kept .*10 → 20, 2\.0×.*Twice as much helps\./);
    assert.match(shown, /#2 {2}not kept/);
    const one = (await lab.ratchet('show', 'last', '1')).stdout;
    assert.match(one, /It scores better than its parent/);
    assert.match(one, /-A = 10\n\+A = 20/);
    assert.match((await lab.ratchet('diff')).stdout, /^--- a\/f\.py\tstart file\n\+\+\+ b\/f\.py\tattempt 1\n/);
    assert.match((await lab.ratchet('diff', 'last', '#2')).stdout, /-A = 20\n\+A = 5/);
    const json = JSON.parse((await lab.ratchet('show', 'last', '--json')).stdout) as { champion: number };
    assert.equal(json.champion, 1);
  });

  it('writes the best so far, keeps the file\'s mode, and records it', async () => {
    await open();
    await chmod(lab.path('f.py'), 0o750);
    assert.equal(await lab.read('f.py'), TARGET, 'nothing changed before');
    const { code, stdout } = await lab.ratchet('accept');
    assert.equal(code, 0);
    assert.match(stdout, /now holds attempt 1/);
    assert.equal(await lab.read('f.py'), TARGET.replace('10', '20'));
    assert.equal((await stat(lab.path('f.py'))).mode & 0o777, 0o750);
    const json = JSON.parse((await lab.ratchet('show', 'last', '1', '--json')).stdout) as { accepted: boolean };
    assert.equal(json.accepted, true);
  });

  it('merges with what the person changed meanwhile', async () => {
    await open();
    await lab.write('f.py', TARGET.replace('# end', '# the end'));
    assert.equal((await lab.ratchet('accept', 'last')).code, 0);
    assert.equal(await lab.read('f.py'), TARGET.replace('10', '20').replace('# end', '# the end'));
  });

  it('writes nothing where both changed the same line', async () => {
    await open();
    const mine = TARGET.replace('A = 10', 'A = 11');
    await lab.write('f.py', mine);
    const { code, stderr } = await lab.ratchet('accept');
    assert.equal(code, 4);
    assert.match(stderr, /changed since the run began/);
    assert.equal(await lab.read('f.py'), mine);
  });

  it('writes nothing while an editor holds unsaved text', async () => {
    await open();
    const editor = await lab.engine();
    assert.ok(editor);
    editor.notify('textDocument/didOpen', { textDocument: { uri: pathToFileURL(lab.path('f.py')).href, languageId: 'python', version: 1, text: `${TARGET}# unsaved\n` } });
    const { code, stderr } = await lab.ratchet('accept');
    assert.equal(code, 4);
    assert.match(stderr, /unsaved text/);
    assert.equal(await lab.read('f.py'), TARGET);
    editor.notify('textDocument/didClose', { textDocument: { uri: pathToFileURL(lab.path('f.py')).href } });
    assert.equal((await lab.ratchet('accept')).code, 0);
    editor.close();
  });

  it('does not read a ledger of a newer version, and says so', async () => {
    await open();
    const run = (await lab.ratchet('log', '--json')).stdout;
    const id = (JSON.parse(run) as { run: string }).run;
    await lab.write(`.ratchet/runs/${id}/ledger.jsonl`, `${await lab.read(`.ratchet/runs/${id}/ledger.jsonl`)}{"v":99,"type":"x"}\n`);
    for (const args of [['show'], ['accept'], ['diff']]) {
      const { code, stderr } = await lab.ratchet(...args);
      assert.equal(code, 4);
      assert.match(stderr, /newer Ratchet/);
    }
    assert.match((await lab.ratchet('log')).stdout, /newer Ratchet/);
  });
});
