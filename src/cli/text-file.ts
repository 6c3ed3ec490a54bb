import { createReadStream } from 'node:fs';
import { HumanError } from '../errors.ts';
import { decodeUtf8 } from '../engine/text.ts';

/** A text that a person named. Rejects with HumanError where it can't be read, isn't UTF-8 or has more than `mostBytes`. */
export async function readTextFile(path: string, mostBytes = Infinity): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      if (bytes > mostBytes) throw new HumanError('bad-use', `${path} has more than ${mostBytes / 1e6} MB. Name a smaller file.`);
    }
  } catch (error) {
    if (error instanceof HumanError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new HumanError('bad-use', `There is no file ${path}. Check the path.`);
    throw new HumanError('bad-use', code === 'EISDIR' ? `${path} is a folder. Name a file.` : `${path} can't be read (${code ?? 'unknown reason'}). Change its permissions.`);
  }
  const text = decodeUtf8(Buffer.concat(parts));
  if (text === undefined) throw new HumanError('bad-use', `${path} is not a text in UTF-8. Save it in UTF-8 and try again.`);
  return text;
}
