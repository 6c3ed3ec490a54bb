import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { bringBubblewrap } from '../bubblewrap.ts';
import { Lab } from '../cli/lab.ts';
import { skipped } from '../runners/install.ts';
import type { Editor } from './editor.ts';
import { openLab } from './lab.ts';
import { Person } from './person.ts';

describe('a scorer that needs more than its confinement gives it, in the editor', function () {
  this.timeout(200_000);
  let lab: Lab;
  let editor: Editor;
  let weights: string;

  before(async function () {
    const missing = await bringBubblewrap();
    if (missing !== undefined) skipped(this, missing);
    lab = await Lab.open({ 'f.py': 'A = 1\n', 'program.md': '---\nscorer: python3 score.py\nproposer: literals\nattempts: 2\n---\n', 'ok.py': 'import f\nprint("score:", f.A)\n' });
    const { stderr } = await lab.ratchet('score', 'f.py', '--score', 'python3 ok.py');
    if (/^Confined +none/m.test(stderr)) skipped(this, /^Confined +(.*)$/m.exec(stderr)?.[1] ?? 'nothing can be confined here');
    weights = lab.path('../weights');
    await mkdir(weights);
    await writeFile(path.join(weights, 'w.txt'), 'weights');
    await writeFile(lab.path('score.py'), `import f\nprint("score:", f.A + len(open(${JSON.stringify(path.join(weights, 'w.txt'))}).read()))\n`);
    editor = await openLab(lab);
  });

  after(async () => {
    await editor?.close();
    await lab?.close();
  });

  it('is one question; what a person allows is on the next start page, and the run is done with it', async () => {
    const { page } = editor;
    const person = new Person(editor);
    /** The page is longer than its list: who types a word sees its rows. */
    const row = async (word: string, says: RegExp): Promise<void> => {
      await page.keyboard.type(word);
      await person.page(says);
      await editor.screenshot(`page-${word}`);
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Backspace');
      await person.page('Better is');
    };
    await person.autoresearch('f.py');
    await row('Confinement', /by bubblewrap/);
    await person.start();
    const notice = page.locator('.notification-toast, .notifications-center').filter({ hasText: 'Your scorer needs: to read' }).first();
    await notice.waitFor();
    await editor.screenshot('confined-question');
    await notice.getByRole('button', { name: 'Allow These' }).click();

    await person.page('Better is');
    await row('Confinement', /allowed: to read/);
    await person.start();
    await person.kept();
    await person.ended();
    assert.deepEqual(Object.keys(JSON.parse(await readFile(path.join((await lab.runtime()).folder, 'allowed.json'), 'utf8')) as object), ['f.py']);
  });
});
