import { readFile } from 'node:fs/promises';
import type { BlobId } from '../../records.ts';

/** The file of a root's data that names the texts that were dropped, and when. */
export const DROPPED = 'dropped.tsv';

/** The day on which a text was dropped; undefined where nobody dropped it. `path`: of that file. */
export async function droppedOn(path: string, id: BlobId): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').findLast((line) => line.startsWith(`${id}\t`))?.slice(id.length + 1);
}
