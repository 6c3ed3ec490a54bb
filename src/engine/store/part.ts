import { open } from 'node:fs/promises';

/** Some hundred events. */
const PART_BYTES = 64 * 1024;

/** The whole lines at a file's beginning, as many as a part holds; all of a file that is no longer. */
export async function readHead(path: string): Promise<string> {
  const text = await readAt(path, () => 0);
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** The lines at a file's end, as many as a part holds, without one that the part begins in. */
export async function readTail(path: string): Promise<string> {
  let isCut = false;
  const text = await readAt(path, (size) => {
    isCut = size > PART_BYTES;
    return Math.max(0, size - PART_BYTES);
  });
  return isCut ? text.slice(text.indexOf('\n') + 1) : text;
}

async function readAt(path: string, from: (size: number) => number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const part = Buffer.alloc(Math.min(size, PART_BYTES));
    const { bytesRead } = await file.read(part, 0, part.length, from(size));
    return part.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
