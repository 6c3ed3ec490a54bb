import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as vscode from 'vscode';

describe('the editor that the tests run in', () => {
  it('is the version that was asked for', () => {
    assert.equal(vscode.version, process.env['RATCHET_TEST_VSCODE_VERSION']);
  });

  it('can start a process and read what it prints', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write(String(6 * 7))'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => { printed += text; });
    await once(child, 'close');
    assert.deepEqual({ code: child.exitCode, printed }, { code: 0, printed: '42' });
  });

  it('has a folder open that files can be written to', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, 'smoke.txt');
    await vscode.workspace.fs.writeFile(file, Buffer.from('written'));
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), 'written');
    await vscode.workspace.fs.delete(file);
  });
});
