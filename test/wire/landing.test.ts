import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { landingOf } from '../../src/wire/landing.ts';

describe('where a run\'s text may be written', () => {
  let base: string;
  let root: string;
  before(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-landing-')));
    root = join(base, 'w');
    for (const folder of ['sub', '.git/hooks', '.gitlab']) await mkdir(join(root, folder), { recursive: true });
    for (const file of ['sub/f.py', '.git/hooks/pre-commit', '.gitlab/ci.yml', '../out.py']) await writeFile(join(root, file), '1\n');
    await symlink('sub/f.py', join(root, 'link.py'));
    await symlink('../out.py', join(root, 'out.py'));
    await symlink(root, join(base, 'again'));
  });
  after(() => rm(base, { recursive: true }));

  for (const [target, where] of [['sub/f.py', 'sub/f.py'], ['link.py', 'sub/f.py'], ['.gitlab/ci.yml', '.gitlab/ci.yml']] as const)
    it(`is ${where} for ${target}, also where the root is named by a link`, async () => {
      for (const given of [root, join(base, 'again')]) assert.deepEqual(await landingOf(given, target), { ok: true, path: join(root, where) });
    });

  for (const [target, why] of [['gone.py', /is gone/], ['out.py', /outside/], ['../out.py', /outside/], ['.git/hooks/pre-commit', /in a \.git folder/], ['sub', /no longer a plain file/], ['', /no longer a plain file/]] as const)
    it(`is nowhere for ${JSON.stringify(target)}`, async () => {
      const landing = await landingOf(root, target);
      assert.ok(!landing.ok && why.test(landing.why), JSON.stringify(landing));
    });
});
