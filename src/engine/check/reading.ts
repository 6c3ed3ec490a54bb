import type { RunPlan } from '../../records.ts';
import { readContextFile } from '../start/context-files.ts';
import type { Prepared } from '../start/prepare.ts';

/** What a model would be told each time: the person's strategy, and how many characters it is with target and context. */
export async function readingOf(prepared: Pick<Prepared, 'readProgram' | 'text'>, plan: Pick<RunPlan, 'context'>, root: string): Promise<{ readonly strategy: string | undefined; readonly readChars: number }> {
  const strategy = (await prepared.readProgram())?.program.strategy;
  const context = await Promise.all(plan.context.map((name) => readContextFile(root, name)));
  return { strategy, readChars: prepared.text.length + (strategy?.length ?? 0) + context.reduce((sum, file) => sum + (file.ok ? file.text.length : 0), 0) };
}
