import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Runtime } from '../wire/runtime.ts';

/** Whether a person confirmed this text for this root before. Remembered per user, never in the workspace. */
export async function isConfirmed(runtime: Runtime, text: string): Promise<boolean> {
  return (await known(runtime)).includes(hash(text));
}

export async function rememberConfirmed(runtime: Runtime, text: string): Promise<void> {
  const draft = `${runtime.confirmed}.${process.pid}`;
  await writeFile(draft, JSON.stringify([...new Set([...(await known(runtime)), hash(text)])]), { mode: 0o600 });
  await rename(draft, runtime.confirmed);
}

async function known(runtime: Runtime): Promise<readonly string[]> {
  try {
    const value: unknown = JSON.parse(await readFile(runtime.confirmed, 'utf8'));
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
