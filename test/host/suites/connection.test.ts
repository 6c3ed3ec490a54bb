import assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { BUILD } from '../../../src/build-id.ts';
import { isActive } from '../../../src/editor/runs.ts';
import type { TestApi } from '../../../src/editor/test-api.ts';
import type { EngineClient } from '../../../src/wire/client.ts';
import { findEngine } from '../../../src/wire/engine.ts';
import { openRuntime } from '../../../src/wire/runtime.ts';
import { ended, eventually, isAlive, levelScorer, newRoot, Person, retire, startRun, testApi, until } from './support.ts';

describe('the connection to an engine', () => {
  let api: TestApi;
  let root: string;

  before(async () => {
    api = await testApi();
  });
  beforeEach(function () {
    root = newRoot(`connection-${this.currentTest?.title.length ?? 0}`, { 'target.py': 'LEVEL = 3\n', 'score.mjs': levelScorer(300) });
  });
  afterEach(() => retire(root));

  const start = (): Promise<string> => startRun(api, root, 'target.py', { scorer: 'score.mjs', proposer: 'literals', attempts: 1000 });
  const terminal = async (): Promise<EngineClient> => {
    const client = await findEngine(await openRuntime(root, process.env, process.platform), BUILD, 'terminal');
    assert.ok(client);
    return client;
  };

  it('is one of many: another client leaves, then this window, and the run goes on', async () => {
    const run = await start();
    const other = await terminal();
    assert.deepEqual((await other.request('ratchet/runs', {})).map(({ active }) => active), [true]);
    other.close();
    await other.closed;
    const { state: before } = await until(api, run, 'the first attempt', ({ state }) => (state?.attempts.length ?? 0) > 1);

    await api.engines.of(root).close();
    await eventually('the window has no connection', () => api.engines.of(root).link === undefined);
    const watcher = await terminal();
    assert.deepEqual((await watcher.request('ratchet/runs', {})).map(({ active }) => active), [true], 'nobody stopped it');
    watcher.close();

    assert.ok(await api.engines.of(root).find(), 'the window attaches again');
    const seen = before?.attempts.length ?? 0;
    await until(api, run, 'more attempts', (view) => isActive(view) && (view.state?.attempts.length ?? 0) > seen);
    await vscode.commands.executeCommand('ratchet.stop', { run });
    const { state, activity } = await ended(api, run);
    assert.equal(state?.end?.reason, 'stopped');
    await until(api, run, 'rest', (view) => view.activity.doing === 'ended');
    assert.ok(activity);
  });

  it('pauses and resumes a run', async () => {
    const run = await start();
    await until(api, run, 'an attempt', ({ activity }) => activity.doing === 'running');
    await vscode.commands.executeCommand('ratchet.pause', { run });
    await until(api, run, 'the pause', ({ activity }) => activity.doing === 'paused');
    assert.match(api.status.text, /\$\(debug-pause\) paused/);
    await vscode.commands.executeCommand('ratchet.resume', { run });
    await until(api, run, 'more', ({ activity }) => activity.doing === 'running');
    await vscode.commands.executeCommand('ratchet.stop', { run });
    await ended(api, run);
  });

  it('tells the engine the unsaved text of a target, and of no other file', async () => {
    const run = await start();
    await until(api, run, 'the plan', ({ state }) => state !== undefined);
    const file = path.join(root, 'target.py');
    const other = path.join(root, 'score.mjs');
    for (const each of [other, file]) {
      const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(each), { preview: false });
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# mine\n'));
    }
    const client = await terminal();
    await eventually('the engine knows of it', () => client.request('ratchet/unsaved', { path: file }));
    assert.equal(await client.request('ratchet/unsaved', { path: other }), false);
    for (const each of [file, other]) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(each), { preview: false });
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await eventually('the engine knows that it is closed', async () => !(await client.request('ratchet/unsaved', { path: file })));
    client.close();
    await vscode.commands.executeCommand('ratchet.stop', { run });
    await ended(api, run);
  });

  it('notices that an engine died; a new one comes back idle', async () => {
    const run = await start();
    await until(api, run, 'an attempt', ({ state }) => (state?.attempts.length ?? 0) > 1);
    const { pid } = (await api.engines.of(root).open()).engine;
    const lost = new Promise<void>((resolve) => api.engines.onDidLose((engine) => engine.root === root && resolve()));
    process.kill(pid, 'SIGKILL');
    await lost;
    await eventually('it is gone', () => !isAlive(pid));
    assert.equal(api.runs.view(run)?.activity.doing, 'ended');
    const link = await api.engines.of(root).open();
    assert.notEqual(link.engine.pid, pid);
    assert.deepEqual((await link.request('ratchet/runs', {})).map(({ active }) => active), [false]);
    // The person has it go on, and sees before what it runs.
    const { state: before } = await until(api, run, 'its end', ({ state }) => state?.end?.reason === 'engine-died');
    const person = new Person(api);
    const resumed = vscode.commands.executeCommand('ratchet.resume', { run });
    const [first] = await person.choose('Resume');
    assert.match(first?.description ?? '', /score\.mjs/);
    assert.equal(await resumed, true);
    person.dispose();
    await until(api, run, 'another attempt', ({ state }) => (state?.attempts.length ?? 0) > (before?.attempts.length ?? 0));
    await vscode.commands.executeCommand('ratchet.stop', { run });
    await ended(api, run);
  });
});
