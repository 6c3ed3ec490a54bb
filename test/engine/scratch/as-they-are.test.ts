import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HumanError } from '../../../src/errors.ts';
import { createSlot } from '../../../src/engine/scratch/create.ts';
import { assertNoSurvivors, census } from '../../census.ts';
import { type Bench, KINDS, NEVER, commitAll, fingerprint, useBench } from './support.ts';

const GIT_ENV = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

function git(cwd: string, ...args: readonly string[]): string {
  const safe = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'protocol.file.allow=always', ...args];
  return execFileSync('git', safe, { cwd, env: GIT_ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
}

for (const kind of KINDS) {
  describe(`workspaces as they are, in a slot of kind ${kind}`, function () {
    this.timeout(60_000);
    let bench: Bench;
    useBench(kind, (given) => { bench = given; });

    it('answers git rev-parse in a worktree and in submodules, wherever the target lies, and lets nobody at the repositories', async () => {
      const inner = bench.tree('inner', { 'lib.txt': 'lib' });
      commitAll(inner);
      const main = bench.tree('main', { 'target.txt': 'start' });
      commitAll(main);
      git(main, 'submodule', '--quiet', 'add', inner, 'sub');
      git(main, 'commit', '-q', '-m', 'sub');
      const tree = join(bench.folder, 'tree');
      git(main, 'worktree', 'add', '-q', '-b', 'feature', tree);
      git(tree, 'submodule', '--quiet', 'update', '--init');
      const trees = (): readonly string[] => [main, tree, inner].map(fingerprint);
      const before = trees();
      for (const [top, target, branch] of [[tree, 'target.txt', 'feature'], [tree, 'sub/lib.txt', 'feature'], [main, 'sub/lib.txt', 'main']] as const) {
        const probe = await bench.probe(top, kind);
        const slot = await createSlot({ root: top, top, target: join(top, target) }, probe, bench.slotFolder, NEVER);
        await slot.place('candidate');
        const ask = 'git rev-parse HEAD; git rev-parse --short HEAD; git rev-parse --abbrev-ref HEAD; git rev-parse --show-toplevel';
        const { stdout, stderr } = await bench.sh(slot, top, `${ask}; cd sub; ${ask}; cat lib.txt; git update-ref HEAD 0000000000000000000000000000000000000001; rm -rf .git ../.git`);
        const [head = '', inSub = ''] = [git(top, 'rev-parse', 'HEAD'), git(join(top, 'sub'), 'rev-parse', 'HEAD')];
        const subBranch = git(join(top, 'sub'), 'rev-parse', '--abbrev-ref', 'HEAD');
        const expected = [head, head.slice(0, 7), branch, slot.inside(top), inSub, inSub.slice(0, 7), subBranch, slot.inside(join(top, 'sub')), target === 'sub/lib.txt' ? 'candidate' : 'lib'];
        assert.deepEqual(stdout.split('\n'), expected, stderr);
        await slot.dispose();
      }
      assert.deepEqual(trees(), before);
    });

    it('follows links within to the candidate, relative and absolute, and links out to where they lead', async () => {
      const outside = bench.tree('outside', { 'data/a.txt': 'outside' });
      const top = bench.tree('w', {
        'real/target.txt': 'start', 'file': { link: 'real/target.txt' }, 'folder': { link: 'real' }, 'absolute': { link: join(bench.folder, 'w/real') },
        'around': { link: '../w/real/target.txt' }, 'out': { link: '../outside/data' }, 'deep/out': { link: join(bench.folder, 'outside') }, 'nowhere': { link: 'gone' }, 'self': { link: 'self' },
      });
      commitAll(top);
      const trees = (): readonly string[] => [top, outside].map(fingerprint);
      const before = trees();
      const slot = await createSlot({ root: top, top, target: join(top, 'folder/target.txt') }, await bench.probe(top, kind), bench.slotFolder, NEVER);
      await slot.place('candidate ');
      const { stdout, stderr } = await bench.sh(slot, top, 'cat file folder/target.txt absolute/target.txt around out/a.txt deep/out/data/a.txt; for l in nowhere self; do test -L $l && echo $l; done');
      assert.equal(stdout, 'candidate candidate candidate candidate outsideoutsidenowhere\nself\n', stderr);
      await slot.dispose();
      assert.deepEqual(trees(), before);
    });

    it('leaves out what can\'t be read, and what can\'t be named or reached, and says so', async function () {
      if (process.platform !== 'linux') this.skip();
      const top = bench.tree('w', { 'target.txt': 'start', 'closed.txt': 'x', 'shut/in.txt': 'x', 'open.txt': 'open' });
      writeFileSync(Buffer.from(join(top, 'caf\xe9.txt'), 'latin1'), 'x');
      // Deeper than any path can be: made step by step.
      const made = spawnSync('python3', ['-c', 'import os\nfor i in range(30):\n    os.mkdir("d" * 200); os.chdir("d" * 200)\nopen("end", "w").close()'], { cwd: top });
      assert.equal(made.status, 0);
      chmodSync(join(top, 'closed.txt'), 0);
      chmodSync(join(top, 'shut'), 0);
      const slot = bench.keep(await createSlot({ root: top, top, target: join(top, 'target.txt') }, await bench.probe(top, kind), bench.slotFolder, NEVER));
      assert.match(slot.unseen ?? '', /^A scorer is not shown caf\uFFFD\.txt \(their names are not UTF-8\); …d[d/]+ \(their paths are too long to copy\)/);
      const isRoot = process.getuid?.() === 0;
      assert.equal(/closed\.txt \(you can't read them\)/.test(slot.unseen ?? ''), !isRoot, slot.unseen);
      for (const text of ['one', 'two']) {
        await slot.place(text);
        const { stdout, stderr } = await bench.sh(slot, top, 'cat target.txt open.txt; ls');
        assert.equal(stdout, `${text}open${isRoot ? 'closed.txt\n' : ''}open.txt\nshut\ntarget.txt\n`, stderr);
        assert.deepEqual(await slot.changed(), []);
        await bench.sh(slot, top, 'rmdir shut || rm -rf shut');
      }
      chmodSync(join(top, 'shut'), 0o700);
    });

    it('stands a scorer that makes folders deeper than a path can be', async function () {
      const top = bench.tree('w', { 'target.txt': 'start' });
      const slot = bench.keep(await createSlot({ root: top, top, target: join(top, 'target.txt') }, await bench.probe(top, kind), bench.slotFolder, NEVER));
      await slot.place('one');
      const { exitCode } = await bench.run(slot, top, 'python3', '-c', 'import os\nfor i in range(300):\n    os.mkdir("d" * 20); os.chdir("d" * 20)\nopen("end", "w").close()');
      if (exitCode !== 0) this.skip();
      assert.equal((await slot.changed()).length > 0 || kind === 'copy', true);
      await slot.place('two');
      assert.deepEqual(await slot.changed(), []);
      assert.equal((await bench.sh(slot, top, 'ls')).stdout, 'target.txt\n');
    });

    it('says what to do where the target itself lies too deep', async function () {
      if (process.platform !== 'linux') this.skip();
      const top = join(bench.folder, ...Array.from({ length: 19 }, () => 'd'.repeat(205)));
      mkdirSync(top, { recursive: true });
      writeFileSync(join(top, 'target.txt'), 'start');
      const workspace = { root: bench.folder, top: bench.folder, target: join(top, 'target.txt') };
      const probe = await bench.probe(bench.folder, kind);
      const slotFolder = join('/var/tmp', `${'s'.repeat(120)}-${bench.mark}`);
      await assert.rejects(createSlot(workspace, probe, slotFolder, NEVER), (error) => error instanceof HumanError && /set XDG_CACHE_HOME to a folder with a short path/.test(error.message));
      assert.equal(existsSync(slotFolder), false);
    });

    it('ends a daemon that a scorer leaves, as nx and turbo do, and its socket is gone with the run', async () => {
      const top = bench.tree('w', { 'target.txt': 'start', '.gitignore': '.nx\n' });
      commitAll(top);
      const slot = await bench.slot(join(top, 'target.txt'), kind);
      const daemon = `require('net').createServer().listen(process.argv[1], () => require('fs').writeFileSync(process.argv[1] + '.up', ''));`;
      const start = `const { spawn } = require('child_process'); const fs = require('fs'); fs.mkdirSync('.nx/d', { recursive: true });
        spawn(process.execPath, ['-e', ${JSON.stringify(daemon)}, '.nx/d/d.sock'], { detached: true, stdio: 'ignore', env: { ...process.env, DAEMON: '1' } }).unref();
        const wait = () => { if (fs.existsSync('.nx/d/d.sock.up')) console.log('up'); else setTimeout(wait, 20); }; wait();`;
      for (const text of ['one', 'two']) {
        await slot.place(text);
        assert.equal((await bench.sh(slot, top, 'ls -A .nx 2>/dev/null')).stdout, '', 'no socket of a run before');
        const { stdout, survivors } = await bench.run(slot, top, process.execPath, '-e', start);
        assert.equal(stdout, 'up\n');
        assert.deepEqual(survivors, []);
        await assertNoSurvivors([`RATCHET_MARK=${bench.mark}`]);
        assert.deepEqual(census(slot.inside(top)), []);
      }
      assert.equal(existsSync(join(top, '.nx')), false);
    });

    it('keeps other people\'s files theirs for root, and a target in a workspace below the repository\'s root', async () => {
      const repo = bench.tree('repo', { 'apps/one/target.txt': 'start', 'shared/a.txt': 'a' });
      commitAll(repo);
      if (process.getuid?.() === 0) chownSync(join(repo, 'shared/a.txt'), 65534, 65534);
      const slot = bench.keep(await createSlot({ root: join(repo, 'apps/one'), top: repo, target: join(repo, 'apps/one/target.txt') }, await bench.probe(repo, kind), bench.slotFolder, NEVER));
      await slot.place('candidate');
      const { stdout } = await bench.sh(slot, join(repo, 'apps/one'), 'cat target.txt ../../shared/a.txt; stat -c " %u" ../../shared/a.txt; git rev-parse --show-prefix');
      assert.equal(stdout, `candidatea ${process.getuid?.() === 0 ? 65534 : process.getuid?.() ?? ''}\napps/one/\n`);
      assert.equal(readFileSync(join(repo, 'apps/one/target.txt'), 'utf8'), 'start');
    });
  });
}
