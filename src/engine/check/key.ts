import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RunPlan, ScorerSpec } from '../../records.ts';

/** Raised when a check measures or judges in another way: what was kept before is measured anew then. */
const VERSION = 1;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_WORDS = 50;

/**
 * Names what a check measures: the target's text, the scorer, its folder, and the files that its command line names, as
 * they are now. Whatever else the scorer reads is not part of it.
 */
export async function checkKey(root: string, plan: RunPlan, text: string): Promise<string> {
  const { target, scorer, cwd, metric, budgetS, timeoutMs, seed } = plan;
  const hash = createHash('sha256').update(JSON.stringify([VERSION, target, text, scorer, cwd, metric, budgetS, timeoutMs, seed]));
  for (const path of new Set(wordsOf(scorer).slice(0, MAX_WORDS).map((word) => resolve(root, scorer.kind === 'module' ? '' : cwd, word)))) {
    const found = path === join(root, target) ? undefined : await stat(path).catch(() => undefined);
    if (found?.isFile() === true && found.size <= MAX_FILE_BYTES) hash.update(path).update(await readFile(path).catch(() => ''));
  }
  return hash.digest('hex');
}

/** Words that could name a file, and the manifest by which a package's script is found. */
function wordsOf(scorer: ScorerSpec): readonly string[] {
  switch (scorer.kind) {
    case 'shell':
      return [...scorer.command.split(/[\s"'`=;|&<>()]+/).filter((word) => word !== '' && word.length < 4096), 'package.json'];
    case 'argv':
      return [...scorer.argv.filter((word) => word !== '' && word.length < 4096 && !word.includes('\0')), 'package.json'];
    case 'module':
      return [scorer.file];
    case 'self':
      return [];
  }
}
