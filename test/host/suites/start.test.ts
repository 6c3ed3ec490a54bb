import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TestApi } from '../../../src/editor/test-api.ts';
import { attemptOf, scoreOf } from '../../../src/loop/ledger.ts';
import { ended, eventually, levelScorer, newRoot, Person, replyOf, retire, testApi } from './support.ts';

const TARGET = '// how far\nexport const LEVEL = 3;\n';
const SCORE = `import { pathToFileURL } from 'node:url';
export default async (path) => {
  const { LEVEL } = await import(pathToFileURL(path).href);
  return 100 - Math.abs(LEVEL - 9);
};
`;

describe('Autoresearch This File', () => {
  let api: TestApi;
  let person: Person;
  const roots: string[] = [];
  const root = (name: string, files: Readonly<Record<string, string>>): string => {
    const made = newRoot(name, files);
    roots.push(made);
    return made;
  };
  const start = (file: string): Thenable<string | undefined> => vscode.commands.executeCommand('ratchet.autoresearch', vscode.Uri.file(file));

  before(async () => {
    api = await testApi();
    person = new Person(api);
  });
  after(async () => {
    person.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const made of roots) await retire(made);
  });

  it('asks what is missing, tries once, runs, and puts the best into the file as one edit that can be undone', async () => {
    const folder = root('whole', { 'target.mjs': TARGET, 'score.mjs': SCORE });
    const file = path.join(folder, 'target.mjs');
    const running = start(file);

    // No command and no proposer: Start asks for both, in the page's order.
    const page = await person.choose('Start');
    assert.ok(!page.some((row) => row.label.includes('Expected')), 'nothing is said of a run that is not known');
    assert.match(page.find((row) => row.label.includes('Start'))?.description ?? '', /a command.*who proposes/);
    await person.choose('Type a Command');
    await person.type('score.mjs');
    const proposers = await person.choose('Numbers and Choices');
    assert.match(proposers[0]?.description ?? '', /1 number in this file/);

    await person.choose('Stop');
    await person.choose('After a number of attempts');
    await person.type('12');
    const before = await person.choose('Try Once');
    assert.match(before.find((row) => row.label.includes('Expected'))?.description ?? '', /^told after Try Once/);
    const tried = await person.choose('Start');
    assert.match(tried.find((row) => row.label.includes('Expected'))?.description ?? '', /^12 attempts in about .* without checking\); first one in /);
    assert.match(tried.find((row) => row.label.includes('Try Once'))?.detail ?? '', /score 94 .* took \d/);
    assert.match(tried.find((row) => row.label.includes('Run'))?.detail ?? '', /you named it/);
    assert.match(tried.find((row) => row.label.includes('Your files'))?.description ?? '', /nothing changes until you accept/);
    const run = await running;
    assert.ok(run);

    const { state } = await ended(api, run);
    assert.ok(state);
    assert.ok(state.champion > 0, 'the search over numbers finds a better one');
    assert.ok((scoreOf(attemptOf(state, state.champion)) ?? 0) > 94);
    assert.equal(fs.readFileSync(file, 'utf8'), TARGET, 'the file is as it was');
    await eventually('the status bar shows the best', () => /\$\(check\) best \d/.test(api.status.text));

    await vscode.commands.executeCommand('ratchet.accept', { run });
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.fsPath, file);
    const champion = await api.runs.text(run, attemptOf(state, state.champion)?.candidate ?? '');
    assert.equal(document.getText(), champion);
    assert.ok(document.isDirty, 'accepting saves nothing');
    assert.equal(fs.readFileSync(file, 'utf8'), TARGET);
    await eventually('the ledger says that it was accepted', () => attemptOf(api.runs.view(run)?.state ?? state, state.champion)?.accepted === true);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), TARGET, 'one undo takes it back');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('remembers the choices of a file', async () => {
    const again = start(path.join(roots[0] ?? '', 'target.mjs'));
    const rows = await person.leave();
    assert.equal(await again, undefined);
    assert.match(rows.find((row) => row.label.includes('Run'))?.description ?? '', /score\.mjs/);
    assert.match(rows.find((row) => row.label.includes('Stop'))?.description ?? '', /after 12 attempts/);
    assert.match(rows.find((row) => row.label.includes('Who proposes'))?.description ?? '', /1 number in this file/);
    assert.match(rows.find((row) => row.label.includes('Expected'))?.description ?? '', /^12 attempts in about /, 'the run before tells how long one takes');
  });

  it('asks for the noise of a file that seeds itself, and when a gain is checked', async () => {
    const folder = root('noise', { 'target.mjs': `${TARGET}const lcg = (seed) => (seed * 1664525 + 1013904223) % 2 ** 32;\n`, 'score.mjs': SCORE, 'program.md': '---\nscorer: score.mjs\nproposer: literals\n---\n' });
    const running = start(path.join(folder, 'target.mjs'));
    const asked = await person.choose('Noise');
    assert.match(asked.find((row) => row.label.includes('Noise'))?.detail ?? '', /seeds its own random numbers/);
    await person.type('0.4');
    await person.choose('Checked');
    await person.choose('Together, at the End');
    const rows = await person.leave();
    assert.equal(await running, undefined);
    assert.equal(rows.find((row) => row.label.includes('Noise'))?.description, '±0.4 from seed to seed, as you said');
    assert.match(rows.find((row) => row.label.includes('Checked'))?.description ?? '', /^night: /);
    assert.equal(rows.find((row) => row.label.includes('Save as'))?.description, 'for the terminal and for others too: noise, confirm');
  });

  it('saves the choices as program.md on a click, and takes them from there', async () => {
    const file = path.join(roots[0] ?? '', 'target.mjs');
    const running = start(file);
    await person.choose('Save as program.md');
    const rows = await person.leave();
    assert.equal(await running, undefined);
    assert.equal(fs.readFileSync(path.join(roots[0] ?? '', 'program.md'), 'utf8'), '---\nscorer: score.mjs\nattempts: 12\nproposer: literals\n---\n');
    assert.match(rows.find((row) => row.label.includes('Run'))?.detail ?? '', /program\.md names it/);
    assert.ok(!rows.some((row) => row.label.includes('Save as')), 'nothing is left to save');
    fs.rmSync(path.join(roots[0] ?? '', 'program.md'));
    const afterwards = start(file);
    const without = await person.leave();
    assert.equal(await afterwards, undefined);
    assert.match(without.find((row) => row.label.includes('Run'))?.description ?? '', /no command yet/, 'an edit of program.md counts');
  });

  it('lists the numbers that a try printed where none is the metric', async () => {
    const folder = root('metric', { 'target.mjs': TARGET, 'speed.mjs': 'import { LEVEL } from "./target.mjs";\nconsole.log(`METRIC ms=${20 - LEVEL}`);\n' });
    const running = start(path.join(folder, 'target.mjs'));
    await person.choose('Run');
    await person.choose('Type a Command');
    await person.type('node speed.mjs');
    await person.choose('Try Once');
    const metrics = await person.choose('ms');
    assert.ok(metrics.some((row) => row.label === 'ms' && row.description === 'the try printed 17'));
    await person.choose('Lower is better');
    await person.type('ms');
    const rows = await person.leave();
    assert.match(rows.find((row) => row.label.includes('Better is'))?.description ?? '', /^lower ms$/);
    assert.equal(await running, undefined);
  });

  it('makes a scoring script from a template only on a click, as text to save', async () => {
    const folder = root('template', { 'target.mjs': TARGET });
    const running = start(path.join(folder, 'target.mjs'));
    await person.choose('Run');
    await person.choose('Template');
    await person.choose('Size');
    await person.choose('Python');
    assert.equal(await running, undefined);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'untitled');
    assert.equal(document.uri.path, path.join(folder, 'bench.py'));
    assert.match(document.getText(), /^"""How large is it\?[^]*TARGET = "target\.mjs"/);
    assert.deepEqual(fs.readdirSync(folder).sort(), ['.ratchet', 'target.mjs'], 'nothing is written');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('U01: starts from unsaved text, and a discarded proposal leaves it alone', async () => {
    const disk = 'LEVEL = 3\n';
    const buffer = 'LEVEL = 3\nNOTE = \'mine\'\n';
    const folder = root('unsaved', {
      'target.py': disk,
      'score.mjs': levelScorer(),
      'program.md': '---\nscorer: score.mjs\nproposer: replay:replies\n---\nRaise the level.\n',
      'replies/001.md': replyOf('LEVEL = 3', 'LEVEL = 2'),
    });
    const file = path.join(folder, 'target.py');
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), 'NOTE = \'mine\'\n'));
    assert.equal(document.getText(), buffer);
    const { mtimeMs } = fs.statSync(file);

    const running = vscode.commands.executeCommand<string | undefined>('ratchet.autoresearch');
    const rows = await person.choose('Start');
    assert.match(rows.find((row) => row.label.includes('Change'))?.detail ?? '', /unsaved text/);
    const run = await running;
    assert.ok(run);
    const { state } = await ended(api, run);
    assert.ok(state);
    assert.equal(await api.runs.text(run, state.baseline), buffer, 'the base is the unsaved text');
    assert.equal(attemptOf(state, 1)?.verdict, 'discarded');
    assert.equal(document.getText(), buffer);
    assert.ok(document.isDirty);
    assert.equal(fs.readFileSync(file, 'utf8'), disk);
    assert.equal(fs.statSync(file).mtimeMs, mtimeMs, 'nothing was written while it was dirty');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
