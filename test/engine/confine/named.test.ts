import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { type Bench, KINDS, commitAll, systemPython } from '../scratch/support.ts';
import { confinedSlot, useConfinedBench } from './bench.ts';

for (const kind of KINDS) describe(`what a command names, in a confined slot of kind ${kind}`, function () {
  this.timeout(120_000);
  let bench: Bench;
  let probe: ConfinementProbe;
  let top: string;
  let python: string;
  useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });
  beforeEach(function () {
    const found = systemPython();
    if (found === undefined) return this.skip();
    python = found;
    const venv = join(bench.folder, 'envs', 'one');
    execFileSync(python, ['-m', 'venv', '--without-pip', venv], { stdio: 'pipe' });
    bench.tree('', { [`envs/one/lib/${readdirSync(join(venv, 'lib'))[0] ?? ''}/site-packages/only_there.py`]: 'A = 1\n', 'envs/other.txt': 'x', 'keys/token': 'x' });
    top = bench.tree('work/project', {
      'target.txt': 'start', 's.py': 'import only_there\nprint("there")\n', 'w.sh': `#!${venv}/bin/python\nimport only_there\nprint("there")\n`,
      'r.sh': `cat ${bench.folder}/keys/token\nexec ~/envs/one/bin/python s.py\n`, 'package.json': '{"scripts":{"score":"sh r.sh"}}', 'Makefile': 'score:\n\t${HOME}/envs/one/bin/python s.py\n', 'link': { link: '../../envs/one' },
    });
    chmodSync(join(top, 'w.sh'), 0o755);
    bench.tree('work/sibling', { 'secret.txt': 'x' });
    commitAll(top);
  });
  const workspace = (): { root: string; top: string; target: string } => ({ root: top, top, target: join(top, 'target.txt') });

  for (const command of [
    '. ~/envs/one/bin/activate && python s.py', '~/envs/one/bin/python s.py', '"$HOME/envs/one/bin/python" s.py', '${HOME}/envs/one/bin/python s.py', '../../envs/one/bin/python s.py',
    './w.sh', 'sh r.sh', 'link/bin/python s.py', 'cd .. && cd project && ../../envs/one/bin/python s.py', 'make -s score', 'npm run --silent score',
  ])
    it(`is shown with its environment: ${command}`, async function () {
      // Out of a copy no relative path leads to where it led.
      if (kind === 'copy' && command.includes('../..')) return this.skip();
      if (command.startsWith('make') && !readdirSync('/usr/bin').includes('make')) return this.skip();
      const { run } = await confinedSlot(bench, kind, probe, workspace(), { command });
      const { stdout, stderr } = await run(['sh', '-c', command]);
      assert.equal(stdout, 'there\n', stderr);
      // Neither what a script names besides, nor what lies around.
      assert.equal((await run(['sh', '-c', 'cat ~/keys/token ~/envs/other.txt ~/work/sibling/secret.txt'])).stdout, '');
    });

  it('is all of an environment where one of its files is allowed, or it itself', async () => {
    for (const allow of ['~/envs/one/bin/activate', '~/envs/one']) {
      const { run } = await confinedSlot(bench, kind, probe, workspace(), { allow: [allow] });
      const { stdout, stderr } = await run(['sh', '-c', '. ~/envs/one/bin/activate && python s.py; cat ~/envs/other.txt']);
      assert.equal(stdout, 'there\n', stderr);
    }
  });

  it('is never all of the home folder, which may have a bin and a lib', async () => {
    bench.tree('', { 'bin/tool': 'x', 'lib/x': 'x' });
    const { run } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['~/bin/tool'] });
    assert.equal((await run(['sh', '-c', 'cat ~/bin/tool ~/keys/token'])).stdout, 'x');
  });
});
