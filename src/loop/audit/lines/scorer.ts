import { formatScore } from '../../format.ts';
import { duration, topOf } from '../../stop.ts';
import { listed } from '../findings.ts';
import { median } from '../../median.ts';
import { compare, type Reference } from '../reference.ts';
import type { Facts } from './facts.ts';
import { no, notTried, warning, yes, type CheckLine, type Found } from './line.ts';

/** What the scorer is like as an instrument. */
export function scorerLines(facts: Facts): readonly CheckLine[] {
  const { reference } = facts;
  const line = (id: CheckLine['id'], title: string, found: (reference: Reference) => Found): CheckLine =>
    ({ id, group: 'scorer', title, ...(reference === undefined ? notTried('The unchanged file has no score.') : found(reference)) });
  return [
    line('values', 'One value', () => values(facts)),
    line('noise', 'Noise', (known) => noise(facts, known)),
    line('time', 'Time of a run', () => time(facts)),
    line('headroom', 'Head room', (known) => headroom(facts, known)),
    line('resolution', 'Smallest change it can see', (known) => resolution(facts, known)),
    line('parallel', 'Two runs at once', (known) => parallel(facts, known)),
  ];
}

function values({ evidence, plan }: Facts): Found {
  const printed = evidence.baselines[0]?.values ?? 1;
  return printed > 1 ? warning(`It gives ${printed} values of ${plan.metric.name}; the last one counts. Print one.`) : yes(evidence.baselines[0]?.why ?? '');
}

/** More noise than this hides most real gains. */
const NOISY = 0.05;

function noise({ evidence, plan, seeds: own }: Facts, reference: Reference): Found {
  const { scores, seeds, sd } = reference;
  if (scores.length < 2) return notTried('One run of the unchanged file fitted into the time: its noise isn\'t known.');
  const varied = own.length === 0 ? '' : `, in the place of ${listed(own, 3)} too`;
  const runs = `${scores.length} runs with ${counted(new Set(seeds).size)}${new Set(seeds).size > 1 ? varied : ''}`;
  if (reference.isExact) return yes(`None: ${runs} all gave ${formatScore(scores[0] ?? NaN, plan.metric)}.`);
  const part = reference.mean === 0 ? '' : ` (${percent(sd / Math.abs(reference.mean))})`;
  const claimed = evidence.baselines[0]?.claimed;
  const claim = claimed === undefined ? '' : ` Your runner says ±${Number(claimed.toPrecision(2))} %, repeated runs say ±${percent(sd / Math.abs(reference.mean))}.`;
  const by = reference.isExactBySeed ? `One seed always gives the same; over seeds it is ±${formatScore(sd, plan.metric)}${part}` : `±${formatScore(sd, plan.metric)}${part}`;
  const told = `${by}, the standard deviation of ${runs}: ${range(scores, plan.metric)}.${claim}`;
  return sd > NOISY * Math.abs(reference.mean) ? warning(`${told} Small gains drown in it: let each run measure more, or longer.`) : yes(told);
}

function counted(seeds: number): string {
  return seeds === 1 ? 'one seed' : `${seeds} seeds`;
}

function range(scores: readonly number[], metric: Facts['plan']['metric']): string {
  return `from ${formatScore(Math.min(...scores), metric)} to ${formatScore(Math.max(...scores), metric)}`;
}

function percent(part: number): string {
  return `${Number((100 * part).toPrecision(2))} %`;
}

/** Seconds beyond which an hour brings too few attempts to learn from. */
const SLOW_MS = 10 * 60_000;

function time({ evidence }: Facts): Found {
  const times = evidence.baselines.map(({ durationMs }) => durationMs);
  const [least, most] = [Math.min(...times), Math.max(...times)];
  const told = `${duration(median(times))}${times.length > 1 && most > 1.2 * least ? `, between ${duration(least)} and ${duration(most)}` : ''}.`;
  return median(times) > SLOW_MS ? warning(`${told} An hour brings fewer than six attempts: a smaller case, or a shorter budget, would teach more.`) : yes(told);
}

function headroom(facts: Facts, { mean, sd, metric }: Reference): Found {
  const top = topOf(facts.plan);
  const own = formatScore(mean, metric);
  if (top === undefined) {
    if (metric.direction === 'lower' && mean === 0) return no(`The unchanged file has ${own} already, and there is no less.`);
    return yes(`The unchanged file has ${own}; no best value is known.`);
  }
  const room = metric.direction === 'higher' ? top - mean : mean - top;
  if (room <= 0) return no(`Nothing to gain: the unchanged file has ${own}, and ${top} is the most. Give it harder cases, or another metric.`);
  if (room < 2 * sd) return warning(`The unchanged file has ${own} of ${top}: what is left to gain is smaller than the noise can tell.`);
  return yes(`The unchanged file has ${own} of ${top}, so ${Number(room.toPrecision(4))} can be gained.`);
}

/** Fewer cases make steps that hide most gains. */
const COARSE = 10;

function resolution(facts: Facts, reference: Reference): Found {
  const { evidence, plan } = facts;
  const { scores, sd, metric } = reference;
  if (scores.length < 2) return notTried('It takes two runs of the unchanged file at least.');
  const top = topOf(facts.plan);
  if (!reference.isExact) {
    const least = 2 * sd;
    const told = `A gain of about ${formatScore(least, metric)} can be confirmed with a few repeats: two standard deviations of one run.`;
    return top !== undefined && least > Math.abs(top - reference.mean) ? no(`${told} That is more than there is to gain.`) : yes(told);
  }
  const cases = evidence.baselines[0]?.cases;
  const others = [...evidence.mutants.values(), ...evidence.canaries, ...(evidence.noOp === undefined ? [] : [evidence.noOp])].flatMap(({ score }) => score ?? []);
  const sorted = [...new Set([...scores, ...others])].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((score, index) => score - (sorted[index] ?? score));
  if (gaps.length === 0) return yes('It doesn\'t vary, so any difference that it prints is a real one. No other value of it was seen.');
  const step = Math.min(...gaps);
  const told = `It doesn't vary, so any difference is a real one. The smallest that was seen between two texts is ${formatScore(step, metric)}`;
  return plan.metric.name === 'score' && cases !== undefined && cases < COARSE
    ? warning(`${told}; there are ${cases} cases. Steps so coarse hide small gains: more cases make them finer.`)
    : yes(`${told}.`);
}

/** Two at once may take so much longer before that counts as disturbing each other. */
const SLOWER = 1.5;
const SLOWER_MS = 200;

function parallel({ evidence }: Facts, reference: Reference): Found {
  if (evidence.pair.length < 2) return notTried('Two runs at the same time were not tried. Ratchet runs one at a time.');
  const alone = median(evidence.baselines.map(({ durationMs }) => durationMs));
  const slowest = Math.max(...evidence.pair.map(({ durationMs }) => durationMs));
  const failed = evidence.pair.find(({ outcome }) => outcome !== 'scored');
  if (failed !== undefined) return warning(`They disturb each other: one of two at the same time gave no score (${failed.why}). Ratchet runs one at a time; leave the folder alone meanwhile.`);
  const times = `${duration(slowest)} side by side, ${duration(alone)} alone`;
  const moved = evidence.pair.find((run) => ['better', 'worse'].includes(compare(reference, run)));
  if (moved?.score !== undefined) return warning(`They disturb each other: side by side one scored ${formatScore(moved.score, reference.metric)}, alone ${formatScore(reference.mean, reference.metric)} (${times}).`);
  if (slowest > SLOWER * alone + SLOWER_MS) return warning(`They slow each other down: ${times}. The score stays the same; a timeout may not.`);
  return yes(`They don't disturb each other: the same score, ${times}.`);
}
