import type { CommandPlan, HoldoutPlan, Metric, RunPlan, ScorerSpec, StagePlan } from '../records.ts';
import { readLimit } from './checks/limits.ts';
import type { Choices, Problem } from './options.ts';
import { defaultMetric } from './score.ts';

/** A command as it was found: what is run, where, and how screens show it. */
export interface FoundCommand {
  readonly spec: ScorerSpec;
  readonly cwd: string;
  readonly display: string;
}

/** The commands of a plan besides its scorer, in the order of the choices. */
export interface FoundCommands {
  readonly gates: readonly FoundCommand[];
  readonly stages: readonly FoundCommand[];
  readonly holdout?: FoundCommand;
  /** What the holdout alone is shown: the files that were named, and those of its own command. */
  readonly heldOut?: readonly string[];
}

/** What a plan has besides its scorer. */
export type BesidePlan = Pick<RunPlan, 'gates' | 'limits' | 'stages' | 'holdout'>;

type StageChoice = NonNullable<Choices['stages']>[number];
type MetricChoice = Pick<StageChoice, 'metric' | 'direction' | 'timeout'>;

/** Makes gates, limits, stages and the holdout of what was chosen and found. `metric` is the scorer's. */
export function besidePlan(choices: Choices, metric: Metric, found: FoundCommands = { gates: [], stages: [] }): { readonly plan: BesidePlan; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const gates = named(found.gates.map((command) => ({ name: command.display, spec: command.spec, cwd: command.cwd })));
  const limits = Object.entries(choices.limits ?? {}).flatMap(([name, text]) => readLimit(name, text) ?? []);
  for (const { metric: name } of limits)
    if (name === metric.name) problems.push({ key: 'limits', message: `\`limits\` names \`${name}\`, which is what the run improves. Limit other values that the scorer prints.` });
  const stages = named(found.stages.flatMap((command, index): readonly StagePlan[] => {
    const choice = choices.stages?.[index];
    return choice === undefined ? [] : [stagePlan(choice, command, metricIn('stages', choice))];
  }));
  const holdout = holdoutPlan();
  return {
    plan: {
      ...(gates.length === 0 ? {} : { gates }), ...(limits.length === 0 ? {} : { limits }),
      ...(stages.length === 0 ? {} : { stages }), ...(holdout === undefined ? {} : { holdout }),
    },
    problems,
  };

  function holdoutPlan(): HoldoutPlan | undefined {
    const { holdout: choice } = choices;
    if (choice === undefined || found.holdout === undefined) return undefined;
    const { spec, cwd, display } = found.holdout;
    return { name: display, spec, cwd, ...timed(choice), metric: metricIn('holdout', choice), files: found.heldOut ?? choice.files ?? [] };
  }

  function metricIn(key: 'stages' | 'holdout', choice: MetricChoice): Metric {
    const name = choice.metric ?? metric.name;
    if (name === metric.name && (choice.direction ?? metric.direction) === metric.direction) return metric;
    const way = choice.direction ?? defaultMetric(name)?.direction;
    if (way === undefined) problems.push({ key, message: `Say which way \`${name}\` is better: \`direction: higher\` or \`direction: lower\`, beside the \`metric\` in \`${key}\`.` });
    return { name, direction: way ?? 'higher' };
  }
}

function stagePlan({ threshold, name, env, when, ...choice }: StageChoice, { spec, cwd, display }: FoundCommand, metric: Metric): StagePlan {
  const variables = Object.entries(env ?? {}).map(([key, value]) => `${key}=${value} `).join('');
  return {
    name: name ?? `${variables}${display}`, spec, cwd, ...timed(choice), metric, when: when ?? 'first',
    ...(threshold === undefined ? {} : { threshold }), ...(env === undefined ? {} : { env }),
  };
}

function timed({ timeout }: MetricChoice): Pick<CommandPlan, 'timeoutMs'> {
  return timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
}

/** No two commands of a kind have one name: the ledger tells them apart by it. */
function named<T extends CommandPlan>(commands: readonly T[]): readonly T[] {
  return commands.map((command, index) => {
    const before = commands.slice(0, index).filter(({ name }) => name === command.name).length;
    return before === 0 ? command : { ...command, name: `${command.name} (${before + 1})` };
  });
}
