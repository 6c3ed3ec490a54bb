import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { SETTINGS } from '../../../src/contributions.ts';
import { findTarget, unsavedText } from '../../../src/editor/start/target.ts';
import type { TestApi } from '../../../src/editor/test-api.ts';
import { attemptOf } from '../../../src/loop/ledger.ts';
import { ended, eventually, levelScorer, newRoot, Person, replyOf, retire, testApi } from './support.ts';

const KEY = 'sk-test-0123456789abcdef';

describe('targets that can\'t be one', () => {
  const folder = (): vscode.Uri => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    return first.uri;
  };

  it('are refused with one sentence that says what to do', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await assert.rejects(findTarget(undefined), /Open the file that should improve/);
    const untitled = await vscode.workspace.openTextDocument({ content: 'x' });
    await assert.rejects(findTarget(untitled.uri), /has no file yet\. Save it/);
    await assert.rejects(findTarget(vscode.Uri.parse('ratchet:/x/1/a.py')), /what a run made of a file\. Open the file itself/);
    await assert.rejects(findTarget(vscode.Uri.parse('vscode-vfs://x/a.py')), /Only a file on disk .* "vscode-vfs"/);
    await assert.rejects(findTarget(vscode.Uri.joinPath(folder(), 'gone.py')), /gone\.py is not there any more/);
  });

  it('are refused where unsaved text is in another encoding', async () => {
    const uri = vscode.Uri.joinPath(folder(), 'latin.txt');
    fs.writeFileSync(uri.fsPath, Buffer.from([0x67, 0xfc, 0x6e]));
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'windows1252' });
    const editor = await vscode.window.showTextDocument(document);
    const target = await findTarget(uri);
    assert.equal(await unsavedText(target), undefined, 'what is saved is the engine\'s to judge');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '!'));
    await assert.rejects(unsavedText(target), /latin\.txt is kept as windows1252\. Only text in UTF-8/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});

describe('what a person sets up once', () => {
  let api: TestApi;
  let person: Person;
  let server: Server;
  let baseUrl: string;
  const asked: IncomingMessage[] = [];

  before(async () => {
    api = await testApi();
    person = new Person(api);
    server = createServer((request, response) => {
      asked.push(request);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    await vscode.workspace.getConfiguration().update(SETTINGS.baseUrl, baseUrl, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    person.dispose();
    await vscode.workspace.getConfiguration().update(SETTINGS.baseUrl, undefined, vscode.ConfigurationTarget.Global);
    server.closeAllConnections();
    server.close();
  });

  /** A model that raises the level from 3 to 4. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text)).on('end', () => {
      const content = replyOf('LEVEL = 3', 'LEVEL = 4');
      if ((JSON.parse(body) as { readonly stream?: boolean }).stream !== true) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id: 'r', object: 'chat.completion', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] }));
        return;
      }
      response.setHeader('content-type', 'text/event-stream');
      response.end(`data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    });
  }

  it('the key of a server: kept in secret storage, sent to that server, written nowhere', async () => {
    const setting = vscode.commands.executeCommand('ratchet.setApiKey');
    await person.type(KEY);
    await setting;

    const root = newRoot('model', { 'target.py': 'LEVEL = 3\n', 'score.mjs': levelScorer(), 'program.md': '---\nscorer: score.mjs\nattempts: 1\n---\nRaise the level.\n' });
    const running = vscode.commands.executeCommand<string | undefined>('ratchet.autoresearch', vscode.Uri.file(path.join(root, 'target.py')));
    await person.choose('Start');
    await person.choose('A Model');
    await person.type('little-model');
    assert.equal(vscode.workspace.getConfiguration().get(SETTINGS.baseUrl), baseUrl);
    const rows = await person.choose('Start');
    assert.equal(rows.find((row) => row.label.includes('Who proposes'))?.description, `model little-model at ${baseUrl}`);
    assert.match(rows.find((row) => row.label.includes('Who proposes'))?.detail ?? '', /with the stored key/);
    const run = await running;
    assert.ok(run);
    const { state } = await ended(api, run);
    assert.ok(state);
    assert.equal(attemptOf(state, 1)?.verdict, 'kept', state.end?.sentence);
    assert.ok(asked.length > 0);
    for (const { headers } of asked) assert.equal(headers.authorization, `Bearer ${KEY}`);
    await retire(root);
    const files = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length > 5, 'the ledger and its texts are there');
    for (const entry of files) assert.ok(!fs.readFileSync(path.join(entry.parentPath, entry.name), 'utf8').includes(KEY), entry.name);

    const removing = vscode.commands.executeCommand('ratchet.setApiKey');
    const box = await person.next();
    assert.ok('prompt' in box);
    assert.match(box.prompt ?? '', /••••cdef is stored/);
    assert.equal(box.value, '');
    box.hide();
    await removing;
  });

  it('a command for the terminal', async () => {
    const shim = path.join(api.terminalFolder, 'ratchet');
    await eventually('the script is there', () => fs.existsSync(shim));
    const printed = execFileSync(shim, ['--help'], { encoding: 'utf8' });
    assert.match(printed, /Improves one file/);
  });
});
