import { posix } from 'node:path';
import type { RunPlan } from '../../records.ts';

/** Files, relative to the root, that a candidate has no honest reason to read: the scorer's own, and what a train.py is evaluated by. */
export function watchedFiles({ scorer, cwd, target }: Pick<RunPlan, 'scorer' | 'cwd' | 'target'>, projectModules: ReadonlySet<string>): readonly string[] {
  switch (scorer.kind) {
    case 'module':
      return [scorer.file];
    case 'self':
      return [...projectModules].map((name) => posix.join(posix.dirname(target), `${name}.py`)).filter((file) => file !== target);
    case 'argv':
      return filesIn(scorer.argv, cwd, target);
    case 'shell':
      return filesIn(scorer.command.split(/[\s"';&|<>()]+/), cwd, target);
  }
}

/** The same of all commands of a plan, and what is held out. */
export function allWatchedFiles(plan: Pick<RunPlan, 'scorer' | 'cwd' | 'target' | 'gates' | 'stages' | 'holdout'>, projectModules: ReadonlySet<string>): readonly string[] {
  const { target, gates = [], stages = [], holdout } = plan;
  const beside = [...gates, ...stages].flatMap(({ spec, cwd }) => watchedFiles({ scorer: spec, cwd, target }, projectModules));
  return [...new Set([...watchedFiles(plan, projectModules), ...beside, ...(holdout?.files ?? [])])];
}

/** Words of a command that look like files of the project. */
function filesIn(words: readonly string[], cwd: string, target: string): readonly string[] {
  const files = words.filter((word) => /^[\w./-]+\.\w{1,5}$/.test(word) && !word.startsWith('/') && !word.startsWith('-'));
  return files.map((word) => posix.normalize(posix.join(cwd, word))).filter((file) => !file.startsWith('..') && file !== target);
}
