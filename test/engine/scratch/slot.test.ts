import assert from 'node:assert/strict';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HumanError } from '../../../src/errors.ts';
import { createSlot } from '../../../src/engine/scratch/create.ts';
import { type Bench, KINDS, NEVER, commitAll, fingerprint, useBench } from './support.ts';

for (const kind of KINDS) {
  describe(`a slot of kind ${kind}`, function () {
    this.timeout(60_000);
    let bench: Bench;
    useBench(kind, (made) => { bench = made; });

    it('is put back by place: what was written vanishes, what was deleted or changed returns', async () => {
      const top = bench.tree('w', {
        'target.txt': 'start', 'kept.txt': 'kept', 'gone.txt': 'gone', 'deep/er/a.txt': 'a', 'link': { link: 'kept.txt' }, 'tight/in.txt': 'in', 'run.sh': '#!/bin/sh\n',
      });
      chmodSync(join(top, 'run.sh'), 0o755);
      commitAll(top);
      const before = fingerprint(top);
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      await slot.place('one');
      const look = 'cat target.txt kept.txt gone.txt deep/er/a.txt link tight/in.txt; ls -A; stat -c %a tight; test -x run.sh';
      const first = await bench.sh(slot, top, look);
      assert.equal(first.exitCode, 0, first.stderr);
      assert.match(first.stdout, /^onekeptgoneakeptin/);

      const mess = await bench.sh(slot, top, [
        'echo changed > kept.txt', 'rm gone.txt', 'rm -r deep', 'mkdir -p new/er', 'echo n > new/er/n.txt', 'mkdir new/empty', 'chmod 000 new/er',
        'echo mine > target.txt', 'rm link', 'ln -s / link', 'chmod -x run.sh', 'chmod 700 tight',
      ].join(' && '));
      assert.equal(mess.exitCode, 0, mess.stderr);
      const changed = await slot.changed();
      // Nobody but root sees into the closed folder; the folder itself shows then.
      const closed = process.getuid?.() === 0 ? 'new/er/n.txt' : 'new/er';
      const expected = ['gone.txt', 'kept.txt', 'link', closed, 'run.sh'];
      assert.deepEqual(changed.filter((path) => !path.startsWith('deep')), expected);
      assert.ok(changed.some((path) => path.startsWith('deep')), 'a deleted folder shows');

      await slot.place('two');
      assert.deepEqual(await slot.changed(), []);
      const second = await bench.sh(slot, top, look);
      assert.equal(second.stdout, first.stdout.replace('one', 'two'), second.stderr);
      assert.equal(fingerprint(top), before);
    });

    it('tells what was changed and put back within one run, its time as well', async () => {
      const top = bench.tree('w', { 'target.txt': 'start', 'score.py': 'print(1)\n', 'data/a.csv': '1,2\n' });
      commitAll(top);
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      await slot.place('one');
      const forge = 'cp -p score.py "$TMPDIR/kept" && echo "print(99)" > score.py && cat score.py && cp -p "$TMPDIR/kept" score.py && touch -r "$TMPDIR/kept" score.py';
      const { stdout, exitCode } = await bench.sh(slot, top, `export TMPDIR=$(mktemp -d) && ${forge} && cat score.py && rm -r "$TMPDIR"`);
      assert.equal(exitCode, 0);
      assert.equal(stdout, 'print(99)\nprint(1)\n');
      assert.deepEqual(await slot.changed(), ['score.py']);
    });

    it('holds a candidate in a folder that is read-only, again and again', async () => {
      const top = bench.tree('w', { 'target.txt': 'start', 'sub/target.txt': 'start' });
      commitAll(top);
      chmodSync(join(top, 'sub'), 0o555);
      chmodSync(top, 0o555);
      for (const name of ['target.txt', 'sub/target.txt']) {
        const slot = await bench.slot(join(top, name), kind);
        for (const text of ['one', 'two']) {
          await slot.place(text);
          const { stdout, stderr } = await bench.sh(slot, top, `cat ${name}; stat -c %a . sub`);
          assert.equal(stdout, `${text}555\n555\n`, stderr);
        }
      }
      assert.equal(readFileSync(join(top, 'target.txt'), 'utf8'), 'start');
    });

    it('shows the files as they were at its start, whatever the person does meanwhile', async () => {
      const top = bench.tree('w', { 'target.txt': 'start', 'other.txt': 'old', 'deleted.txt': 'there' });
      commitAll(top);
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      writeFileSync(join(top, 'other.txt'), 'edited');
      writeFileSync(join(top, 'new.txt'), 'new');
      writeFileSync(join(top, 'target.txt'), 'edited');
      await slot.place('candidate');
      const { stdout } = await bench.sh(slot, top, 'cat target.txt other.txt; ls');
      assert.equal(stdout, 'candidateolddeleted.txt\nother.txt\ntarget.txt\n');
      await bench.sh(slot, top, 'rm deleted.txt other.txt');
      await slot.place('candidate');
      assert.equal((await bench.sh(slot, top, 'cat other.txt deleted.txt')).stdout, 'oldthere');
      assert.equal(readFileSync(join(top, 'target.txt'), 'utf8'), 'edited');
    });

    it('hides secrets, its own data, caches and build outputs, and shows what else is ignored', async () => {
      const top = bench.tree('w', {
        '.gitignore': 'data/\n*.so\n/dist\n.env\nbig/\n__pycache__\n.venv\n',
        'target.py': 'start', '.env': 'SECRET=1', '.env.local': 'SECRET=2', '.ratchet/ledger': 'x', 'data/a.csv': '1', 'native.so': 'so',
        'dist/target.js': 'stale', '__pycache__/target.pyc': 'stale', 'sub/.env': 'SECRET=3', '.venv/pyvenv.cfg': 'home = /usr',
        ...Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`big/${String(index)}`, 'x'])),
      });
      commitAll(top);
      const before = fingerprint(top);
      const slot = await bench.slot(join(top, 'target.py'), kind);
      await slot.place('candidate');
      const { stdout } = await bench.sh(slot, top, 'ls -A; cat data/a.csv native.so .venv/pyvenv.cfg; ls big | wc -l; ls -A sub 2>/dev/null');
      assert.equal(stdout, '.git\n.gitignore\n.venv\nbig\ndata\nnative.so\ntarget.py\n1sohome = /usr1001\n');
      assert.equal(fingerprint(top), before);
    });

    it('answers git with the commit, branch and files, and lets nobody at the repository', async function () {
      const top = bench.tree('w', { 'target.txt': 'start', 'other.txt': 'other' });
      commitAll(top);
      const before = fingerprint(top);
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      await slot.place('candidate');
      const { stdout, stderr } = await bench.sh(slot, top, 'git rev-parse HEAD; git rev-parse --abbrev-ref HEAD; git ls-files; git rev-parse --show-toplevel; git commit -q --allow-empty -m x; rm -rf .git');
      const lines = stdout.split('\n');
      assert.match(lines[0] ?? '', /^[0-9a-f]{40}$/, stderr);
      assert.deepEqual(lines.slice(1, 5), ['main', 'other.txt', 'target.txt', slot.inside(top)]);
      assert.equal(fingerprint(top), before);
    });

    it('shows a workspace below a git root from that root on', async () => {
      const repo = bench.tree('repo', { 'shared/value.txt': 'shared', 'apps/one/.ratchet/x': 'x', 'apps/one/target.txt': 'start', '.gitignore': '.ratchet\n' });
      commitAll(repo);
      const slot = await bench.slot(join(repo, 'apps/one/target.txt'), kind);
      await slot.place('candidate');
      const { stdout, stderr } = await bench.sh(slot, join(repo, 'apps/one'), 'cat target.txt ../../shared/value.txt');
      assert.equal(stdout, 'candidateshared', stderr);
      assert.equal(slot.target, slot.inside(join(repo, 'apps/one/target.txt')));
    });

    it('works in a folder without git', async () => {
      const top = bench.tree('w', { 'target.txt': 'start', 'build/tool.txt': 'source', 'node_modules/a/index.js': 'a', '.env': 'SECRET', 'empty/.keep': '' });
      const before = fingerprint(top);
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      await slot.place('candidate');
      const { stdout } = await bench.sh(slot, top, 'cat target.txt build/tool.txt node_modules/a/index.js; ls -A');
      assert.equal(stdout, 'candidatesourceabuild\nempty\nnode_modules\ntarget.txt\n');
      assert.equal(fingerprint(top), before);
    });

    it('puts the candidate in the real file when the target is a link, and in every hard link of it', async () => {
      const top = bench.tree('w', { 'real/v3.txt': 'start', 'current.txt': { link: 'real/v3.txt' }, '.gitignore': 'node_modules\n' });
      mkdirSync(join(top, 'node_modules/.pnpm/injected@1/node_modules/injected'), { recursive: true });
      const injected = 'node_modules/.pnpm/injected@1/node_modules/injected/v3.txt';
      linkSync(join(top, 'real/v3.txt'), join(top, injected));
      symlinkSync('v3.txt', join(top, 'real/same.txt'));
      commitAll(top);
      chmodSync(join(top, 'real/v3.txt'), 0o640);
      const before = fingerprint(top);
      const slot = await bench.slot(join(top, 'current.txt'), kind);
      await slot.place('candidate ');
      const { stdout, stderr } = await bench.sh(slot, top, `cat current.txt real/v3.txt real/same.txt ${injected}; stat -c %a real/v3.txt; test -L current.txt`);
      assert.equal(stdout, 'candidate candidate candidate candidate 640\n', stderr);
      assert.deepEqual(await slot.changed(), []);
      assert.equal(fingerprint(top), before);
    });

    it('reads what a run wrote, and nothing else', async () => {
      const top = bench.tree('w', { 'target.txt': 'start', 'old.json': 'old' });
      bench.tree('outside', { 'secret.txt': 'secret' });
      commitAll(top);
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      await slot.place('candidate');
      await bench.sh(slot, top, 'mkdir out; echo "{}" > out/report.json; ln -s ../outside/secret.txt leak.json; ln -s ../../outside out/leak');
      assert.equal(await slot.written(slot.inside(join(top, 'out/report.json'))), '{}\n');
      for (const path of ['old.json', 'leak.json', 'out/leak/secret.txt', 'missing.json']) {
        assert.equal(await slot.written(slot.inside(join(top, path))), undefined, path);
      }
    });

    it('leaves nothing behind, and may be disposed of twice', async () => {
      const top = bench.tree('w', { 'target.txt': 'start' });
      const folder = bench.slotFolder;
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      await slot.place('candidate');
      await bench.sh(slot, top, 'mkdir -p a/b; chmod 000 a/b a');
      assert.ok(existsSync(folder));
      await slot.dispose();
      await slot.dispose();
      assert.ok(!existsSync(folder));
    });

    it('says clearly why a target can not be', async () => {
      const top = bench.tree('w', { 'target.txt': 'start', 'out.txt': { link: '../elsewhere.txt' } });
      bench.tree('.', { 'elsewhere.txt': 'x' });
      const probe = await bench.probe(top, kind);
      for (const [name, sentence] of [['out.txt', /outside/], ['missing.txt', /not there any more/], ['', /not a file/]] as const) {
        const folder = bench.slotFolder;
        await assert.rejects(createSlot({ root: top, top, target: join(top, name) }, probe, folder, NEVER), (error) => {
          assert.ok(error instanceof HumanError);
          assert.match(error.message, sentence);
          return true;
        });
        assert.ok(!existsSync(folder));
      }
    });

    it('stops being made when it is cancelled, and leaves no file', async () => {
      const top = bench.tree('w', Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${String(index)}.txt`, 'x'])));
      const folder = bench.slotFolder;
      const probe = await bench.probe(top, kind);
      const abort = new AbortController();
      const making = createSlot({ root: top, top, target: join(top, 'f0.txt') }, probe, folder, abort.signal);
      abort.abort();
      await assert.rejects(making, { name: 'AbortError' });
      assert.ok(!existsSync(folder));
    });
  });
}
