import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { CLI, hashTree, Lab, reply, type Ended } from './lab.ts';
import { inOwnMounts, withoutRights } from './worlds.ts';

const TARGET = 'A = 10\nB = 0.5\n';
const FILES = { 'f.py': TARGET, 'score.py': 'import f\nprint("score:", f.A)\n', 'r/1.md': reply('A = 10', 'A = 20') };
const SCORE = ['--score', 'python3 score.py'];
const REPLAY = ['--proposer', 'replay:r', '--attempts', '1'];
const RUN = ['run', 'f.py', ...SCORE, ...REPLAY];

function says({ code, stdout, stderr }: Ended, exit: number, sentence: RegExp): void {
  assert.match(stderr + stdout, sentence);
  assert.doesNotMatch(stderr, /\n\s+at |fault of ours/, 'no stack trace');
  assert.equal(code, exit, stderr + stdout);
}

describe('bad input', () => {
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open(FILES)));
  afterEach(() => lab.close());

  describe('before a run: one sentence, and nothing is written', () => {
    const cases: readonly (readonly [name: string, args: readonly string[], exit: number, sentence: RegExp, make?: () => unknown])[] = [
      ['a link to nothing', ['run', 'l.py', ...SCORE, ...REPLAY], 2, /l\.py is a link to gone\.py, which is not there/, () => symlink('gone.py', lab.path('l.py'))],
      ['a link to itself', ['run', 'l.py', ...SCORE, ...REPLAY], 2, /leads to itself/, () => symlink('l.py', lab.path('l.py'))],
      ['a pipe', ['run', 'p.py', ...SCORE, ...REPLAY], 2, /not a plain file/, () => spawnSync('mkfifo', [lab.path('p.py')])],
      ['a text in another encoding', ['run', 'x.py', ...SCORE, ...REPLAY], 2, /not in UTF-8/, () => writeFile(lab.path('x.py'), 'x = "é"\n', 'latin1')],
      ['a name that looks like a flag', ['run', '-x.py', ...SCORE], 2, /unknown option '-x\.py'/],
      ['a folder to apply to', ['apply', 'r', '--reply', 'r/1.md'], 2, /r is a folder/],
      ['wrong values in program.md, each with its line', RUN, 2, /program\.md:2: `attempts` must be a number.*\n.*program\.md:3: `direction` must be higher or lower/, () => lab.write('program.md', '---\nattempts: many\ndirection: up\n---\n')],
      ['broken YAML in program.md', RUN, 2, /program\.md:3: The front matter can't be read/, () => lab.write('program.md', '---\nscorer: [a\nx: y\n---\n')],
      ['front matter without an end', RUN, 2, /no closing `---` line/, () => lab.write('program.md', '---\nattempts: 3\n')],
      ['a program.md in UTF-16, which would read as one without options', RUN, 2, /program\.md is not a text in UTF-8/, () => writeFile(lab.path('program.md'), '\uFEFF---\nattempts: 1\n---\n', 'utf16le')],
      ['a program that is a pipe', [...RUN, '--program', 'p.md'], 2, /p\.md can't be read: it is not a plain file/, () => spawnSync('mkfifo', [lab.path('p.md')])],
      ['no attempts at a time', [...RUN, '--parallel', '0'], 2, /one attempt at a time/],
      ['a file where .ratchet must be', RUN, 4, /a file is where a folder must be/, () => lab.write('.ratchet', 'x')],
    ];
    for (const [name, args, exit, sentence, make] of cases)
      it(name, async () => {
        await make?.();
        const before = await hashTree(lab.folder);
        says(await lab.ratchet(...args), exit, sentence);
        assert.equal(await hashTree(lab.folder), before);
      });
  });

  it('passes over a program.md that is a folder or a pipe', async () => {
    spawnSync('mkfifo', [lab.path('f.py.program.md')]);
    await mkdir(lab.path('program.md'));
    says(await lab.ratchet(...RUN), 0, /1 kept of 1/);
  });

  it('says from where a folder is gone', () => {
    const { status, stderr } = spawnSync('sh', ['-c', 'mkdir x && cd x && rmdir ../x && exec "$0" "$1" log', process.execPath, CLI], { cwd: lab.folder, env: lab.env, encoding: 'utf8' });
    says({ code: status, stdout: '', stderr }, 2, /The folder that you are in is gone/);
  });

  it('ends quietly when nobody reads on', () => {
    const { stdout, stderr } = spawnSync('sh', ['-c', '"$0" "$1" run f.py --score "python3 score.py" --proposer literals --attempts 3 --json | head -n 1; "$0" "$1" show > /dev/full; echo $?', process.execPath, CLI], { cwd: lab.folder, env: lab.env, encoding: 'utf8' });
    assert.match(stdout, /^\{"v":1,.*"type":"run-started".*\n4\n$/);
    assert.match(stderr, /^ratchet: what is printed can't be written \(ENOSPC\)\.\n$/);
  });

  it('lets no name of a file pass for a row of the page', async () => {
    const name = 'a\nRun        true\u202E.py';
    await lab.write(name, TARGET);
    const { stderr } = await lab.ratchet('run', name, '--score', 'cat *.py; echo score: 1', ...REPLAY);
    assert.match(stderr, /^Change {5}\S+\/a Run true \.py$/m);
    assert.equal(stderr.match(/^Run /gm)?.length, 1);
  });

  it('works with any name of a file, and any that the disk allows', async () => {
    for (const name of ['-a "b\' $(touch pwned) \\ é\n.py', `${'x'.repeat(251)}.py`]) {
      await lab.write(name, TARGET);
      const begun = await lab.ratchet('run', '--score', 'python3 -c "import os; print(\'score:\', open(os.environ[\'RATCHET_TARGET\']).read().split()[2])"', ...REPLAY, '--', name);
      says(begun, 0, /Take it with: \S+ \S+cli\.js accept/);
      says(await lab.ratchet('accept'), 0, /now holds attempt 1/);
      assert.equal(await lab.read(name), TARGET.replace('10', '20'));
      await rm(lab.path(name));
    }
    assert.deepEqual((await readdir(lab.folder)).sort(), ['.ratchet', 'f.py', 'r', 'score.py']);
  });

  it('says where to type what it offers', async () => {
    await lab.write('other/.git/HEAD', 'ref: refs/heads/main\n');
    await lab.write('other/f.py', TARGET);
    await lab.write('other/score.py', FILES['score.py']);
    await lab.write('other/r/1.md', FILES['r/1.md']);
    const { stdout } = await lab.ratchet('run', 'other/f.py', ...SCORE, ...REPLAY);
    assert.match(stdout, / accept \S+ {3}\(in .*\/other\)\n/);
    const engine = await lab.engine(lab.path('other'));
    if (engine === undefined) return;
    process.kill(engine.engine.pid, 'SIGTERM');
    await engine.closed;
  });

  describe('a disk that is full', () => {
    const full = async (script: string, check: (ended: Ended) => void, skip: () => void): Promise<void> => {
      const ended = inOwnMounts(lab, script);
      if (ended === undefined) return skip();
      assert.doesNotMatch(ended.stderr, /\n\s+at |fault of ours/, 'no stack trace');
      check(ended);
      assert.equal(await lab.read('f.py'), TARGET);
    };
    const START = '"$0" "$1" run f.py --score "python3 score.py" --proposer literals --attempts 2';

    it('at the first word of a run, which leaves no trace of one', function () {
      return full(`mkdir .ratchet; mount -t tmpfs -o size=8k,nr_inodes=4 none .ratchet; ${START}; echo $?; "$0" "$1" log`, ({ stdout, stderr }) => {
        assert.match(stderr, /The disk is full: .*\.ratchet can't be written\. Free some space/);
        assert.match(stderr, /There is no run yet/);
        assert.equal(stdout, '4\n');
      }, () => this.skip());
    });

    for (const [what, variable, inodes] of [['temporary files', 'XDG_CACHE_HOME', 4], ['sockets', 'RATCHET_RUNTIME_DIR', 1]] as const)
      it(`for ${what}`, function () {
        return full(`mkdir -p "$${variable}"; mount -t tmpfs -o size=4k,nr_inodes=${inodes},mode=700 none "$${variable}"; ${START}; echo $?; "$0" "$1" score f.py --score "python3 score.py"; echo $?`, ({ stdout, stderr }) => {
          assert.equal(stderr.match(/The disk is full: .* can't be written\. Free some space and try again\./g)?.length, 2, stderr);
          assert.equal(stdout, '4\n4\n');
        }, () => this.skip());
      });

    it('in the middle of a run, which keeps what was found', function () {
      const script = 'mkdir .ratchet; mount -t tmpfs -o size=1500k none .ratchet; "$0" "$1" run f.py --score "python3 loud.py" --proposer literals --attempts 50 > out; "$0" "$1" show; "$0" "$1" diff; cp f.py was; "$0" "$1" accept; cmp -s f.py was && echo UNCHANGED; cp was f.py';
      return lab.write('loud.py', 'import f, random\nprint(*(random.random() for _ in range(3000)))\nprint("score:", f.A)\n').then(() => full(script, ({ stdout }) => {
        assert.match(stdout, /#1 {2}kept/);
        assert.match(stdout, /Ended: the disk is full\. Free some space/);
        assert.match(stdout, /-A = 10\n\+A = /);
        assert.match(stdout, /now holds attempt/);
        assert.doesNotMatch(stdout, /UNCHANGED/);
      }, () => this.skip()));
    });

    it('in the middle of a run, which goes on when there is room again', function () {
      const script = 'mkdir .ratchet; mount -t tmpfs -o size=500k none .ratchet; "$0" "$1" run f.py --score "python3 loud.py" --proposer literals --attempts 8 --confirm off; mount -o remount,size=20m .ratchet; "$0" "$1" resume';
      return lab.write('loud.py', 'import f, random\nprint(*(random.random() for _ in range(3000)))\nprint("score:", 90 - abs(f.A - 12))\n').then(() => full(script, ({ stdout }) => {
        assert.match(stdout, /Ended: the disk is full\. Free some space[^]*Ended: all 8 attempts are done/);
        const numbers = [...stdout.matchAll(/^ +#(\d+)/gm)].map(([, number]) => Number(number));
        assert.deepEqual(numbers, [...new Set(numbers)], 'one verdict each');
      }, () => this.skip()));
    });
  });

  for (const gone of ['.ratchet', '.']) it(`says how a run ended whose ${gone} was taken away meanwhile`, async () => {
    await lab.write('slow.py', 'import time\nimport f\ntime.sleep(0.2)\nprint("score:", f.A)\n');
    const going = lab.start(['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--attempts', '30']);
    await going.until((stdout) => stdout.includes('#1'));
    // At one stroke: a run goes on writing while a folder is being emptied.
    await rename(lab.path(gone), lab.path('../gone'));
    const { stdout, stderr } = await going.ended;
    assert.match(stdout, /0 kept of|1 kept of/);
    assert.match(stdout, /^Ended/m);
    assert.doesNotMatch(stderr + stdout, /\n\s+at /);
  });

  describe('for a person without rights', () => {
    it('a read-only folder is improved with its data kept elsewhere', async function () {
      const could = await withoutRights(lab, async (ratchet) => {
        await chmod(lab.folder, 0o555);
        says(ratchet(...RUN), 0, /1 kept of 1/);
        says(ratchet('log'), 0, /1 kept of 1/);
        says(ratchet('accept'), 4, /can't be written.*Make it and its folder writable/);
        assert.equal(await lab.read('f.py'), TARGET);
      });
      if (!could) this.skip();
    });

    it('folders and files that can\'t be opened are named', async function () {
      const could = await withoutRights(lab, async (ratchet) => {
        says(ratchet(...RUN), 0, /1 kept of 1/);
        await lab.write('program.md', 'Be quick.\n');
        await chmod(lab.path('program.md'), 0);
        if (process.getuid?.() === 0) spawnSync('chown', ['65534:65534', lab.path('program.md')]);
        says(ratchet(...RUN), 2, /program\.md can't be read \(EACCES\)/);
        await chmod(lab.path('.ratchet/runs'), 0);
        for (const command of ['log', 'show', 'accept']) says(ratchet(command), 4, /The runs in .*\.ratchet\/runs can't be read \(EACCES\)/);
        await chmod(lab.path('.ratchet/runs'), 0o700);
        await chmod(lab.path('.ratchet'), 0);
        says(ratchet('log'), 0, /There is no run yet in .*, they are kept in /);
        await chmod(lab.path('.ratchet'), 0o700);
        await chmod(lab.path('f.py'), 0);
        says(ratchet(...RUN), 2, /f\.py can't be read/);
      });
      if (!could) this.skip();
    });
  });
});

describe('a record that is damaged, altered or foreign', () => {
  let lab: Lab;
  const NEW = '99990101-000000-aaaaaa';
  const ledgerOf = async (): Promise<string> => `.ratchet/runs/${(await readdir(lab.path('.ratchet/runs'))).sort()[0] ?? ''}/ledger.jsonl`;
  before(async () => {
    lab = await Lab.open(FILES);
    says(await lab.ratchet(...RUN), 0, /1 kept of 1/);
  });
  after(() => lab.close());

  const ledgers: readonly (readonly [name: string, text: (whole: string) => string | Buffer, sentence: RegExp])[] = [
    ['of a newer version', (whole) => whole.replaceAll('"v":1', '"v":2'), /written by a newer Ratchet/],
    ['of another run', (whole) => whole, /has no beginning/],
    ['of nothing', () => '', /has no beginning/],
    ['of garbage', () => Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7) % 256)), /has no beginning/],
    ['of other JSON', () => '[]\nnull\n{"v":1,"type":"run-started"}\n', /has no beginning/],
  ];
  for (const [name, text, sentence] of ledgers)
    it(`passes over a last ledger ${name}, and says so`, async () => {
      await mkdir(lab.path(`.ratchet/runs/${NEW}`));
      await writeFile(lab.path(`.ratchet/runs/${NEW}/ledger.jsonl`), text(await lab.read(await ledgerOf())));
      const shown = await lab.ratchet('show');
      assert.match(shown.stderr, /^Passed over: /);
      assert.match(shown.stderr, sentence);
      says(shown, 0, /1 kept of 1/);
      for (const command of ['show', 'diff', 'accept']) {
        const { code, stderr } = await lab.ratchet(command, NEW);
        assert.match(stderr, sentence);
        assert.ok(code === 2 || code === 4);
      }
      assert.equal(await lab.read('f.py'), TARGET);
      await rm(lab.path(`.ratchet/runs/${NEW}`), { recursive: true });
    });

  it('names no run where none was named', async () => says(await lab.ratchet('show', ''), 2, /There is no run ""/));

  it('takes no text that is not the one which was kept', async () => {
    const blobs = lab.path('.ratchet/blobs');
    const texts = new Map(await Promise.all((await readdir(blobs)).map(async (name) => [name, await readFile(`${blobs}/${name}`)] as const)));
    for (const name of texts.keys()) await writeFile(`${blobs}/${name}`, 'import os; os.system("x")\n');
    for (const command of ['diff', 'accept']) says(await lab.ratchet(command), 4, /is not the one that was kept there/);
    for (const name of texts.keys()) await rm(`${blobs}/${name}`);
    for (const command of ['diff', 'accept']) says(await lab.ratchet(command), 4, /is no longer in/);
    assert.equal(await lab.read('f.py'), TARGET);
    for (const [name, bytes] of texts) await writeFile(`${blobs}/${name}`, bytes);
  });

  it('writes into no folder of a tool, no pipe and nothing outside, whatever a ledger names', async () => {
    const path = await ledgerOf();
    const whole = await lab.read(path);
    await lab.write('.git/hooks/post-commit', TARGET);
    await lab.write('sub/.GIT/config', TARGET);
    await lab.write('../outside.py', TARGET);
    await symlink('.git/hooks', lab.path('hooks'));
    await symlink('../outside.py', lab.path('out.py'));
    spawnSync('mkfifo', [lab.path('pipe.py')]);
    for (const [target, sentence] of [
      ['.git/hooks/post-commit', /lies in a \.git folder, so nothing was written/], ['hooks/post-commit', /lies in a \.git folder/], ['sub/.GIT/config', /lies in a \.GIT folder/],
      ['../outside.py', /lies outside of/], ['out.py', /lies outside of/], [path, /lies in a \.ratchet folder/], ['pipe.py', /no longer a plain file/], ['sub', /no longer a plain file/],
    ] as const) {
      await lab.write(path, whole.replaceAll('"target":"f.py"', `"target":${JSON.stringify(target)}`));
      const { code, stderr } = await lab.ratchet('accept');
      assert.match(stderr, sentence);
      assert.ok(code === 2 || code === 4);
    }
    for (const file of ['.git/hooks/post-commit', 'sub/.GIT/config', '../outside.py']) assert.equal(await lab.read(file), TARGET);
    await lab.write(path, whole);
    await rm(lab.path('.git'), { recursive: true });
  });

  it('is accepted where the whole folder was moved', async () => {
    const engine = await lab.engine();
    if (engine !== undefined) {
      process.kill(engine.engine.pid, 'SIGTERM');
      await engine.closed;
    }
    spawnSync('sh', ['-c', 'mkdir moved && cp -R .ratchet f.py moved'], { cwd: lab.folder });
    const accepted = await lab.start(['accept'], lab.path('moved')).ended;
    says(accepted, 0, /now holds attempt 1/);
    assert.equal(await lab.read('moved/f.py'), TARGET.replace('10', '20'));
    const moved = await lab.engine(lab.path('moved'));
    if (moved === undefined) return;
    process.kill(moved.engine.pid, 'SIGTERM');
    await moved.closed;
  });
});
