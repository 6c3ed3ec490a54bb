import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terminalShim } from '../../src/editor/terminal-shim.ts';

describe('the command in the integrated terminal', () => {
  it('passes its arguments on as they are, from a folder with any name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'it\'s a "shim" $HOME '));
    try {
      const script = join(folder, 'cli.cjs');
      writeFileSync(script, 'console.log(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE ?? null]));');
      const { name, text } = terminalShim(process.execPath, script, true, 'linux');
      writeFileSync(join(folder, name), text, { mode: 0o755 });
      const got = spawnSync(join(folder, name), ['run', 'a b.py', '--score', 'echo "$x"'], { encoding: 'utf8' });
      assert.deepEqual(JSON.parse(got.stdout), [['run', 'a b.py', '--score', 'echo "$x"'], '1']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is a batch file on Windows', () => {
    const { name, text } = terminalShim('C:\\Code\\Code.exe', 'C:\\ext\\cli.js', true, 'win32');
    assert.equal(name, 'ratchet.cmd');
    assert.match(text, /set ELECTRON_RUN_AS_NODE=1\r\n"C:\\Code\\Code\.exe" "C:\\ext\\cli\.js" %\*/);
  });
});
