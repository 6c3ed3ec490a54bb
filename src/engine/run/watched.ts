import { isAbsolute, posix, relative } from 'node:path';
import { isWithin } from '../../wire/root.ts';
import { slashes } from '../start/scorer-choice.ts';
import type { RunPlan } from '../../records.ts';

/** What words of a command can name. */
export interface Surroundings {
  /** Absolute. */
  readonly root: string;
  readonly projectModules: ReadonlySet<string>;
}

/** Files, relative to the root, that a candidate has no honest reason to read: the scorer's own, and what a train.py is evaluated by. */
export function watchedFiles({ scorer, cwd, target }: Pick<RunPlan, 'scorer' | 'cwd' | 'target'>, { root, projectModules }: Surroundings): readonly string[] {
  switch (scorer.kind) {
    case 'module':
      return [scorer.file];
    case 'self':
      return [...projectModules].map((name) => posix.join(posix.dirname(target), `${name}.py`)).filter((file) => file !== target);
    case 'argv':
      return filesIn(scorer.argv, { root, cwd, target });
    case 'shell':
      return filesIn(scorer.command.split(/[\s"';&|<>()]+/), { root, cwd, target });
  }
}

/** The same of all commands of a plan, and what is held out. */
export function allWatchedFiles(plan: Pick<RunPlan, 'scorer' | 'cwd' | 'target' | 'gates' | 'stages' | 'holdout'>, around: Surroundings): readonly string[] {
  const { target, gates = [], stages = [], holdout } = plan;
  const beside = [...gates, ...stages].flatMap(({ spec, cwd }) => watchedFiles({ scorer: spec, cwd, target }, around));
  return [...new Set([...watchedFiles(plan, around), ...beside, ...(holdout?.files ?? [])])];
}

/** Endings of files; `python3.11` and `python.exe` are programs. */
const SCRIPT = /\.(?!exe$)[a-z]\w{0,4}$/i;

/** Words of a command that look like files of the project. */
function filesIn(words: readonly string[], { root, cwd, target }: { readonly root: string; readonly cwd: string; readonly target: string }): readonly string[] {
  const files = words.flatMap((word) => {
    // A script that is named alone is run by its whole path, which may hold blanks.
    if (isAbsolute(word)) return isWithin(root, word) && SCRIPT.test(word) ? [slashes(relative(root, word))] : [];
    return /^[\w./-]+$/.test(word) && SCRIPT.test(word) && !word.startsWith('-') ? [posix.normalize(posix.join(cwd, word))] : [];
  });
  return files.filter((file) => !file.startsWith('..') && file !== target);
}
