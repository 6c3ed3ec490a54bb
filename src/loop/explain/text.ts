import type { ExplainedKeep, Explanation } from '../explain.ts';
import { formatNumber } from '../format.ts';
import { cleanLine } from '../one-line.ts';
import type { NoiseEstimate, NoiseUnknown } from './noise.ts';
import { TOGETHER } from './stretches.ts';

/** An explanation as a person reads it in a terminal of this width. */
export function explanationText(explanation: Explanation, width: number): string {
  const { metric, direction, by, scored, leftOut, start, keeps } = explanation;
  const how = by === 'keeps' ? `${direction} is better: the kept rows say so` : `${direction} is better`;
  const name = cleanLine(metric, MAX_CHARS);
  return [
    `${scored} scored rows of ${name} (${how}); the start scored ${formatNumber(start.score, 6)} and ${keeps.length} more ${keeps.length === 1 ? 'was' : 'were'} kept.${leftOut === 0 ? '' : ` ${leftOut} more ${leftOut === 1 ? 'row' : 'rows'} can't be read and ${leftOut === 1 ? 'is' : 'are'} left out.`}`,
    noiseText(explanation), '',
    ...(keeps.length === 0 ? [] : [...tableOf(keeps, name, width), '']),
    ...sumOf(explanation), '',
  ].join('\n');
}

function noiseText({ noise, noiseUnknown = 'few' }: Explanation): string {
  if (noise === undefined) return `How much one run varies by itself can't be told: ${UNKNOWN[noiseUnknown]}`;
  const spread = `One run varies by ±${formatNumber(noise.sd, 2)}`;
  switch (noise.source) {
    case 'given':
      return `${spread}: that was given.`;
    case 'repeats':
      return `${spread} (${rangeOf(noise)}), from ${noise.values} runs of unchanged code in this log.`;
    case 'attempts':
      return `${spread} (${rangeOf(noise)}), if most of the ${noise.values} attempts that this is taken from changed little; where many changed a lot, it is less. Score one version several times and pass --noise to be sure.`;
  }
}

function rangeOf({ low, high }: NoiseEstimate): string {
  return `${formatNumber(low, 2)} to ${formatNumber(high, 2)}`;
}

function tableOf(keeps: readonly ExplainedKeep[], metric: string, width: number): readonly string[] {
  const head = ['row', metric, 'gain', '÷ noise', 'chance', 'verdict', 'what would settle it'];
  const lines = keeps.map((keep) => [
    String(keep.row), formatNumber(keep.score, 6), signed(keep.gain), keep.gainInNoise === undefined ? '' : keep.gainInNoise.toFixed(1),
    keep.chance === undefined ? '' : percent(keep.chance), keep.verdict, settleText(keep),
  ]);
  const widths = head.map((word, i) => Math.max(word.length, ...lines.map((cells) => cells[i]?.length ?? 0)));
  return [head, ...lines].map((cells, line) => {
    const row = cells.map((cell, i) => (i < NUMBERS ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  ');
    const room = width - row.length - 2;
    const description = line === 0 ? 'description' : cleanLine(keeps[line - 1]?.description ?? '', Math.max(0, room - 1));
    return (room < LEAST_ROOM ? row : `${row}  ${description}`).trimEnd();
  });
}

function settleText({ verdict, runsToSettle, heldUp, gainInNoise }: ExplainedKeep): string {
  switch (verdict) {
    case 'likely real':
      return heldUp ? 'held up in the attempts after it' : '';
    case 'not better':
      return 'a new start, or less code';
    case 'within noise':
    case "can't be told":
      if (gainInNoise === undefined) return 'several runs of each';
      return runsToSettle === undefined ? 'more than 100 runs of each' : `${runsToSettle} more runs of each`;
  }
}

function sumOf({ keeps, counts, expectedFalse, stretches, total, metric, start }: Explanation): readonly string[] {
  const better = keeps.length - counts['not better'];
  if (better === 0) return ['No row was kept that scored better than what it replaced.'];
  const parts = (['likely real', 'within noise', "can't be told"] as const).filter((verdict) => counts[verdict] > 0).map((verdict) => sentenceOf(verdict, counts[verdict]));
  const luck = `Expected false keeps: about ${expectedFalse < 0.5 ? formatNumber(expectedFalse, 1) : Math.round(expectedFalse)}.`;
  const sum = [`Of ${better} kept, ${parts.join(', ')}. ${luck}`];
  if (counts['not better'] > 0) sum.push(`${counts['not better']} more kept without a better score ${counts['not better'] === 1 ? 'isn\'t' : 'aren\'t'} judged.`);
  for (const { from, to, keeps: count, gain, chance } of stretches)
    if (chance <= TOGETHER) sum.push(`The ${count} kept from row ${from} to row ${to} together gain ${formatNumber(gain, 3)}, which is likely real (chance ${percent(chance)}), though none is by itself.`);
  if (total === undefined) return sum;
  const best = keeps.find(({ row }) => row === total.to);
  const chance = total.chance === undefined ? '' : `; chance that so much is luck: ${percent(total.chance)}`;
  return [...sum, `In all: ${cleanLine(metric, MAX_CHARS)} ${formatNumber(start.score, 6)} → ${formatNumber(best?.score ?? NaN, 6)}, a gain of ${formatNumber(total.gain, 3)}${chance}.`];
}

function sentenceOf(verdict: 'likely real' | 'within noise' | "can't be told", count: number): string {
  return verdict === "can't be told" ? `${count} can't be told` : `${count} ${count === 1 ? 'is' : 'are'} ${verdict}`;
}

function signed(gain: number): string {
  return `${gain > 0 ? '+' : ''}${formatNumber(gain, 3)}`;
}

function percent(chance: number): string {
  return chance < 0.001 ? '<0.1 %' : chance > 0.995 ? '>99 %' : `${formatNumber(100 * chance, chance < 0.1 ? 1 : 2)} %`;
}

const UNKNOWN: Readonly<Record<NoiseUnknown, string>> = {
  few: 'too few attempts of this log started from the same row. Score one version several times and pass the standard deviation as --noise.',
  ties: 'most attempts of this log score the same to the last digit. Pass --noise 0 if the scorer is exact, else the standard deviation of one run.',
  exact: 'unchanged code scored the same to the last digit each time. Pass --noise 0 if nothing in it is random; where it seeds itself, the standard deviation from seed to seed.',
};

const MAX_CHARS = 60;
/** The first columns are numbers. */
const NUMBERS = 5;
const LEAST_ROOM = 16;
