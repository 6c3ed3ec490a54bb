import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HumanError } from '../../src/errors.ts';
import { openRuntime, type Runtime } from '../../src/wire/runtime.ts';

const isPosix = process.platform !== 'win32';
const describeHere = isPosix ? describe : describe.skip;

describeHere('the folder in which an engine is met', () => {
  let home: string;
  beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'rr-'))));
  afterEach(() => rm(home, { recursive: true, force: true }));

  const base = (): string => join(home, 'run');
  const open = (): Promise<Runtime> => openRuntime('/some/root', { RATCHET_RUNTIME_DIR: base() }, process.platform);
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
  const refusal = (error: unknown): boolean => error instanceof HumanError && error.reason === 'no-engine' && /must be a folder of yours .* Remove it, and start again\.$/.test(error.message);

  it('is made for its user alone, whatever the mask', async () => {
    const mask = process.umask(0);
    try {
      const { folder } = await open();
      assert.deepEqual([await modeOf(base()), await modeOf(folder)], [0o700, 0o700]);
    } finally {
      process.umask(mask);
    }
  });

  it('lies in the user\'s state folder, not in the workspace, and its socket has a name that is short enough', async () => {
    const { folder, socket } = await openRuntime('/some/root', { HOME: home }, process.platform);
    assert.ok(folder.startsWith(join(home, '.local', 'state', 'ratchet', 'run')) && Buffer.byteLength(socket) < 100, socket);
    assert.equal(await modeOf(folder), 0o700);
  });

  it('is mended where others could look into it', async () => {
    const { folder } = await open();
    await chmod(base(), 0o755);
    await chmod(folder, 0o750);
    await open();
    assert.deepEqual([await modeOf(base()), await modeOf(folder)], [0o700, 0o700]);
  });

  it('is refused where others could have put something into it', async () => {
    const { folder } = await open();
    for (const [path, mode] of [[base(), 0o777], [base(), 0o1777], [folder, 0o720]] as const) {
      await chmod(path, mode);
      await assert.rejects(open(), refusal);
      assert.equal((await stat(path)).mode & 0o7777, mode, 'and left as it was');
      await chmod(path, 0o700);
    }
  });

  it('is refused where it is a link or a file, and nothing is made where a link leads', async () => {
    const { folder } = await open();
    const elsewhere = join(home, 'elsewhere');
    await mkdir(elsewhere, { mode: 0o755 });
    await rm(folder, { recursive: true });
    await symlink(elsewhere, folder);
    await assert.rejects(open(), refusal);
    assert.equal(await modeOf(elsewhere), 0o755);
    await rm(folder);
    await writeFile(folder, '');
    await assert.rejects(open(), refusal);
    await rm(base(), { recursive: true });
    await symlink(elsewhere, base());
    await assert.rejects(open(), refusal);
    assert.equal(await modeOf(elsewhere), 0o755);
    assert.deepEqual(await readdir(elsewhere), []);
  });

  it('is refused where it is somebody else\'s', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    const { folder } = await open();
    for (const path of [folder, base()]) {
      await chown(path, 12_345, 12_345);
      await assert.rejects(open(), refusal);
      await chown(path, 0, 0);
    }
    await open();
  });
});
