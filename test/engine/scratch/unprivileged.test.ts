import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeTree } from '../../../src/engine/scratch/tidy.ts';
import { assertNoSurvivors } from '../../census.ts';

const NOBODY = 65534;
const SUITES = ['workspaces', 'slot', 'overlay', 'probe', 'as-they-are', 'caches', '../../wire/root', '../confine/confine', '../confine/escapes'].map((name) => join(import.meta.dirname, `${name}.test.ts`));

describe('an unprivileged user', () => {
  it('gets the same slots as root, and is confined as well: all suites pass for nobody', async function () {
    this.timeout(240_000);
    const mocha = join(import.meta.dirname, '../../../node_modules/mocha/bin/mocha.js');
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-nobody-')));
    chownSync(folder, NOBODY, NOBODY);
    const drop = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups', process.execPath];
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin:/usr/sbin:/sbin`, HOME: folder, TMPDIR: folder };
    if (process.getuid?.() !== 0 || spawnSync('setpriv', [...drop, '--version'], { env, cwd: '/' }).status !== 0) {
      await removeTree(folder);
      return this.skip();
    }
    const run = spawnSync('setpriv', [...drop, mocha, '--no-config', '--timeout', '60000', '--reporter', 'json', ...SUITES], { env, cwd: '/', encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 230_000, killSignal: 'SIGKILL' });
    await removeTree(folder);
    await assertNoSurvivors([folder]);
    const { stats, failures } = JSON.parse(run.stdout.slice(run.stdout.indexOf('{'))) as { stats: { passes: number; pending: number }; failures: readonly { fullTitle: string; err: { message: string } }[] };
    assert.deepEqual(failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`), []);
    assert.ok(stats.passes > stats.pending, 'most of them ran');
  });
});
