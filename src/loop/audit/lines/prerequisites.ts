import { asksModel } from '../../forecast.ts';
import { formatEstimate, formatScore } from '../../format.ts';
import { duration } from '../../stop.ts';
import { isCanarySeen } from '../sickness.ts';
import type { Facts } from './facts.ts';
import { no, notTried, warning, yes, type CheckLine, type Found } from './line.ts';

/** The four prerequisites of a loop, and whether anybody said what it is for. */
export function prerequisiteLines(facts: Facts): readonly CheckLine[] {
  const line = (id: CheckLine['id'], title: string, found: Found): CheckLine => ({ id, group: 'prerequisite', title, ...found });
  return [
    line('repeated', 'Repeated often enough', repeated(facts)),
    line('verification', 'Verified without a person', verification(facts)),
    line('budget', 'A budget that bears failures', budget(facts)),
    line('environment', 'A real place to run', environment(facts)),
    line('goal', 'A clear goal', goal(facts)),
  ];
}

function repeated({ repeated: said }: Facts): Found {
  switch (said) {
    case 'said':
      return yes('You said that this comes back often enough.');
    case 'assumed':
      return yes('Assumed: nobody was asked.');
    case 'once':
      return warning('You said that this is done once: for that, changing the file by hand may be quicker than a loop.');
    case undefined:
      return notTried('Nobody was asked whether this comes back often enough to be worth a loop.');
  }
}

function verification({ plan, evidence, reference, baselineProblem }: Facts): Found {
  const [first] = evidence.baselines;
  if (first === undefined) return notTried('The scorer was not run.');
  const signs = new Set(evidence.baselines.flatMap((run) => run.signs));
  if (reference !== undefined && first.score !== undefined) {
    const failed = evidence.baselines.filter((run) => run.outcome !== 'scored');
    if (failed.length > 0) return no(`Of ${evidence.baselines.length} runs on the unchanged file ${failed.length} gave no score: ${failed[0]?.why ?? ''}`);
    const altered = first.altered.length === 0 ? '' : ` It changed ${first.altered.slice(0, 3).join(', ')}, in its private view alone.`;
    return yes(`It ended by itself after ${duration(first.durationMs)}, with exit code 0, without input, and gave ${formatScore(first.score, plan.metric)}.${altered}`);
  }
  const why = baselineProblem ?? first.why;
  if (first.outcome === 'timed-out' && signs.has('watch')) return no(`It doesn't end by itself: it waits for files to change. Use the command that runs once. ${why}`);
  if (first.outcome === 'timed-out') return no(`It doesn't end by itself. ${why}`);
  if (signs.has('input')) return no(`It asks for input, or wants a terminal, and there is neither when a loop runs it. ${why}`);
  return no(why);
}

/** A loop's attempts fail more often than not: so many must be paid for before one that helps. */
const FEW_ATTEMPTS = 10;
const LONG_REQUEST_TOKENS = 100_000;

function budget({ plan, reference, estimate }: Facts): Found {
  const { attempts, runMs, tokensPerAttempt } = estimate;
  if (reference === undefined) return notTried('The time of a run isn\'t known.');
  const time = `About ${formatEstimate(attempts)} attempts in ${duration(runMs)}`;
  const isFew = attempts < FEW_ATTEMPTS && plan.stop.attempts !== attempts;
  const more = 'Most attempts of a loop bring nothing: give it more time, or make the scorer quicker.';
  if (tokensPerAttempt === 0) return isFew ? warning(`${time}, without a model and its tokens. ${more}`) : yes(`${time}, without a model and its tokens.`);
  const whose = plan.proposer.kind === 'openai' ? `${plan.proposer.model}` : 'a model, if one proposes';
  const spent = `${time}, each with about ${formatEstimate(tokensPerAttempt)} tokens of ${whose}: ${formatEstimate(attempts * tokensPerAttempt)} in all. No price is known here, so money isn't reckoned.`;
  const limit = plan.stop.tokens;
  if (limit !== undefined && limit < Math.min(FEW_ATTEMPTS, attempts) * tokensPerAttempt)
    return warning(`${spent} The limit of ${formatEstimate(limit)} tokens ends the run after about ${Math.max(1, Math.floor(limit / tokensPerAttempt))}; most attempts of a loop bring nothing.`);
  if (tokensPerAttempt > LONG_REQUEST_TOKENS) return warning(`${spent} A request of that size is more than many models read: move the part that should improve into a file of its own.`);
  return isFew ? warning(`${spent} ${more}`) : yes(spent);
}

function environment({ evidence, reference, scratch, loadedInstead, plan }: Facts): Found {
  if (scratch === undefined || evidence.baselines.length === 0) return notTried('Nothing was run.');
  if (reference === undefined) return no('The scorer gave no score here, so nothing can be measured.');
  const seen = isCanarySeen(evidence, reference);
  if (seen === undefined) return notTried('Whether the scorer loads this file was not tried.');
  const runs = evidence.baselines.length;
  if (!seen) return no(`Breaking ${plan.target} changed nothing: the scorer doesn't load it, or reads a result that was kept. ${loadedInstead ?? ''}`.trim());
  return yes(`The scorer ran here ${runs === 1 ? 'once' : `${runs} times`}, and noticed when the file was broken. ${scratch}`);
}

/** Shorter than this says what to do to nobody. */
const VAGUE_CHARS = 40;

function goal({ plan, strategy }: Facts): Found {
  if (plan.proposer.kind === 'literals') return yes(`${plan.metric.name}, ${plan.metric.direction} is better; literals needs no more.`);
  const metric = `All that a model is told is ${plan.metric.name}, ${plan.metric.direction} is better`;
  if (strategy === undefined) return warning(`${metric}. Write what matters, and what must stay, into a program.md beside the file.`);
  if (strategy.trim() === '') return warning(`Vague: ${plan.program ?? 'program.md'} holds no strategy. ${metric}.`);
  if (strategy.trim().length < VAGUE_CHARS) return warning(`Vague: ${plan.program ?? 'program.md'} says no more than ${JSON.stringify(strategy.trim())}.`);
  return asksModel(plan.proposer) ? yes(`${plan.program ?? 'program.md'} says what to try, in ${formatEstimate(strategy.trim().length)} characters.`) : yes('The replies are there already.');
}
