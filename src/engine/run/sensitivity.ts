import { blindRegions, touchesOnlyBlind, type Sensitivity } from '../../loop/audit/blind.ts';
import type { Finding } from '../../loop/audit/findings.ts';
import { regionsOf } from '../../loop/regions.ts';
import { treeOf } from '../code.ts';
import type { RunContext } from './context.ts';

/** Where the score reacts to a text, and where it can't, from what was found of the start file's parts so far. */
export class Sensed {
  private readonly context: RunContext;
  private readonly findings: () => readonly Finding[];
  /** Each parent is asked about twice an attempt, and stays the same for many. */
  private last: { readonly text: string; readonly by: readonly Finding[]; readonly found: Sensitivity | undefined } | undefined;

  /** `findings`: the same list until more is known. */
  constructor(context: RunContext, findings: () => readonly Finding[]) {
    this.context = context;
    this.findings = findings;
  }

  /** The parts of a text, found again by name. */
  of(text: string): Sensitivity | undefined {
    const by = this.findings();
    if (by.length === 0) return undefined;
    if (this.last?.text !== text || this.last.by !== by) this.last = { text, by, found: blindRegions(by, regionsOf(text, treeOf(text, this.context.plan.target, this.context.parsers))) };
    return this.last.found;
  }

  /** Whether an edit touches nothing but parts that the score doesn't react to. */
  isBlind(before: string, after: string): boolean {
    const sensitivity = this.of(before);
    return sensitivity !== undefined && touchesOnlyBlind(before, after, sensitivity);
  }
}
