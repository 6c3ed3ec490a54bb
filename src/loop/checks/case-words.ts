import { formatNumber } from '../format.ts';
import { oneLine } from '../one-line.ts';
import type { CaseChange, CaseChanges } from './cases.ts';

const NAME_CHARS = 80;

/** "better: a (40 → 60), b; worse: c": the first few of each, for one line. Empty where nothing moved. */
export function caseWords({ better, worse }: CaseChanges, most: number): string {
  return [listed('better', better, most), listed('worse', worse, most)].filter((part) => part !== '').join('; ');
}

function listed(word: string, changes: readonly CaseChange[], most: number): string {
  if (changes.length === 0) return '';
  const more = changes.length > most ? ` and ${changes.length - most} more` : '';
  return `${word}: ${changes.slice(0, most).map(changeWords).join(', ')}${more}`;
}

/** "parses dates (40 → 60)" */
export function changeWords({ name, from, to }: CaseChange): string {
  return `${oneLine(name, NAME_CHARS)} (${formatNumber(from, 5)} → ${formatNumber(to, 5)})`;
}
