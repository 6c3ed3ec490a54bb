import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyFolder, removeTree } from '../../../src/engine/scratch/tidy.ts';

describe('removing what scorers left', () => {
  let base: string;
  beforeEach(() => { base = mkdtempSync(join(tmpdir(), 'ratchet-tidy-')); });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('removes names that are no UTF-8', async function () {
    if (process.platform !== 'linux') this.skip();
    const latin = Buffer.concat([Buffer.from(`${base}/sub/`), Buffer.from([0x63, 0xe9, 0xff])]);
    mkdirSync(join(base, 'sub'));
    writeFileSync(latin, 'x');
    mkdirSync(Buffer.concat([latin, Buffer.from('d')]));
    await emptyFolder(base);
    assert.deepEqual(readdirSync(base), []);
  });

  it('removes folders deeper than a path can be', async function () {
    const { status } = spawnSync('python3', ['-c', 'import os\nfor i in range(3000):\n    os.mkdir("d" * 20); os.chdir("d" * 20)\nopen("end", "w").close()'], { cwd: base });
    if (status !== 0) this.skip();
    await removeTree(base);
    assert.ok(!existsSync(base));
  });
});
