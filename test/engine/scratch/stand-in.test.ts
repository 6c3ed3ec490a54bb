import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { confinedSlot, useConfinedBench } from '../confine/bench.ts';
import { type Bench, KINDS, commitAll, fingerprint, useBench } from './support.ts';

const ENV = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'protocol.file.allow=always', ...args], { cwd, env: ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** A repository with a past: a tag, a packed and a loose part, another branch. */
function withPast(bench: Bench, name: string): string {
  const top = bench.tree(name, { 'target.txt': 'first\n', 'secret/a.txt': 'held\n' });
  commitAll(top);
  git(top, 'tag', '-a', 'v1.0', '-m', 'one');
  git(top, 'branch', 'past');
  git(top, 'gc', '-q');
  writeFileSync(join(top, 'target.txt'), 'second\n');
  git(top, 'commit', '-q', '-a', '-m', 'second');
  return top;
}

/** Every file below a folder, by its path. */
function contents(top: string): readonly (readonly [string, string])[] {
  const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
  return files.map((path) => [path, readFileSync(path, 'latin1')] as const);
}

const ASK = 'git log --format=%s; git describe --tags; git diff --stat past HEAD | tail -1; git show v1.0:target.txt; git status --porcelain';
const ANSWER = /^second\nstart\nv1\.0-1-g[0-9a-f]+\n 1 file changed, 1 insertion\(\+\), 1 deletion\(-\)\nfirst\n M target\.txt\n$/;
/** What no scorer should do, and what it may not reach by it. */
const HARM = 'rm target.txt; git -c user.name=a -c user.email=a@b commit -qam harm; git branch -D past; git tag -d v1.0; git reflog expire --expire=now --all; git gc -q --prune=now --aggressive; git prune; rm -rf .git';

for (const kind of KINDS) describe(`the stand-in for a repository, in a slot of kind ${kind}`, function () {
  this.timeout(60_000);
  let bench: Bench;
  useBench(kind, (given) => { bench = given; });

  it('answers what asks for history, and lets nobody at the repository', async () => {
    const top = withPast(bench, 'w');
    const before = fingerprint(top);
    const content = contents(top);
    const slot = await bench.slot(join(top, 'target.txt'), kind);
    for (let round = 0; round < 2; round++) {
      await slot.place('candidate');
      const { stdout, stderr } = await bench.sh(slot, top, `${ASK}`);
      assert.match(stdout, ANSWER, stderr);
      assert.equal(stderr.replace('ratchet: entered\n', ''), '');
      assert.equal((await bench.sh(slot, top, `${HARM}; ls -A`)).stdout.includes('.git'), false);
    }
    // Out of a copy git renews the time of an object that is written once more.
    if (kind === 'overlay') assert.equal(fingerprint(top), before);
    assert.deepEqual(contents(top), content);
    assert.equal(git(top, 'fsck'), '');
  });
});

for (const kind of KINDS) describe(`the stand-in for a repository, in a confined slot of kind ${kind}`, function () {
  this.timeout(60_000);
  let bench: Bench;
  let probe: ConfinementProbe;
  useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });

  it('answers in the main tree, a worktree, a submodule, a clone that borrows and a shallow one', async () => {
    const main = withPast(bench, 'main');
    const tree = join(bench.folder, 'tree');
    git(main, 'worktree', 'add', '-q', '-b', 'feature', tree);
    const borrowing = join(bench.folder, 'borrowing');
    git(bench.folder, 'clone', '-q', '--shared', main, borrowing);
    git(borrowing, 'branch', 'past', 'origin/past');
    const outer = bench.tree('outer', { 'a.txt': 'x' });
    commitAll(outer);
    git(outer, 'submodule', '--quiet', 'add', main, 'sub');
    git(outer, 'commit', '-q', '-m', 'sub');
    git(join(outer, 'sub'), 'branch', 'past', 'origin/past');
    const shallow = join(bench.folder, 'shallow');
    git(bench.folder, 'clone', '-q', '--depth', '1', `file://${main}`, shallow);
    const trees = (): readonly string[] => [main, tree, borrowing, outer, shallow].map(fingerprint);
    const before = trees();
    for (const top of [main, tree, borrowing, join(outer, 'sub')]) {
      const root = top.startsWith(outer) ? outer : top;
      const { run } = await confinedSlot(bench, kind, probe, { root, top: root, target: join(top, 'target.txt') });
      const { stdout, stderr } = await run(['sh', '-c', `${root === top ? '' : 'cd sub; '}${ASK}; (${HARM}) > harm.log 2>&1`]);
      assert.match(stdout, ANSWER, `${top}: ${stderr}`);
    }
    const { run } = await confinedSlot(bench, kind, probe, { root: shallow, top: shallow, target: join(shallow, 'target.txt') });
    assert.equal((await run(['sh', '-c', 'git log --format=%s'])).stdout, 'second\n');
    const inOuter = await confinedSlot(bench, kind, probe, { root: outer, top: outer, target: join(outer, 'a.txt') });
    assert.equal((await inOuter.run(['sh', '-c', 'git status --porcelain && git log -1 --format=%s'])).stdout, ' M a.txt\nsub\n');
    assert.deepEqual(trees(), before);
  });

  it('has no history where something is held out, for an earlier commit may show it', async () => {
    const top = withPast(bench, 'w');
    const { run } = await confinedSlot(bench, kind, probe, { root: top, top, target: join(top, 'target.txt') }, { heldOut: ['secret'] });
    const { stdout } = await run(['sh', '-c', 'git rev-parse --abbrev-ref HEAD; git ls-files; git show HEAD:secret/a.txt; git cat-file --batch-all-objects --batch-check']);
    assert.equal(stdout, 'main\nsecret/a.txt\ntarget.txt\n');
  });

  it('has no past where nothing was committed, and none of its own where git knows none', async () => {
    const top = bench.tree('w', { 'target.txt': 'x' });
    mkdirSync(join(top, 'sub'));
    git(top, 'init', '-q', '-b', 'main');
    const { run } = await confinedSlot(bench, kind, probe, { root: top, top, target: join(top, 'target.txt') });
    const { stdout, stderr } = await run(['sh', '-c', 'git status --porcelain']);
    assert.equal(stdout, '?? target.txt\n', stderr);
  });
});
