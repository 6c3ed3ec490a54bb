import { join } from 'node:path';
import { HumanError } from '../errors.ts';
import type { AlsoRun, ScorerOffer, StartPage } from '../protocol.ts';
import type { RunPlan } from '../records.ts';
import { allowedWords } from '../loop/allow.ts';
import { summaryWords } from '../loop/audit/summary.ts';
import { clockFrom } from '../loop/clock.ts';
import { forecastWords } from '../loop/forecast.ts';
import { cleanLine } from '../loop/one-line.ts';
import { resourceWords } from '../loop/resource-words.ts';
import { shellWord } from '../loop/shell-word.ts';
import { describeStop, duration } from '../loop/stop.ts';
import { isBounded } from '../loop/stop-rules.ts';
import { asksForNoise, checkingWords, givenNoiseWords } from '../loop/verifier/words.ts';

const MAX_PATH_CHARS = 4096;

/** The page before a run, as text: everything that will happen, and where each part comes from. `nowMs`: milliseconds since 1970. */
export function startPage(page: StartPage, nowMs: number): string {
  const { plan } = page;
  if (plan === undefined) return '';
  const clock = clockFrom(nowMs);
  const unit = plan.metric.unit === undefined || plan.metric.unit === plan.metric.name ? '' : ` (${plan.metric.unit})`;
  const lines: readonly (readonly [string, string])[] = [
    ['Change', cleanLine(join(page.root, plan.target), MAX_PATH_CHARS)],
    ['Run', whatRuns(page)],
    ...(page.also ?? []).map(({ role, command, folder, why }): readonly [string, string] => [ROLES[role], setIn(`${command}\nin ${cleanLine(folder, MAX_PATH_CHARS)} — ${cleanLine(why, MAX_PATH_CHARS)}`)]),
    ...(page.limits === undefined ? [] : [['Limits', cleanLine(page.limits.join(', '), MAX_PATH_CHARS)] as const]),
    ['Better is', `${plan.metric.direction} ${plan.metric.name}${unit}`],
    ['Stop', [describeStop(plan, clock), isBounded(plan.stop) ? '' : `by the time of the first run: after 60 attempts or 30 min where it takes under a minute, else at ${clock(plan.morningMs)} or after 3 h without an improvement`].filter((part) => part !== '').join(', or ')],
    ['Expected', page.pace === undefined ? 'told after the first run of the scorer: how long one takes isn\'t known yet' : forecastWords(plan, page.pace, nowMs, clock)],
    ['Checked', checkingWords(plan)],
    ...noiseLine(page, plan),
    ['Timeout', plan.timeoutMs === undefined ? `of one run: ${plan.trainPy ? 'twice' : 'four times'} the start file's time, at least 10 s` : duration(plan.timeoutMs)],
    ...mostLine(page),
    ['Proposes', proposer(page)],
    ['Loopable', summaryWords(page.checked) ?? 'not checked yet: ratchet check FILE tells before anything is spent'],
    ['Scratch', page.scratch],
    ['Confined', confined(page)],
    ...(page.awake === undefined ? [] : [['Awake', page.awake] as const]),
    ['Your files', 'nothing changes until you accept'],
  ];
  return `${lines.map(([name, text]) => `${name.padEnd(11)}${text}\n`).join('')}\n`;
}

/** How far the luck of a seed reaches, where somebody said so, or where nobody but a person can. */
function noiseLine(page: StartPage, plan: RunPlan): readonly (readonly [string, string])[] {
  const seededInside = page.seededInside === true;
  const given = givenNoiseWords(plan, seededInside);
  if (given !== undefined) return [['Noise', given]];
  return asksForNoise(plan, seededInside) ? [['Noise', 'the file seeds its own random numbers: put how much its score differs from seed to seed (standard deviation) as `noise:` into program.md, or what looks better waits for you']] : [];
}

/** The exact command, each line of it set in, so that none can pass for another row of the page. */
function whatRuns({ command = '', folder = '', why = '' }: StartPage): string {
  return setIn(`${command}\nin ${cleanLine(folder, MAX_PATH_CHARS)} — ${cleanLine(why, MAX_PATH_CHARS)}`);
}

function setIn(text: string): string {
  return text.replaceAll(/\r\n|[\n\r\u2028\u2029]/g, `\n${' '.repeat(11)}`);
}

const ROLES = { gate: 'Gate', stage: 'Stage', holdout: 'Holdout' } as const satisfies Record<AlsoRun['role'], string>;

function proposer({ plan, literals }: StartPage): string {
  switch (plan?.proposer.kind) {
    case 'literals':
      return `no model; varies ${literals ?? 'nothing: no number or choice was found'}`;
    case 'replay':
      return `replies from the folder ${plan.proposer.dir}`;
    case 'openai':
      return `model ${plan.proposer.model} at ${plan.proposer.baseUrl}, which sees the file, its output and program.md`;
    case undefined:
      return '';
  }
}

function confined({ confinement, allowed }: StartPage): string {
  return allowed === undefined ? confinement : `${confinement}. Allowed: ${allowedWords(allowed)}`;
}

/** What one run may use. */
function mostLine({ resources = {} }: StartPage): readonly (readonly [string, string])[] {
  const words = resourceWords(resources);
  return words === '' ? [] : [['At most', `${words}, for one run`]];
}

/** The command alone, for one run of the scorer. */
export function scorerPage(page: StartPage): string {
  return `Run        ${whatRuns(page)}\nConfined   ${confined(page)}\n\n`;
}

/** The page of one run of the scorer: what else a run starts isn't started. */
export function scorerAlone({ also: _also, limits: _limits, ...page }: StartPage): StartPage {
  return page;
}

/** A page with nothing missing. Throws HumanError with all that is. */
export function wholePage(page: StartPage): StartPage {
  if (page.plan === undefined) throw new HumanError('bad-use', problemText(page));
  return page;
}

/** What is missing before a run, and what was found that could be named. */
function problemText(page: StartPage): string {
  const offers = page.offers.map((offer) => `  ${offered(offer)}   (${offer.why}, in ${offer.folder})`);
  const varied = page.literals === undefined ? [] : [`  --proposer literals could vary ${page.literals}.`];
  const wantsScorer = page.problems.some((problem) => problem.key === 'scorer');
  const wantsProposer = page.problems.some((problem) => problem.key === 'proposer');
  return [
    ...page.problems.map((problem) => problem.message),
    ...(wantsScorer && offers.length > 0 ? ['Found beside the file:', ...offers] : []),
    ...(wantsProposer ? varied : []),
  ].join('\n');
}

/** An offer as it is typed: a flag is one text for a shell. */
function offered({ scorer, metric }: ScorerOffer): string {
  const measured = metric === undefined || metric.name === 'score' ? '' : ` --metric ${shellWord(metric.name)} --direction ${metric.direction}`;
  return `--score ${shellWord(typeof scorer === 'string' ? scorer : scorer.map(shellWord).join(' '))}${measured}`;
}
