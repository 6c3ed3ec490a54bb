import type { RunPlan } from '../../records.ts';
import { attemptOf, type RunState } from '../../loop/ledger.ts';
import { seedLiterals, withSeed, type SeedLiteral } from '../../loop/seed-literal.ts';
import { treeOf } from '../code.ts';
import type { Parsers } from '../parsers.ts';

/** A seed that no run of this ledger has had. */
export function freshSeed(state: RunState): number {
  return state.plan.seed + state.nextSeq;
}

/** The seed of the parent's next run in turns with an attempt's candidate: that of the candidate's run in the same pair. */
export function pairedSeed(state: RunState, attempt: number): number {
  const trial = state.known?.trial;
  if (trial === undefined) return freshSeed(state);
  const runs = attemptOf(state, attempt)?.measurements.filter(({ role, outcome }) => role === 'candidate' && outcome === 'scored') ?? [];
  const counted = runs.slice(runs.length - trial.counted.length);
  return counted[trial.parent.length]?.seed ?? freshSeed(state);
}

/** Puts a run's seed into the places of a text where a seed is written. */
export class SeedPlaces {
  /** Set where a text stops working with another seed: it is run as it is from then on. */
  fixed = false;
  private readonly plan: RunPlan;
  private readonly parsers: Parsers;
  private last: { readonly text: string; readonly literals: readonly SeedLiteral[] } | undefined;
  private before: typeof this.last;

  constructor(plan: RunPlan, parsers: Parsers) {
    this.plan = plan;
    this.parsers = parsers;
  }

  seeded(text: string, seed: number): string {
    return this.fixed || seed === this.plan.seed ? text : withSeed(text, this.literalsOf(text), seed);
  }

  canVary(text: string): boolean {
    return !this.fixed && this.literalsOf(text).length > 0;
  }

  /** Parent and candidate are asked for in turns. */
  private literalsOf(text: string): readonly SeedLiteral[] {
    if (this.last?.text === text) return this.last.literals;
    if (this.before?.text === text) return this.before.literals;
    this.before = this.last;
    this.last = { text, literals: seedLiterals(text, treeOf(text, this.plan.target, this.parsers), this.plan.verifier?.seed) };
    return this.last.literals;
  }
}
