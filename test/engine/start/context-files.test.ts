import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContextFile } from '../../../src/engine/start/context-files.ts';

describe('a file that the model may read', () => {
  let base: string;
  let root: string;
  before(async () => {
    base = await mkdtemp(join(tmpdir(), 'ratchet-context-'));
    root = join(base, 'w');
    await mkdir(join(root, 'sub'), { recursive: true });
    await writeFile(join(root, 'notes.md'), '\uFEFFRésumé\n');
    await writeFile(join(root, 'latin.md'), 'Résumé\n', 'latin1');
    await writeFile(join(root, 'binary'), 'a\0b');
    await writeFile(join(root, '.env'), 'KEY=1\n');
    await writeFile(join(base, 'out.md'), 'x\n');
    await symlink('../out.md', join(root, 'link.md'));
    await writeFile(join(root, 'large.md'), 'x'.repeat(256 * 1024 + 1));
  });
  after(() => rm(base, { recursive: true }));

  it('comes as it is', async () => assert.deepEqual(await readContextFile(root, 'notes.md'), { ok: true, path: 'notes.md', text: '\uFEFFRésumé\n' }));

  for (const [path, why] of [
    ['gone.md', /is not there/], ['latin.md', /UTF-8/], ['binary', /UTF-8/], ['sub', /is not a file/], ['.env', /may hold secrets/], ['link.md', /outside of this folder/], ['../out.md', /outside of this folder/], ['large.md', /larger than 256 KB/],
  ] as const)
    it(`is not ${path}`, async () => {
      const file = await readContextFile(root, path);
      assert.ok(!file.ok && why.test(file.problem), JSON.stringify(file));
    });
});
