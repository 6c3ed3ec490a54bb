import type { Metric, RunPlan } from '../../records.ts';
import { evidenceOf, type Samples } from './evidence.ts';
import { estimateRun } from './estimate.ts';
import { findingsOf, type Finding } from './findings.ts';
import { auditLines } from './lines/audit.ts';
import { prerequisiteLines } from './lines/prerequisites.ts';
import { scorerLines } from './lines/scorer.ts';
import type { Facts } from './lines/facts.ts';
import type { CheckLine, CheckVerdict } from './lines/line.ts';
import type { Audit } from './mutants.ts';
import { referenceOf } from './reference.ts';

export type { CheckLine, CheckVerdict } from './lines/line.ts';

/** Everything that a report is made from. */
export interface ReportInput extends Omit<Facts, 'evidence' | 'reference' | 'findings' | 'estimate' | 'audit'> {
  readonly audit: Audit;
  readonly samples: Samples;
  readonly nowMs: number;
}

/** Is this loopable? Plain data: the terminal and the editor show the same. */
export interface CheckReport {
  /** Relative to the root, with `/`. */
  readonly target: string;
  /** The exact command; absent where there is none. */
  readonly command?: string;
  readonly metric?: Metric;
  readonly verdict: CheckVerdict;
  readonly lines: readonly CheckLine[];
  readonly findings: readonly Finding[];
  /** Why the parts are guessed, in one sentence. */
  readonly guessed?: string;
  /** Runs of the scorer that stand behind it, of this check and earlier ones of the same text and scorer. */
  readonly runs: number;
  /** Of this check alone. */
  readonly spentMs: number;
  readonly budgetMs: number;
  /** Runs that were wanted and not made: a next check goes on with them. */
  readonly left: number;
  /** It was broken off. */
  readonly stopped: boolean;
}

/** Puts the report together. */
export function checkReport(input: ReportInput, run: Pick<CheckReport, 'spentMs' | 'budgetMs' | 'left' | 'stopped' | 'command'>): CheckReport {
  const { plan, audit, samples, nowMs, ...rest } = input;
  const evidence = evidenceOf(samples);
  const reference = referenceOf(evidence.baselines, plan.metric);
  const findings = findingsOf(audit, evidence.mutants, reference);
  const scorerMs = evidence.baselines[0]?.durationMs ?? 0;
  const facts: Facts = { ...rest, plan, audit, evidence, reference, findings, estimate: estimateRun(plan, scorerMs, rest.readChars, nowMs) };
  const lines = [...prerequisiteLines(facts), ...scorerLines(facts), ...auditLines(facts)];
  return {
    target: plan.target, metric: plan.metric, verdict: overall(lines), lines, findings,
    ...(audit.guessed === undefined ? {} : { guessed: audit.guessed }), runs: Object.keys(samples).length, ...run,
  };
}

/** The report on a target that nothing can measure yet. `offers`: scorers that were found, where one is missing. */
export function unreadyReport(plan: Pick<RunPlan, 'target'>, problems: readonly string[], offers: readonly string[] | undefined): CheckReport {
  const found = offers === undefined ? '' : offers.length === 0 ? 'No test, benchmark or script was found beside it either.' : `Found beside it: ${offers.join('; ')}.`;
  const lines: readonly CheckLine[] = [
    { id: 'verification', group: 'prerequisite', title: 'Verified without a person', verdict: 'no', evidence: `${problems.join(' ')} ${found}`.trim() },
  ];
  return { target: plan.target, verdict: 'no', lines, findings: [], runs: 0, spentMs: 0, budgetMs: 0, left: 0, stopped: false };
}

/** The worst of the lines; what was not tried says nothing, but where nothing was. */
function overall(lines: readonly CheckLine[]): CheckVerdict {
  for (const verdict of ['no', 'warning', 'yes'] as const) if (lines.some((line) => line.verdict === verdict)) return verdict;
  return 'not tried';
}
