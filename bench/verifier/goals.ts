import type { Cell } from './cells.ts';

/** What a column must reach, in issue 3's letters; a goal holds for some noises only. */
export interface Goal {
  readonly head: string;
  readonly goal: string;
  readonly digits: number;
  readonly of: (cell: Cell) => number;
  /** Whether the value reaches the goal; undefined where the goal says nothing about this noise. */
  readonly met: (value: number, noise: string) => boolean | undefined;
}

/** Which of the two goals of (b) a player aims at: cheap, or thorough. */
export interface Aim {
  readonly oneSigma: number;
  readonly longCost: number;
}

export const CHEAP: Aim = { oneSigma: 8, longCost: 1.6 };
export const THOROUGH: Aim = { oneSigma: 20, longCost: 2.5 };

export function goalsOf(aim: Aim): readonly Goal[] {
  return [
    { head: '(a) no-ops: any kept, % of runs', goal: '≤ 5', digits: 1, of: (cell) => cell.anyOfNoOps, met: (value) => value <= 5 },
    // The thorough one pays for what it finds; the cost of (a) is a goal of the default.
    { head: '(d) runs an attempt in (a)', goal: aim === CHEAP ? '≤ 1.65; drift ≤ 3.2' : '', digits: 2, of: (cell) => cell.cost, met: (value, noise) => aim === CHEAP && !special(noise) ? value <= (drifts(noise) ? 3.2 : 1.65) : undefined },
    { head: '(c) a 2 σ gain is kept, %', goal: '≥ 80', digits: 1, of: (cell) => cell.twoSigma, met: (value, noise) => special(noise) ? undefined : value >= 80 },
    { head: '(e) losses: any kept, % of runs', goal: '≤ 1', digits: 1, of: (cell) => cell.anyOfLosses, met: (value) => value <= 1 },
    { head: '(b) false share, %', goal: '≤ 5', digits: 1, of: (cell) => cell.falseShare, met: (value) => value <= 5 },
    { head: '(b) 1 σ gains kept, %', goal: `≥ ${aim.oneSigma}`, digits: 1, of: (cell) => cell.oneSigma, met: (value, noise) => special(noise) || drifts(noise) ? undefined : value >= aim.oneSigma },
    { head: '(b) runs an attempt', goal: `≤ ${aim.longCost}`, digits: 2, of: (cell) => cell.longCost, met: (value, noise) => special(noise) || drifts(noise) ? undefined : value <= aim.longCost },
  ];
}

function drifts(noise: string): boolean {
  return noise.startsWith('drifting');
}

/** One draw can't show a gain of its own size, and in steps of 4 σ most gains don't show. That nothing false is kept is the goal there. */
function special(noise: string): boolean {
  return noise.startsWith('seeded inside') || noise === 'rounded (step 4 σ)';
}
