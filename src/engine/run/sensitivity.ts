import { blindRegions, touchesOnlyBlind, type Sensitivity } from '../../loop/audit/blind.ts';
import type { Finding } from '../../loop/audit/findings.ts';
import { regionsOf } from '../../loop/regions.ts';
import { knownFindings } from '../check/known.ts';
import { protectionOf, treeOf } from '../code.ts';
import type { RunContext } from './context.ts';

/** What the last check of the start file found of its parts: where the score reacts, and where it can't. */
export class Sensed {
  private readonly context: RunContext;
  private readonly findings: readonly Finding[];
  /** Each parent is asked about twice an attempt, and stays the same for many. */
  private last: { readonly text: string; readonly found: Sensitivity | undefined } | undefined;

  private constructor(context: RunContext, findings: readonly Finding[]) {
    this.context = context;
    this.findings = findings;
  }

  /** Runs nothing: what a check before this run found, if there was one. */
  static async open(context: RunContext): Promise<Sensed> {
    const { store, plan, baselineText: text, parsers, projectModules } = context;
    const checked = { store, plan, text, tree: treeOf(text, plan.target, parsers), protectedRanges: protectionOf(text, plan, parsers, projectModules) };
    // A record that can't be read is no reason not to run.
    return new Sensed(context, (await knownFindings(checked).catch(() => undefined)) ?? []);
  }

  /** The parts of a text, found again by name. */
  of(text: string): Sensitivity | undefined {
    if (this.findings.length === 0) return undefined;
    if (this.last?.text !== text) this.last = { text, found: blindRegions(this.findings, regionsOf(text, treeOf(text, this.context.plan.target, this.context.parsers))) };
    return this.last.found;
  }

  /** Whether an edit touches nothing but parts that the score doesn't react to. */
  isBlind(before: string, after: string): boolean {
    const sensitivity = this.of(before);
    return sensitivity !== undefined && touchesOnlyBlind(before, after, sensitivity);
  }
}
