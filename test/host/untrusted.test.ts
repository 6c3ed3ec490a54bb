/** An untrusted folder: nothing of it is started, and a person is told why (case U05). */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openEditor } from './editor.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

describe('a folder that is not trusted', function () {
  this.timeout(240_000);

  it('starts no process, sends no request and gets no file when a person presses start', async () => {
    const temp = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ratchet-untrusted-')));
    const folder = path.join(temp, 'workspace');
    const runtime = path.join(temp, 'runtime');
    fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
    const server = createServer((_, response) => {
      requests++;
      response.end();
    }).listen(0, '127.0.0.1');
    let requests = 0;
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    fs.writeFileSync(path.join(folder, 'target.py'), 'LEVEL = 3\n');
    fs.writeFileSync(path.join(folder, 'program.md'), '---\nscorer: node -e "require(\'fs\').writeFileSync(\'pwned.txt\',\'\')"\nproposer: openai\nmodel: m\n---\n');
    fs.writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'ratchet.model.baseUrl': `http://127.0.0.1:${port}/v1`, 'ratchet.proposer': 'openai', 'ratchet.model.name': 'm' }));
    const before = fs.readdirSync(folder, { recursive: true }).sort();

    const editor = await openEditor({
      version: 'newest', folder, extensionDevelopmentPath: ROOT,
      settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' },
      env: { RATCHET_RUNTIME_DIR: runtime },
    });
    try {
      await editor.openFile('target.py');
      await editor.command('Ratchet: Autoresearch This File');
      const notice = await editor.waitForNotice('trust');
      assert.match(await notice.innerText(), /needs your trust first/);
      await notice.getByText('Manage Workspace Trust').waitFor();
      await editor.screenshot('untrusted');

      assert.deepEqual(editor.processes().filter(({ command }) => / engine --root /.test(command)), []);
      assert.equal(requests, 0);
      assert.deepEqual(fs.readdirSync(folder, { recursive: true }).sort(), before);
      assert.equal(fs.existsSync(runtime), false, 'no engine was looked for');
    } finally {
      await editor.close();
      server.close();
      fs.rmSync(temp, { recursive: true, force: true });
    }
  });
});
