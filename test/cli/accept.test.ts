import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { CLI, Lab, reply, verdictsOf } from './lab.ts';
import { assertNoSurvivors } from '../census.ts';
import { refusal, standIn } from './stand-in.ts';

const TARGET = '# mine\nA = 10\n\n\ndef value():\n    return A\n\n\n# end\n';

describe('looking at a run and accepting it', () => {
  let lab: Lab;
  const open = async (files: Readonly<Record<string, string>> = {}, second = 'discarded'): Promise<void> => {
    lab = await Lab.open({ 'f.py': TARGET, 'score.py': 'import f\nprint("score:", f.value())\n', 'r/1.md': reply('A = 10', 'A = 20', 'Twice as\tmuch\nhelps.'), 'r/2.md': reply('A = 20', 'A = 5'), ...files });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'replay:r', '--attempts', '2');
    assert.deepEqual(verdictsOf(events), ['kept', 'kept', second]);
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
    const { code, stdout, stderr } = await lab.ratchet('accept');
    assert.equal(code, 0);
    assert.match(stdout, /now holds attempt 1/);
    assert.equal(stderr, '');
    assert.equal(await lab.read('f.py'), TARGET.replace('10', '20'));
    assert.equal((await stat(lab.path('f.py'))).mode & 0o777, 0o750);
    const json = JSON.parse((await lab.ratchet('show', 'last', '1', '--json')).stdout) as { accepted: boolean };
    assert.equal(json.accepted, true);
  });

  it('takes a later attempt where an earlier one was accepted before, with what the person added since', async () => {
    lab = await Lab.open({ 'f.py': 'A = 10\nB = 1\nC = 1\n', 'score.py': 'import f\nprint("score:", f.A)\n', 'r/1.md': reply('A = 10', 'A = 20'), 'r/2.md': reply('A = 20', 'A = 30') });
    assert.equal((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'replay:r')).code, 0);
    assert.equal((await lab.ratchet('accept', 'last', '1')).code, 0);
    await lab.write('f.py', (await lab.read('f.py')).replace('C = 1', 'C = 2'));
    const { code, stderr } = await lab.ratchet('accept');
    assert.equal(code, 0, stderr);
    assert.equal(await lab.read('f.py'), 'A = 30\nB = 1\nC = 2\n');
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

  it('takes an attempt that was not kept only when it is named, and says its verdict', async () => {
    await open();
    const { code, stdout, stderr } = await lab.ratchet('accept', 'last', '2');
    assert.match(stderr, /^Attempt 2 was not kept \(not kept: .+\)\. You named it/);
    assert.match(stdout, /now holds attempt 2/);
    assert.equal(code, 0);
    assert.equal(await lab.read('f.py'), TARGET.replace('10', '5'));
  });

  it('takes one that gave no score only where that is meant', async () => {
    await open({ 'r/2.md': reply('A = 20', 'A = 1 / 0') }, 'crashed');
    const { code, stderr } = await lab.ratchet('accept', 'last', '2');
    assert.match(stderr, /^ratchet: Attempt 2 gave no score that counts \(crashed: .+\), so nothing shows that it works\. If you mean it, add --yes to put it into your file all the same\.\n$/);
    assert.equal(code, 2);
    assert.equal(await lab.read('f.py'), TARGET);
    assert.equal((await lab.ratchet('accept', 'last', '2', '--yes')).code, 0);
    assert.equal(await lab.read('f.py'), TARGET.replace('10', '1 / 0'));
  });

  it('refuses a suspicious attempt', async () => {
    await open();
    await editLedger((line) => line.replace('"verdict":"discarded"', '"verdict":"flagged"'));
    const { code, stderr } = await lab.ratchet('accept', 'last', '2');
    assert.match(stderr, /Attempt 2 is suspicious .* must be confirmed first/);
    assert.equal(code, 4);
    assert.equal(await lab.read('f.py'), TARGET);
  });

  it('writes nothing outside of the root, whatever a ledger says', async () => {
    await open({ '../outside.py': TARGET });
    await symlink(lab.path('../outside.py'), lab.path('link.py'));
    for (const target of ['../outside.py', 'link.py']) {
      await editLedger((line) => line.replace(/"target":"[^"]*"/, `"target":"${target}"`));
      const { code, stderr } = await lab.ratchet('accept');
      assert.match(stderr, /lies outside of/);
      assert.equal(code, 4);
    }
    assert.equal(await lab.read('../outside.py'), TARGET);
  });

  it('refuses a file that was saved in another encoding', async () => {
    await open();
    const latin = Buffer.from(TARGET.replace('mine', 'm\u00efne'), 'latin1');
    await writeFile(lab.path('f.py'), latin);
    const { code, stderr } = await lab.ratchet('accept');
    assert.match(stderr, /no longer a text in UTF-8/);
    assert.equal(code, 2);
    assert.deepEqual(await readFile(lab.path('f.py')), latin);
  });

  it('says that the disk is full, and leaves no draft', async function () {
    if (spawnSync('unshare', ['-rm', 'true']).status !== 0) return this.skip();
    lab = await Lab.open({ '.ratchet/.gitignore': '*\n', 'sub/f.py': TARGET, 'sub/score.py': 'import f\nprint("score:", f.value())\n', 'r/1.md': reply('A = 10', 'A = 20') });
    await lab.events('run', 'sub/f.py', '--score', 'python3 sub/score.py', '--proposer', 'replay:r', '--attempts', '1');
    const full = 'rm sub/score.py; cp sub/f.py kept.py && mount -t tmpfs -o size=4k none sub && cp kept.py sub/f.py && "$0" "$1" accept; echo $?; ls sub';
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', full, process.execPath, CLI], { cwd: lab.folder, env: lab.env, encoding: 'utf8' });
    assert.match(stderr, /The disk is full/);
    assert.equal(stdout, '4\nf.py\n');
  });

  it('warns where the text is written but can\'t be recorded', async () => {
    await open();
    const engine = await lab.engine();
    assert.ok(engine);
    process.kill(engine.engine.pid, 'SIGTERM');
    // It takes its token with it, as the last thing.
    await assertNoSurvivors([engine.engine.pid], 3000);
    const close = await standIn(lab, { 'ratchet/accepted': () => Promise.reject(refusal('The disk is full.')) });
    const { code, stdout, stderr } = await lab.ratchet('accept');
    close();
    assert.match(stdout, /now holds attempt 1/);
    assert.match(stderr, /written, but not recorded: The disk is full\./);
    assert.equal(code, 0);
    assert.equal(await lab.read('f.py'), TARGET.replace('10', '20'));
  });

  async function editLedger(change: (line: string) => string): Promise<void> {
    const id = (JSON.parse((await lab.ratchet('log', '--json')).stdout) as { run: string }).run;
    const path = `.ratchet/runs/${id}/ledger.jsonl`;
    await lab.write(path, (await lab.read(path)).split('\n').map(change).join('\n'));
  }
});
