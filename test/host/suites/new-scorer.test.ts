import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TestApi } from '../../../src/editor/test-api.ts';
import { newRoot, Person, retire, testApi } from './support.ts';

const TARGET = 'export function slug(title) {\n  return title.trim().toLowerCase();\n}\n';

describe('New Scoring Script', () => {
  let api: TestApi;
  let person: Person;
  let folder: string;

  before(async () => {
    api = await testApi();
    person = new Person(api);
    folder = newRoot('new-scorer', { 'slug.mjs': TARGET, 'none.mjs': 'console.log(1);\n' });
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  after(async () => {
    person.dispose();
    await retire(folder);
  });
  const start = (name: string): Thenable<unknown> => vscode.commands.executeCommand('ratchet.newScorer', vscode.Uri.file(path.join(folder, name)));
  const files = (): readonly string[] => fs.readdirSync(folder).filter((name) => !name.startsWith('.')).sort();

  it('opens a script that is filled in as text to save, with the cursor where a person edits, and writes nothing', async () => {
    const making = start('slug.mjs');
    const kinds = await person.choose('Speed of a Function');
    assert.equal(kinds.length, 8);
    await person.choose('By Itself');
    await making;
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    assert.equal(editor.document.uri.scheme, 'untitled');
    assert.equal(editor.document.uri.path, path.join(folder, 'bench.mjs'));
    assert.match(editor.document.getText(), /const TARGET = 'slug\.mjs';[^]*const ORIGINAL = '';[^]*const FUNCTION = 'slug';/);
    assert.match(editor.document.lineAt(editor.selection.active.line).text, /^const input = /);
    assert.deepEqual(files(), ['none.mjs', 'slug.mjs']);
  });

  it('writes the copy that was asked for, and never over one', async () => {
    for (const text of [TARGET, 'export const slug = (title) => title;\n']) {
      fs.writeFileSync(path.join(folder, 'slug.mjs'), text);
      const making = start('slug.mjs');
      await person.choose('Speed of a Function');
      await person.choose('Against a Copy of slug.mjs');
      await making;
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /const ORIGINAL = 'slug\.original\.mjs';/);
      assert.equal(fs.readFileSync(path.join(folder, 'slug.original.mjs'), 'utf8'), TARGET);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    assert.deepEqual(files(), ['none.mjs', 'slug.mjs', 'slug.original.mjs']);
  });

  it('asks for the language where there is a choice, and ends where the person leaves', async () => {
    const making = start('slug.mjs');
    await person.choose('Speed of a Command');
    const languages = await person.leave();
    assert.deepEqual(languages.map(({ label }) => label), ['JavaScript', 'Python', 'Shell']);
    await making;
    assert.equal(vscode.window.activeTextEditor, undefined);
  });
});
