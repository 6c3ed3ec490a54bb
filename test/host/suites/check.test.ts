import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TestApi } from '../../../src/editor/test-api.ts';
import { levelScorer, newRoot, Person, retire, testApi } from './support.ts';

const TARGET = 'LEVEL = 30\nOTHER = 4\n';
const PROGRAM = '---\nscorer: node score.mjs\nproposer: literals\n---\nRaise the level.\n';
const SCORE = `${levelScorer().replace('export default', 'const score =')}console.log('score:', await score('level.py'));\n`;

describe('Check This File', () => {
  let api: TestApi;
  let person: Person;
  let folder: string;

  before(async () => {
    api = await testApi();
    person = new Person(api);
    folder = newRoot('check', { 'level.py': TARGET, 'score.mjs': SCORE, 'program.md': PROGRAM, 'bare/level.py': TARGET });
    fs.mkdirSync(path.join(folder, 'bare', '.ratchet'));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    person.dispose();
    await retire(folder);
    await retire(path.join(folder, 'bare'));
  });
  const check = (name: string): Thenable<unknown> => vscode.commands.executeCommand('ratchet.check', vscode.Uri.file(path.join(folder, name)));

  const shown = (): vscode.TextDocument | undefined => vscode.window.activeTextEditor?.document;

  it('shows the command before it runs, and opens the report as a read-only page', async () => {
    const checking = check('level.py');
    const rows = await person.choose('Check: This Comes Back');
    assert.match(rows[0]?.detail ?? '', /^Runs node score\.mjs in .*check, on the file and on broken copies of it/);
    await checking;
    const document = shown();
    assert.equal(document?.uri.scheme, 'ratchet');
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /^# level\.py: loopable, with warnings\.\n\nMeasured with: node score\.mjs\n/);
    assert.match(document.getText(), /\*\*yes\*\* Repeated often enough: You said/);
    assert.match(document.getText(), /Nothing you measure depends on OTHER \(line 2\)/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('ratchet'), false);
    assert.equal(fs.readFileSync(path.join(folder, 'level.py'), 'utf8'), TARGET);
  });

  it('stands on the start page, which leads to it', async () => {
    const starting = vscode.commands.executeCommand('ratchet.autoresearch', vscode.Uri.file(path.join(folder, 'level.py')));
    const rows = await person.choose('Loopable');
    assert.match(rows.find((row) => row.label.includes('Loopable'))?.description ?? '', /^checked: \d warnings? \(/);
    assert.match(rows.find((row) => row.label.includes('Expected'))?.description ?? '', /^60 attempts in about /);
    await person.leave();
    await starting;
    assert.equal(shown(), undefined);
  });

  it('runs nothing where the person leaves, and says of a file that nothing measures what is missing', async () => {
    const left = check('level.py');
    await person.leave();
    await left;
    assert.equal(shown(), undefined);
    await check('bare/level.py');
    assert.match(shown()?.getText() ?? '', /^# .*level\.py: no, not as it is\.[^]*\*\*no\*\* Verified without a person: No scorer/);
  });
});
