import { allowedWords } from './allow.ts';
import { effectWords } from './judge/reason.ts';
import type { AttemptState, RunState } from './ledger.ts';
import { standingOf, type Standing } from './standing.ts';

/** Why an attempt stands where it stands, in a sentence; empty where nobody said. */
export function reasonWords(attempt: AttemptState, { end }: Pick<RunState, 'end'>): string {
  if (standingOf(attempt, end !== undefined) === 'unsettled') return 'It looks better in one run, and the night ended before it was settled.';
  return attempt.evidence?.reason ?? '';
}

/**
 * What a verdict rests on, a line each, as far as the reason doesn't say it: the gain with its 95 % interval and runs, the
 * chance that luck alone looks as good, and whether the edit lies where the score can react at all.
 */
export function evidenceLines(attempt: AttemptState, { plan, end }: Pick<RunState, 'plan' | 'end'>): readonly string[] {
  const { evidence, blind } = attempt;
  const effect = evidence?.effect;
  const words = effect === undefined ? '' : effectWords(effect, plan.metric);
  return [
    words === '' || evidence?.reason.includes(words) === true ? '' : `Against its parent: ${words}`,
    effect === undefined ? '' : `Chance that luck alone looks as good: ${chance(effect.chance)}`,
    evidence?.note ?? '',
    blind === true ? 'It touches only parts that nothing you measure depends on.' : '',
    blockedWords(attempt),
    PERSON[standingOf(attempt, end !== undefined)] ?? '',
  ].filter((line) => line !== '');
}

/** What the walls around its runs kept them from. */
function blockedWords({ measurements }: AttemptState): string {
  const words = [...new Set(measurements.flatMap(({ blocked = [] }) => blocked))];
  return words.length === 0 ? '' : `Kept from it by the confinement: ${allowedWords(words)}.`;
}

/** What a person has to say of it, or has said. */
const PERSON: Readonly<Partial<Record<Standing, string>>> = {
  waits: 'Only you can decide: keep it by your word, or leave it.',
  unsettled: 'Keep it by your word, or leave it to another run.',
  'kept-by-person': 'You kept it, by your word.',
};

function chance(value: number): string {
  if (value < 1e-5) return 'below 0.001 %';
  return `${Number((100 * value).toPrecision(2))} %`;
}
