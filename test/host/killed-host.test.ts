import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import * as path from 'node:path';
import { Lab } from '../cli/lab.ts';
import type { Editor } from './editor.ts';
import { openLab } from './lab.ts';
import { Person } from './person.ts';

const PATIENCE_MS = 60_000;

const SCORER = `import { readFileSync } from 'node:fs';
export default async (path) => {
  await new Promise((resolve) => setTimeout(resolve, 200));
  return 50 + Math.min(40, Number(/^LEVEL = (-?[\\d.]+)$/m.exec(readFileSync(path, 'utf8'))[1]));
};
`;

describe('an extension host that is killed in the middle of a run', function () {
  this.timeout(200_000);
  let lab: Lab;
  let editor: Editor;

  before(async () => {
    lab = await Lab.open({
      'f.py': Array.from({ length: 30 }, (_, i) => `N${i} = ${i + 1}.5\n`).join('') + 'LEVEL = 3\n',
      'score.mjs': SCORER,
      'program.md': '---\nscorer: score.mjs\nproposer: literals\nattempts: 400\n---\n',
    });
    editor = await openLab(lab);
  });

  after(async () => {
    await editor?.close();
    await lab?.close();
  });

  /** Verdicts in the ledger of the one run. */
  async function verdicts(): Promise<number> {
    const runs = path.join(lab.folder, '.ratchet', 'runs');
    const [run = ''] = await readdir(runs);
    return (await readFile(path.join(runs, run, 'ledger.jsonl'), 'utf8')).split('\n').filter((line) => line.includes('"type":"judged"')).length;
  }

  it('leaves the run going on; the window that comes back is there again', async () => {
    const person = new Person(editor);
    await editor.openFile('f.py');
    await editor.command('Ratchet: Autoresearch This File');
    await person.page('Better is');
    await person.start();
    await editor.page.getByRole('treeitem').filter({ hasText: '#3' }).first().waitFor({ timeout: PATIENCE_MS });

    const hosts = editor.processes().filter(({ command }) => command.includes('--type=extensionHost'));
    assert.equal(hosts.length, 1);
    for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
    const then = await verdicts();
    for (const until = Date.now() + PATIENCE_MS; (await verdicts()) < then + 5;) {
      assert.ok(Date.now() < until, 'attempts go on without the window');
      await delay(100);
    }

    // It comes back with the view that was open, which is Ratchet's.
    await editor.page.reload({ waitUntil: 'domcontentloaded' });
    await editor.page.getByRole('treeitem').filter({ hasText: '#3' }).first().waitFor({ timeout: PATIENCE_MS });
    await editor.screenshot('killed-host');
    await person.stop();
    assert.equal((await readdir(path.join(lab.folder, '.ratchet', 'runs'))).length, 1, 'it is the same run');
  });
});
