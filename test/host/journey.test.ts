import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Lab } from '../cli/lab.ts';
import type { Editor } from './editor.ts';
import { openLab, openTrainLab } from './lab.ts';
import { Person } from './person.ts';

/** One character a byte, so that a difference can be read. */
function bytesOf(file: string): Promise<string> {
  return readFile(file, 'latin1');
}

/** Resolves at the first change of a file after which these are its bytes; it is emptied first when it is written. */
function changedTo(file: string, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(file, { persistent: false }, () => {
      bytesOf(file).then((now) => {
        if (now !== bytes) return;
        watcher.close();
        resolve();
      }, reject);
    });
  });
}

describe('a person improves a train.py', function () {
  this.timeout(200_000);
  // Each step begins where the last one ended.
  this.bail(true);
  let lab: Lab;
  let editor: Editor;
  let person: Person;
  let original: string;

  before(async () => {
    lab = await openTrainLab();
    original = await onDisk();
    editor = await openLab(lab);
    person = new Person(editor);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot('journey-failed');
  });
  after(async () => {
    await editor?.close();
    await lab?.close();
  });

  const onDisk = (): Promise<string> => bytesOf(lab.path('train.py'));
  const shot = (name: string): Promise<string> => editor.screenshot(`journey-${name}`);

  it('right-click, the page says what will happen, one try shows the number', async () => {
    await person.autoresearch('train.py');
    await shot('1-page');
    await person.choose('Try Once');
    await person.page(/2\.65/);
    await shot('2-tried');
    assert.equal(await onDisk(), original);
  });

  it('starts with a proposer that the person chooses, and attempts come in', async () => {
    await person.choose('Who proposes');
    await person.page('Numbers and Choices');
    await shot('3-proposers');
    await person.numbersOnly();
    await shot('4-ready');
    await person.start();
    await person.kept();
    await shot('5-kept');
  });

  it('opens an attempt as one column with the removed line struck through, and from there side by side', async () => {
    await person.openKept();
    await shot('6-inline');
    await person.sideBySide();
    await shot('7-side-by-side');
  });

  it('is stopped by hand, and the file on disk is as it was', async () => {
    await person.stop();
    await shot('8-stopped');
    assert.equal(await onDisk(), original);
  });

  it('accepts the best so far into the open file, unsaved', async () => {
    await person.accept('train.py');
    await shot('9-accepted');
    assert.equal(await onDisk(), original, 'nothing is saved by itself');
  });

  it('takes it back with one undo, to the byte', async () => {
    await person.undo('train.py');
    await shot('10-undone');
    // A save by hand writes also what is clean: that shows what the editor holds.
    const written = changedTo(lab.path('train.py'), original);
    await person.save('train.py');
    await written;
  });
});
