import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, Lab } from './lab.ts';

/** What a shell or an editor may have left open when it started us: libuv itself closes the first dozen at most. */
const LEFT_OPEN = 50;
const SCORER = `import f, os
def leads(n):
    try: return os.readlink('/proc/self/fd/%d' % n)
    except OSError: return ''
seen = sorted({leads(n) for n in range(3, 300)} - {''})
leading = [each for each in seen if each.startswith('/') and each != '/dev/null' and not each.startswith('/proc/')]
print(leading)
print('score:', f.A + 10 * len(leading))
`;

(process.platform === 'linux' ? describe : describe.skip)('a descriptor that was left open when Ratchet was started', () => {
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open({ 'f.py': 'A = 1\n', 'score.py': SCORER })));
  afterEach(() => lab.close());

  async function leftOpen(...args: readonly string[]): Promise<string> {
    const folder = openSync(join(lab.folder, '..'), 'r');
    const stdio = [...Array.from({ length: LEFT_OPEN }, (_, number) => (number === 1 ? 'pipe' as const : 'ignore' as const)), folder];
    const child = spawn(process.execPath, [CLI, ...args], { cwd: lab.folder, env: lab.env, stdio });
    closeSync(folder);
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    await once(child, 'close');
    return stdout;
  }

  for (const sandbox of ['auto', 'off'])
    it(`leads no scorer anywhere (--sandbox ${sandbox})`, async () => {
      const flags = ['f.py', '--score', 'python3 score.py', '--sandbox', sandbox];
      assert.match(await leftOpen('score', ...flags, '--json'), /"score":1,/);
      await leftOpen('run', ...flags, '--proposer', 'literals', '--attempts', '1');
      assert.match((await lab.ratchet('show', 'last', '1')).stdout, /^\[\]$/m);
      // The engine outlives who started it, and holds nothing of theirs.
      const engine = await lab.engine();
      assert.equal(readlinkSync(`/proc/${engine?.engine.pid ?? 0}/fd/${LEFT_OPEN}`), '/dev/null');
      engine?.close();
    });
});
