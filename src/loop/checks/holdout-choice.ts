import type { ScorerSpec } from '../../records.ts';

/** A command as it was found, and what it is in program.md. */
export interface Told {
  readonly key: string;
  readonly spec: ScorerSpec;
  readonly cwd: string;
}

/**
 * Why a holdout is none, in one sentence: its command is one whose output the model is shown (`told`), and no files are its
 * alone. Undefined where it may measure something else.
 */
export function holdoutProblem(holdout: Omit<Told, 'key'>, files: readonly string[], told: readonly Told[]): string | undefined {
  if (files.length > 0) return undefined;
  const same = told.find(({ spec, cwd }) => cwd === holdout.cwd && wordsOf(spec) === wordsOf(holdout.spec));
  if (same === undefined) return undefined;
  return `\`holdout\` runs the same command as \`${same.key}\`, so it measures nothing that the model can't see: name another scorer for it, or the \`files\` that it alone is shown.`;
}

/** The words of a command, whether a shell runs them or not. */
function wordsOf(spec: ScorerSpec): string {
  switch (spec.kind) {
    case 'shell':
      return plain(spec.command.trim().split(/\s+/));
    case 'argv':
      return plain(spec.argv);
    case 'module':
      return `${spec.language} ${plain([spec.file])}`;
    case 'self':
      return plain(spec.python);
  }
}

function plain(words: readonly string[]): string {
  return words.map((word) => word.replace(/^(?:\.\/)+/, '')).join(' ');
}
