import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openEditor } from './editor.ts';
import { waitUntilGone } from './processes.ts';
import type { ProcessSeen } from './processes.ts';
import { provision } from './provision.ts';

const LAUNCHER = path.join(import.meta.dirname, 'launcher.ts');

/** An extension with one command, which leaves a detached process behind. */
const MANIFEST = {
  name: 'sample', publisher: 'ratchet-test', version: '0.0.1', engines: { vscode: '^1.104.0' }, main: './main.cjs', activationEvents: [],
  contributes: {
    commands: [{ command: 'sample.pick', title: 'Sample: Pick' }, { command: 'sample.file', title: 'Name This File' }],
    menus: { 'explorer/context': [{ command: 'sample.file' }] },
  },
};
const MAIN = `
const vscode = require('vscode');
const { spawn } = require('node:child_process');
exports.activate = () => {
  vscode.commands.registerCommand('sample.pick', async () => {
    const colour = await vscode.window.showQuickPick(['red', 'green']);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    child.unref();
    void vscode.window.showInformationMessage('Picked ' + colour + ', started ' + child.pid);
  });
  vscode.commands.registerCommand('sample.file', (uri) => { void vscode.window.showInformationMessage('Named ' + uri.path); });
};
`;

/** The living processes below `root`, by their parents. */
function descendants(root: number): ProcessSeen[] {
  const parents = new Map<number, number>();
  for (const name of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const file = `/proc/${name}/stat`;
    const stat = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow).map((pid) => ({ pid, command: '' }));
}

/** Those that still run; a zombie has ended. */
function stillRunning(processes: readonly ProcessSeen[]): ProcessSeen[] {
  return processes.filter(({ pid }) => {
    try {
      return !/^State:\s+[ZX]/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}

describe('the editor for the tests', function () {
  this.timeout(240_000);
  let temp: string;
  let folder: string;

  before(async () => {
    temp = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ratchet-host-test-')));
    folder = path.join(temp, 'workspace');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'poem.txt'), 'first line\n  second line\n');
    const extension = path.join(temp, 'extension');
    fs.mkdirSync(extension);
    fs.writeFileSync(path.join(extension, 'package.json'), JSON.stringify(MANIFEST));
    fs.writeFileSync(path.join(extension, 'main.cjs'), MAIN);
    fs.writeFileSync(path.join(temp, 'waits.cjs'), 'exports.run = async () => { require("node:fs").writeFileSync(process.env.STARTED, ""); await new Promise(() => {}); };\n');
    await provision('newest');
    await provision('oldest');
  });
  after(() => fs.rmSync(temp, { recursive: true, force: true }));

  for (const version of ['newest', 'oldest'] as const) {
    it(`opens as a person uses it, and leaves nothing behind (${version})`, async () => {
      const editor = await openEditor({ version, folder, extensionDevelopmentPath: path.join(temp, 'extension') });
      try {
        await editor.openFile('poem.txt');
        assert.equal(await editor.readEditorText('poem.txt'), 'first line\n  second line\n');
        await editor.command('Sample: Pick');
        await editor.quickPick('green');
        const notice = await (await editor.waitForNotice('Picked green')).innerText();
        const detached = Number(/started (\d+)/.exec(notice)?.[1]);
        assert.ok(editor.processes().some(({ pid }) => pid === detached), 'a detached process belongs to the editor');
        await editor.contextMenu('poem.txt', 'Name This File');
        await editor.waitForNotice(`Named ${folder}/poem.txt`);
        const outlived = await editor.close();
        assert.ok(outlived.some(({ pid }) => pid === detached), 'close tells what it had to end');
        assert.deepEqual(editor.processes(), []);
        assert.equal(fs.existsSync(editor.dataDir), false);
      } finally {
        await editor.close();
      }
    });
  }

  /** Starts a test run that never ends, and gives the launcher once the tests have begun. */
  async function startEndless(name: string): Promise<ChildProcess> {
    const started = path.join(temp, name);
    const begun = new Promise<void>((resolve) => {
      const watcher = fs.watch(temp, () => {
        if (!fs.existsSync(started)) return;
        watcher.close();
        resolve();
      });
    });
    const args = [LAUNCHER, 'newest', `--extensionDevelopmentPath=${path.join(temp, 'extension')}`, `--extensionTestsPath=${path.join(temp, 'waits.cjs')}`, folder];
    const launcher = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'], env: { ...process.env, STARTED: started } });
    await Promise.race([begun, once(launcher, 'exit').then(() => { throw new Error('The launcher ended by itself.'); })]);
    return launcher;
  }

  const endings = {
    'is told to': (launcher: ChildProcess) => { launcher.kill('SIGTERM'); },
    'loses its parent': (launcher: ChildProcess) => { launcher.stdin?.destroy(); },
  };
  for (const [name, end] of Object.entries(endings)) {
    it(`ends a test run with all its processes when the launcher ${name}`, async () => {
      const launcher = await startEndless(name);
      const below = descendants(launcher.pid ?? 0);
      assert.ok(below.length > 5, 'server, extension host and browser run');
      const exited = once(launcher, 'exit');
      end(launcher);
      await exited;
      assert.equal(launcher.exitCode, 1);
      assert.deepEqual(await waitUntilGone(() => stillRunning(below), 5_000), []);
    });
  }
});
