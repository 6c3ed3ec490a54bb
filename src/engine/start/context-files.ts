import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { matcher } from '../../loop/globs.ts';
import { isWithin } from '../../wire/root.ts';
import { decodeUtf8 } from '../text.ts';
import { isNeverSeen } from '../scratch/names.ts';

const MAX_BYTES = 256 * 1024;

/** One read-only file for the model, or why it can't be shown to it. */
export type ContextFile =
  | { readonly ok: true; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/**
 * Reads a file that `context` names, relative to the root. A program.md may come with a project from anywhere: what lies
 * outside of the root, also behind a link, files that hold secrets, and what is held out are not sent to a model.
 */
export async function readContextFile(root: string, path: string, heldOut: readonly string[] = []): Promise<ContextFile> {
  const bad = (why: string): ContextFile => ({ ok: false, path, problem: `\`context\` names ${path}, which ${why}.` });
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real === undefined) return bad('is not there');
  const top = await realpath(root);
  if (!isWithin(top, real)) return bad('lies outside of this folder and is not shown to a model');
  if (relative(top, real).split(sep).some(isNeverSeen)) return bad('may hold secrets and is not shown to a model');
  if ([path, relative(top, real).split(sep).join('/')].some(matcher(heldOut))) return bad('is held out (`holdout`) and is not shown to a model');
  const found = await stat(real);
  if (!found.isFile()) return bad('is not a file');
  if (found.size > MAX_BYTES) return bad('is larger than 256 KB');
  const bytes = await readFile(real).catch(() => undefined);
  const text = bytes === undefined ? undefined : decodeUtf8(bytes);
  return text === undefined || text.includes('\0') ? bad('can\'t be read as a text in UTF-8') : { ok: true, path, text };
}
