import type { Memento } from 'vscode';
import { readDraft, type Draft } from './draft.ts';

/** What was chosen for a file (absolute path) before, in this workspace. */
export function recall(memory: Memento, path: string): Draft {
  return readDraft(memory.get<unknown>(keyOf(path)));
}

export async function remember(memory: Memento, path: string, draft: Draft): Promise<void> {
  await memory.update(keyOf(path), draft);
}

function keyOf(path: string): string {
  return `ratchet.start:${path}`;
}
