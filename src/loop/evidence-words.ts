import { effectWords } from './judge/reason.ts';
import type { AttemptState, RunState } from './ledger.ts';

/**
 * What a verdict rests on, a line each, as far as the reason doesn't say it: the gain with its 95 % interval and runs, the
 * chance that luck alone looks as good, and whether the edit lies where the score can react at all.
 */
export function evidenceLines({ evidence, blind, waits }: AttemptState, { plan, end }: Pick<RunState, 'plan' | 'end'>): readonly string[] {
  const effect = evidence?.effect;
  const words = effect === undefined ? '' : effectWords(effect, plan.metric);
  return [
    words === '' || evidence?.reason.includes(words) === true ? '' : `Against its parent: ${words}`,
    effect === undefined ? '' : `Chance that luck alone looks as good: ${chance(effect.chance)}`,
    evidence?.note ?? '',
    blind === true ? 'It touches only parts that nothing you measure depends on.' : '',
    waits === true && (evidence?.how !== 'night' || end !== undefined) ? 'Only you can decide: keep it by your word, or leave it.' : '',
  ].filter((line) => line !== '');
}

function chance(value: number): string {
  if (value < 1e-5) return 'below 0.001 %';
  return `${Number((100 * value).toPrecision(2))} %`;
}
