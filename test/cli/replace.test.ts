import assert from 'node:assert/strict';
import { chmodSync, chownSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HumanError } from '../../src/errors.ts';
import { replaceText } from '../../src/cli/replace.ts';

describe('replacing a text in a person\'s file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ratchet-replace-'));
    path = join(folder, 'f.py');
    writeFileSync(path, 'old\n', { mode: 0o640 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const refused = async (reason: string, sentence: RegExp, change: (text: string) => string = () => 'new\n'): Promise<void> => {
    await assert.rejects(replaceText(path, change), (error: unknown) => error instanceof HumanError && error.reason === reason && sentence.test(error.message));
    assert.deepEqual(readdirSync(folder).filter((name) => name !== 'f.py'), [], 'no draft is left');
  };

  it('writes it whole, with the file\'s mode, and leaves nothing else', async () => {
    assert.equal(await replaceText(path, (text) => `${text}new\n`), 'old\nnew\n');
    assert.equal(readFileSync(path, 'utf8'), 'old\nnew\n');
    assert.equal(statSync(path).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(folder), ['f.py']);
  });

  it('leaves its owner, and another name of it, as they are', async () => {
    const other = join(folder, 'other.py');
    linkSync(path, other);
    if (process.getuid?.() === 0) chownSync(path, 1234, 1234);
    const { uid, gid } = statSync(path);
    await replaceText(path, () => 'new\n');
    assert.equal(readFileSync(other, 'utf8'), 'new\n');
    rmSync(other);
    await replaceText(path, () => 'newer\n');
    const after = statSync(path);
    assert.deepEqual([after.uid, after.gid, after.mode & 0o777], [uid, gid, 0o640]);
    assert.deepEqual(readdirSync(folder), ['f.py']);
  });

  it('asks again with what the person saved meanwhile', async () => {
    const seen: string[] = [];
    const text = await replaceText(path, (current) => {
      if (seen.push(current) === 1) writeFileSync(path, 'old\nmine\n');
      return `${current}new\n`;
    });
    assert.deepEqual(seen, ['old\n', 'old\nmine\n']);
    assert.equal(text, 'old\nmine\nnew\n');
    assert.equal(readFileSync(path, 'utf8'), text);
  });

  it('gives up on a file that never rests', () =>
    refused('busy', /keeps changing/, (text) => {
      writeFileSync(path, `${text}x`);
      return 'new\n';
    }));

  it('refuses another encoding and leaves its bytes', async () => {
    const latin = Buffer.from([0x23, 0x20, 0xe9, 0x0a]);
    writeFileSync(path, latin);
    await refused('bad-target', /UTF-8/);
    assert.deepEqual(readFileSync(path), latin);
  });

  it('keeps a byte-order mark', async () => {
    writeFileSync(path, '\uFEFFold\n');
    assert.equal(await replaceText(path, (text) => text.replace('old', 'new')), '\uFEFFnew\n');
  });

  it('refuses a read-only file', async () => {
    chmodSync(path, 0o444);
    await refused('read-only', /can't be written.*Make it and its folder writable/);
    assert.equal(readFileSync(path, 'utf8'), 'old\n');
  });

  it('leaves no draft where the file vanishes', () =>
    refused('bad-target', /is gone/, () => {
      rmSync(path);
      return 'new\n';
    }));
});
