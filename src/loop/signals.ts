import { AddedCode } from './signals/added-code.ts';
import { reachesOut } from './signals/effects.ts';
import { ratchetEnvironment } from './signals/environment.ts';
import { exitsEarly } from './signals/exits.ts';
import { literalAnswers } from './signals/literal-answers.ts';
import { rebinds } from './signals/rebinds.ts';
import { printsScore } from './signals/score-line.ts';
import { readsTheScorer } from './signals/scorer-reads.ts';
import { seedHidden } from './signals/seed-hidden.ts';
import { seedOnlyChange } from './signals/seed-only.ts';
import type { EditSides, Signal } from './signals/sides.ts';

export type { EditSides, Signal } from './signals/sides.ts';

/**
 * What an edit shows by itself, before it runs, of a score that would not be earned. A signal refuses nothing: an attempt
 * that looks better is flagged until a person has looked. So each rule is made to leave honest edits alone, and says in its
 * own comment what it doesn't see. Only what the edit added counts.
 */
export function editSignals(sides: EditSides): readonly Signal[] {
  const code = new AddedCode(sides);
  const draws = seedOnlyChange(sides, code);
  return [
    ...(draws.length > 0 ? draws : seedHidden(sides, code)), ...ratchetEnvironment(code), ...printsScore(sides, code), ...literalAnswers(sides, code),
    ...readsTheScorer(sides, code), ...exitsEarly(sides, code), ...reachesOut(sides, code), ...rebinds(sides, code),
  ];
}
