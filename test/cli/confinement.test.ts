import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bringBubblewrap } from '../bubblewrap.ts';
import { skipped } from '../runners/install.ts';
import { Lab } from './lab.ts';
import { atTerminal } from './pty.ts';

const SCORER = 'import f, os\nprint("score:", f.A + len(open(os.path.expanduser("~/models/w.txt")).read()))\n';
const FLAGS = ['--proposer', 'literals', '--attempts', '1'];

describe('a scorer that needs more than its confinement gives it', function () {
  this.timeout(120_000);
  let lab: Lab;
  before(async function () {
    const missing = await bringBubblewrap();
    if (missing !== undefined) skipped(this, missing);
  });
  beforeEach(async function () {
    lab = await Lab.open({ 'f.py': 'A = 1\n', 'score.py': SCORER, 'ok.py': 'import f\nprint("score:", f.A)\n' });
    const home = lab.path('../home');
    await mkdir(join(home, 'models'), { recursive: true });
    await writeFile(join(home, 'models', 'w.txt'), 'weights');
    lab.env['HOME'] = home;
    const { stderr } = await lab.ratchet('score', 'f.py', '--score', 'python3 ok.py');
    if (/^Confined +none/m.test(stderr)) skipped(this, /^Confined +(.*)$/m.exec(stderr)?.[1] ?? 'nothing can be confined here');
  });
  afterEach(() => lab.close());

  it('is named what it needs, by `ratchet score` too, and nothing is started', async () => {
    const scored = await lab.ratchet('score', 'f.py', '--score', 'python3 score.py');
    assert.equal(scored.code, 4);
    assert.match(scored.stdout, /Your scorer needs: to read ~\/models\/w\.txt\. Allow that with --allow '~\/models\/w\.txt', or run it with your rights: --sandbox off\./);
    const ran = await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', ...FLAGS);
    assert.equal(ran.code, 2);
    assert.match(ran.stdout, /^No run started\. Your scorer needs: to read ~\/models\/w\.txt\./m);
  });

  it('runs with what a flag allows, or with none of it, and never with less than is required', async () => {
    const run = (...flags: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> => lab.ratchet('run', 'f.py', '--score', 'python3 score.py', ...FLAGS, ...flags);
    const allowed = await run('--allow', '~/models');
    assert.equal(allowed.code, 0);
    assert.match(allowed.stderr, /^Confined +by bubblewrap.*Allowed: to read ~\/models$/m);
    const off = await run('--sandbox', 'off');
    assert.equal(off.code, 0);
    assert.match(off.stderr, /^Confined +none, as you said/m);
    const required = await run('--sandbox', 'required');
    assert.equal(required.code, 4);
    assert.doesNotMatch(required.stdout, /needs/);
  });

  for (const [what, lines, said] of [
    ['a gate', 'gates: ["M=models; test -s ~/$M/w.txt && ls ~/$M/w.txt || cat ~/$M/w.txt"]', /^No run started\. The gate .* needs: to read ~\/models\/w\.txt\. Allow that with --allow/m],
    ['a stage', 'stages:\n  - { scorer: "python3 score.py", threshold: 1 }', /^No run started\. The stage .* needs: to read ~\/models\/w\.txt\./m],
    ['the holdout', 'holdout:\n  scorer: python3 score.py', /^No run started\. The holdout needs: to read ~\/models\/w\.txt\./m],
  ] as const)
    it(`may be ${what} alone, and is named what it needs`, async () => {
      await lab.write('program.md', `---\n${lines}\n---\n`);
      const run = (...flags: readonly string[]): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> => lab.ratchet('run', 'f.py', '--score', 'python3 ok.py', '--yes', ...FLAGS, ...flags);
      const refused = await run();
      assert.match(refused.stdout, said, refused.stderr);
      assert.equal(refused.code, 2);
      assert.ok([0, 3].includes((await run('--allow', '~/models')).code ?? -1));
      await lab.write('program.md', `---\n${lines.replaceAll('models', 'nowhere').replaceAll('score.py', 'gone.py')}\n---\n`);
      const broken = await run();
      assert.match(`${broken.stdout}${broken.stderr}`, /No run started, because|gone\.py/);
      assert.doesNotMatch(broken.stdout, /needs:/);
    });

  it('is asked about once at a terminal, and the answer is remembered for the file', async () => {
    const args = ['run', 'f.py', '--score', 'python3 score.py', ...FLAGS];
    const { code, shown } = await atTerminal(lab, args, { when: 'Allow it', send: 'y\n' });
    assert.equal(code, 0, shown);
    assert.match(shown, /Allow it to read ~\/models\/w\.txt, now and from now on for f\.py/);
    const again = await lab.ratchet(...args);
    assert.equal(again.code, 0);
    assert.match(again.stderr, /Allowed: to read ~\/models\/w\.txt/);
  });

  it('opens nothing by program.md that nobody confirmed', async () => {
    await lab.write('program.md', '---\nsandbox: off\n---\n');
    const refused = await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', ...FLAGS);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /program\.md opens the confinement of the scorer \(no confinement at all\)/);
    await lab.write('program.md', '---\nallow: [~/models]\n---\n');
    assert.match((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', ...FLAGS)).stderr, /opens the confinement of the scorer \(to read ~\/models\)/);
    assert.equal((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', ...FLAGS, '--yes')).code, 0);
  });

  it('is told what the project\'s links open, and offered another project that they lead to', async () => {
    await mkdir(lab.path('../home/other/.git'), { recursive: true });
    await writeFile(lab.path('../home/other/a.txt'), 'x');
    await symlink(lab.path('../home/models'), lab.path('models'));
    const command = ['f.py', '--score', 'cat models/w.txt > /dev/null && python3 ok.py'];
    assert.match((await lab.ratchet('score', ...command)).stdout, /The project's links open to the scorer, to read: ~\/models\./);
    const { events } = await lab.events('run', ...command, ...FLAGS);
    assert.ok(events.some((event) => event.type === 'noted' && event.sentence === 'The project\'s links open to the scorer, to read: ~/models.'));
    await symlink(lab.path('../home/other'), lab.path('other'));
    assert.match((await lab.ratchet('score', 'f.py', '--score', 'cat other/a.txt > /dev/null && python3 ok.py')).stdout, /Your scorer needs: to read ~\/other\. Allow that with --allow '~\/other'/);
  });

  it('is told where the project is the home folder', async () => {
    const score = (): ReturnType<Lab['ratchet']> => lab.ratchet('score', 'f.py', '--score', 'python3 ok.py');
    assert.doesNotMatch((await score()).stderr, /home folder, or holds it/);
    lab.env['HOME'] = lab.path('.');
    assert.match((await score()).stderr, /^Confined .*But the project is your home folder, or holds it: all of it is shown.* run git init there$/m);
  });

  it('shows on the attempt what was kept from it', async () => {
    lab.env['OLDPWD'] = '/';
    await lab.write('score.py', 'import f\nprint("PWD OLDPWD SHLVL")\ntry:\n    open("' + lab.path('../home/models/w.txt') + '")\nexcept OSError as error:\n    print(error)\nprint("score:", f.A)\n');
    const { code, events } = await lab.events('run', 'f.py', '--score', 'python3 score.py', ...FLAGS);
    assert.equal(code, 0);
    assert.match((await lab.ratchet('show', 'last', '1')).stdout, /^Kept from it by the confinement: to read ~\/models\/w\.txt\.$/m);
    assert.match(events.find((event) => event.type === 'scratch-opened')?.confined ?? '', /^by bubblewrap/);
  });
});
