import { VERDICTS } from '../../src/records.ts';
import { MODEL_FAULTS } from './faults.ts';
import type { Soak } from './soak.ts';

/** A soak as its closing table; the last line names the attempts. */
export function soakTable({ claims, kills, broken, seconds, modelFaults, verdicts }: Soak, { seed, attempts }: { readonly seed: number; readonly attempts: number }): string {
  const shown = VERDICTS.filter((verdict) => Object.values(verdicts).some((of) => of[verdict] !== undefined));
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;
  const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => `${row(head)}${row(head.map(() => '---'))}${rows.map(row).join('')}\n`;
  const failed = claims.filter(({ holds }) => !holds);
  const sum = failed.length === 0
    ? `All ${attempts} of ${attempts} attempts have their verdict: none lost, none double, no process left.`
    : `Of ${attempts} attempts not all is well: ${failed.map(({ what, seen }) => `${what} (${seen})`).join('; ')}.`;
  return [
    `Seed ${seed}: ${attempts} attempts, ${kills} kills of the engine (${broken} attempts broken off by them and made again), ${Math.round(seconds)} s.\n\n`,
    table(['what the candidate makes the scorer do', ...shown], Object.entries(verdicts).sort().map(([fault, of]) => [fault, ...shown.map((verdict) => of[verdict] ?? '')])),
    table(['what the model\'s server did instead of answering', 'times'], Object.keys(MODEL_FAULTS).map((fault) => [fault, modelFaults[fault as keyof typeof MODEL_FAULTS]])),
    table(['claim', 'seen', ''], claims.map(({ what, seen, holds }) => [what, seen.replaceAll('|', '\\|').slice(0, MAX_CHARS), holds ? 'holds' : '**FAILS**'])),
    `${sum}\n`,
  ].join('');
}

const MAX_CHARS = 500;
