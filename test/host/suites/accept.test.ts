import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { accept } from '../../../src/editor/accept.ts';
import type { TestApi } from '../../../src/editor/test-api.ts';
import { ended, levelScorer, newRoot, Person, replyOf, retire, startRun, testApi, until } from './support.ts';

describe('Accept', () => {
  let api: TestApi;
  let person: Person;
  const roots: string[] = [];

  before(async () => {
    api = await testApi();
    person = new Person(api);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  after(async () => {
    person.dispose();
    for (const root of roots) await retire(root);
  });

  /** A run whose only attempt raised the level from 3 to 4. */
  async function improved(name: string, disk: string): Promise<{ readonly run: string; readonly file: string }> {
    const root = newRoot(name, { 'target.txt': disk, 'score.mjs': levelScorer(), 'replies/001.md': replyOf('LEVEL = 3', 'LEVEL = 4') });
    roots.push(root);
    const run = await startRun(api, root, 'target.txt', { scorer: 'score.mjs', proposer: 'replay:replies', attempts: 1 });
    const { state } = await ended(api, run);
    assert.equal(state?.champion, 1, state?.end?.sentence);
    return { run, file: path.join(root, 'target.txt') };
  }

  async function edited(file: string, edit: (builder: vscode.TextEditorEdit) => void): Promise<vscode.TextDocument> {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await editor.edit(edit);
    return editor.document;
  }

  it('merges with unsaved text, and one undo gives exactly that back', async () => {
    const { run, file } = await improved('merge', 'one\ntwo\nLEVEL = 3\nfour\nfive\n');
    const document = await edited(file, (edit) => edit.insert(new vscode.Position(4, 0), 'mine\n'));
    await vscode.commands.executeCommand('ratchet.accept', { run });
    assert.equal(document.getText(), 'one\ntwo\nLEVEL = 4\nfour\nmine\nfive\n');
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2, 'the change is in sight');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\ntwo\nLEVEL = 3\nfour\nmine\nfive\n');
    assert.equal(fs.readFileSync(file, 'utf8'), 'one\ntwo\nLEVEL = 3\nfour\nfive\n', 'nothing is saved');
  });

  it('asks where both changed the same line: markers as one edit, or the file as it is', async () => {
    const { run, file } = await improved('conflict', 'LEVEL = 3\nrest\n');
    const document = await edited(file, (edit) => edit.replace(new vscode.Range(0, 0, 0, 9), 'LEVEL = 30'));

    const left = vscode.commands.executeCommand('ratchet.accept', { run });
    await person.choose('Leave the File');
    await left;
    assert.equal(document.getText(), 'LEVEL = 30\nrest\n');

    const marked = vscode.commands.executeCommand('ratchet.accept', { run });
    await person.choose('Conflict Markers');
    await marked;
    assert.equal(document.getText(), '<<<<<<< your file\nLEVEL = 30\n=======\nLEVEL = 4\n>>>>>>> best so far\nrest\n');
    await until(api, run, 'the acceptance', ({ state }) => state?.attempts[1]?.accepted === true);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'LEVEL = 30\nrest\n');
  });

  it('refuses what is flagged, with the reason', async () => {
    const twice = 'import { readFileSync } from "node:fs";\nconst text = readFileSync(process.env.RATCHET_TARGET, "utf8");\nif (!/LEVEL = \\d/.test(text)) throw new Error("no level");\nconsole.log("score: 3");\nif (text.includes("4")) console.log("score: 99");\n';
    const root = newRoot('flagged', { 'target.txt': 'LEVEL = 3\n', 'twice.mjs': twice, 'replies/001.md': replyOf('LEVEL = 3', 'LEVEL = 4') });
    roots.push(root);
    const run = await startRun(api, root, 'target.txt', { scorer: 'node twice.mjs', proposer: 'replay:replies', attempts: 1 });
    const { state } = await ended(api, run);
    assert.equal(state?.attempts[1]?.verdict, 'flagged', state?.end?.sentence);
    const log = vscode.window.createOutputChannel('Tests of accept', { log: true });
    await assert.rejects(accept({ runs: api.runs, dialogs: api.dialogs, log }, { run, attempt: 1 }), /Attempt 1 is suspicious: It printed 2 values/);
    assert.equal(fs.readFileSync(path.join(root, 'target.txt'), 'utf8'), 'LEVEL = 3\n');
  });

  it('keeps CRLF line ends and the byte-order mark', async () => {
    const disk = '\uFEFFone\r\nLEVEL = 3\r\nthree\r\n';
    const { run, file } = await improved('crlf', disk);
    await vscode.commands.executeCommand('ratchet.accept', { run });
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.fsPath, file, 'a file that wasn\'t open is opened');
    assert.equal(document.getText(), 'one\r\nLEVEL = 4\r\nthree\r\n');
    assert.equal(fs.readFileSync(file, 'utf8'), disk);
    await document.save();
    assert.equal(fs.readFileSync(file, 'utf8'), disk.replace('3', '4'));
  });
});
