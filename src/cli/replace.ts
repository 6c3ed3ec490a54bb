import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, copyFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HumanError } from '../errors.ts';
import { decodeUtf8 } from '../engine/text.ts';

/** A person who saves that often must finish first. */
const TRIES = 5;

/**
 * Replaces a file's text by what `change` makes of it, beside it and then renamed, so that it is always the old text or
 * the new one. A file that changed meanwhile is given to `change` again. Resolves with the text that was written.
 * Rejects with HumanError, and leaves nothing behind, where the file can't be written or isn't a text in UTF-8; and with
 * what `change` throws.
 */
export async function replaceText(path: string, change: (current: string) => string): Promise<string> {
  await refuseReadOnly(path);
  // A name of its own: the file's may be as long as the disk allows.
  const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.ratchet`);
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await readFile(path);
      const text = change(textOf(before, path));
      await writeFile(draft, text);
      const { mode, uid, gid, nlink } = await stat(path);
      const owned = await chown(draft, uid, gid).then(() => true, () => false);
      await chmod(draft, mode);
      if (!before.equals(await readFile(path))) continue;
      // A file with a second name, or of an owner that nobody but it can set, is written itself: a rename would split or take it.
      await (nlink > 1 || !owned ? copyFile(draft, path) : rename(draft, path));
      await rm(draft, { force: true });
      return text;
    }
    throw new HumanError('busy', `${path} keeps changing, so nothing was written. Accept again when it is quiet.`);
  } catch (error) {
    await rm(draft, { force: true });
    throw writeError(error, path);
  }
}

/** A rename would get by what the person said of the file itself. */
async function refuseReadOnly(path: string): Promise<void> {
  const { mode } = await stat(path);
  const denied = await access(path, constants.W_OK).then(() => undefined, (error: NodeJS.ErrnoException) => error.code ?? 'unknown reason');
  // For an administrator nothing is denied, but a file that nobody may write was made so on purpose.
  if (denied !== undefined || (mode & 0o222) === 0) throw readOnly(path, denied ?? 'read-only');
}

function textOf(bytes: Buffer, path: string): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new HumanError('bad-target', `${path} is no longer a text in UTF-8, so nothing was written. Save it in UTF-8 and accept again.`);
  return text;
}

function writeError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof HumanError || code === undefined) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new HumanError('disk-full', `The disk is full, so ${path} was left as it is. Free some space and accept again.`);
  if (code === 'ENOENT') return new HumanError('bad-target', `${path} is gone. Bring it back and accept again.`);
  return readOnly(path, code);
}

function readOnly(path: string, why: string): HumanError {
  return new HumanError('read-only', `${path} can't be written (${why}). Make it and its folder writable and accept again.`);
}
