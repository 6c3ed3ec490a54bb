import type { Metric, ProposerSpec, ResourceLimits, RunPlan, ScorerSpec, StopRules, VerifierPlan } from '../records.ts';
import { readBytes } from './bytes.ts';
import { holdoutProblem } from './checks/holdout-choice.ts';
import { besidePlan, type FoundCommands } from './plan-beside.ts';
import type { Choices, Problem } from './options.ts';
import { DEFAULT_CONFIDENCE } from './verifier/care.ts';
import { DEFAULT_REPEATS } from './verifier/design.ts';

/** Facts that the world gave before a plan can be made. */
export interface PlanFacts {
  /** Relative to the root, with `/`. */
  readonly target: string;
  readonly trainPy: boolean;
  /** The scorer as it was found and resolved; absent where there is none. */
  readonly scorer?: { readonly spec: ScorerSpec; readonly cwd: string };
  /** The commands of gates, stages and holdout as they were found, in the order of the choices. */
  readonly beside?: FoundCommands;
  /** Relative to the root. */
  readonly program?: string;
  /** Base URL of the proposer `openai`: of the environment or a machine setting, never of a workspace. */
  readonly baseUrl: string;
  readonly seed: number;
  readonly nowMs: number;
  /** The next moment at which the person's clock shows this time, in milliseconds since 1970. */
  readonly nextClock: (hours: number, minutes: number) => number;
}

export type Planned =
  | { readonly ok: true; readonly plan: RunPlan }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Puts the sources over one another: flag > front matter > setting. */
export function mergeChoices(flags: Choices, frontMatter: Choices, settings: Choices): Choices {
  return { ...settings, ...frontMatter, ...flags };
}

/** Makes the frozen plan, or says everything that is missing or contradicts itself. */
export function makePlan(choices: Choices, facts: PlanFacts): Planned {
  const problems: Problem[] = [];
  const metric = metricOf(choices, facts.trainPy);
  if (metric === undefined)
    problems.push({ key: 'direction', message: `Say which way \`${choices.metric ?? 'score'}\` is better: --direction higher or --direction lower.` });
  const { scorer } = facts;
  if (scorer === undefined)
    problems.push({ key: 'scorer', message: 'No scorer: name the command that prints the score, with --score CMD or `scorer:` in program.md.' });
  const proposer = proposerOf(choices, facts);
  if ('message' in proposer) problems.push(proposer);
  const beside = besidePlan(choices, metric ?? { name: choices.metric ?? 'score', direction: 'higher' }, facts.beside);
  problems.push(...beside.problems, ...holdoutProblems(choices, facts));
  if (metric === undefined || scorer === undefined || 'message' in proposer || problems.length > 0) return { ok: false, problems };

  // `--budget` alone sets the timeout too.
  const timeoutS = choices.timeout ?? choices.budget;
  const plan: RunPlan = {
    target: facts.target,
    scorer: scorer.spec,
    cwd: scorer.cwd,
    metric,
    ...(choices.budget === undefined ? {} : { budgetS: choices.budget }),
    ...(timeoutS === undefined ? {} : { timeoutMs: timeoutS * 1000 }),
    ...resourcesOf(choices),
    stop: stopOf(choices, facts),
    morningMs: facts.nextClock(8, 0),
    proposer,
    seed: facts.seed,
    ...(facts.program === undefined ? {} : { program: facts.program }),
    context: choices.context ?? [],
    protect: choices.protect ?? [],
    trainPy: facts.trainPy,
    ...beside.plan,
    ...(choices.cache === undefined || choices.cache.length === 0 ? {} : { cache: choices.cache }),
    ...(choices.sandbox === undefined ? {} : { sandbox: choices.sandbox }),
    ...(choices.allow === undefined || choices.allow.length === 0 ? {} : { allow: choices.allow }),
    ...(choices.keepAwake === 'off' ? { keepAwake: false as const } : {}),
    verifier: verifierPlan(choices),
  };
  return { ok: true, plan };
}

function holdoutProblems({ holdout, stages = [] }: Choices, { scorer, beside }: PlanFacts): readonly Problem[] {
  if (holdout === undefined || beside?.holdout === undefined) return [];
  // A stage with variables of its own measures something else.
  const told = beside.stages.flatMap((stage, index) => (stages[index]?.env === undefined ? [{ ...stage, key: 'stages' }] : []));
  const message = holdoutProblem(beside.holdout, holdout.files ?? [], [...(scorer === undefined ? [] : [{ ...scorer, key: 'scorer' }]), ...told]);
  return message === undefined ? [] : [{ key: 'holdout', message }];
}

function resourcesOf({ memory = '', processes, cpu, fileSize = '' }: Choices): { readonly resources?: ResourceLimits } {
  const memoryBytes = readBytes(memory);
  const fileBytes = readBytes(fileSize);
  const resources = {
    ...(memoryBytes === undefined ? {} : { memoryBytes }), ...(processes === undefined ? {} : { processes }),
    ...(cpu === undefined ? {} : { cpuS: cpu }), ...(fileBytes === undefined ? {} : { fileBytes }),
  };
  return Object.keys(resources).length === 0 ? {} : { resources };
}

function verifierPlan({ confirm, confidence, maxRepeats, noise, seed }: Choices): VerifierPlan {
  return {
    confirm: confirm ?? 'each',
    confidence: confidence ?? DEFAULT_CONFIDENCE,
    maxRepeats: maxRepeats ?? DEFAULT_REPEATS,
    ...(noise === undefined ? {} : { noise }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** The stop rules that were given; live, so read again when program.md changes. */
export function stopOf(choices: Choices, facts: Pick<PlanFacts, 'nextClock'>): StopRules {
  const [hours, minutes] = (choices.until ?? '').split(':').map(Number);
  return {
    ...(choices.attempts === undefined ? {} : { attempts: choices.attempts }),
    ...(choices.hours === undefined ? {} : { hours: choices.hours }),
    ...(hours === undefined || minutes === undefined ? {} : { untilMs: facts.nextClock(hours, minutes) }),
    ...(choices.target_score === undefined ? {} : { targetScore: choices.target_score }),
    ...(choices.patience === undefined ? {} : { patience: choices.patience }),
    ...(choices.tokens === undefined ? {} : { tokens: choices.tokens }),
  };
}

/** The metric that is meant, or undefined where its direction isn't known. */
export function metricOf(choices: Choices, trainPy: boolean): Metric | undefined {
  const name = choices.metric ?? (trainPy && choices.scorer === undefined ? 'val_bpb' : 'score');
  const direction = choices.direction ?? (name === 'score' ? 'higher' : name === 'val_bpb' ? 'lower' : undefined);
  if (direction === undefined) return undefined;
  return { name, direction, ...(choices.unit === undefined ? {} : { unit: choices.unit }) };
}

function proposerOf(choices: Choices, facts: PlanFacts): ProposerSpec | Problem {
  const named = choices.proposer ?? (choices.model === undefined ? undefined : 'openai');
  if (named === undefined)
    return { key: 'proposer', message: 'Say who proposes the changes: --proposer literals (the numbers in the file, no model), --proposer openai --model NAME, or --proposer replay:DIR.' };
  if (named.startsWith('replay:')) return { kind: 'replay', dir: named.slice('replay:'.length) };
  if (named === 'literals') return { kind: 'literals' };
  if (choices.model === undefined) return { key: 'model', message: 'The proposer `openai` needs a model: --model NAME.' };
  return { kind: 'openai', model: choices.model, baseUrl: facts.baseUrl };
}
