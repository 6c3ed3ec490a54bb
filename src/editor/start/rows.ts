import { basename } from 'node:path';
import type { Metric, ProposerSpec, RunPlan } from '../../records.ts';
import type { AlsoRun, StartPage, TryResult } from '../../protocol.ts';
import type { Problem } from '../../loop/options.ts';
import { allowedWords } from '../../loop/allow.ts';
import { summaryWords } from '../../loop/audit/summary.ts';
import { forecastWords } from '../../loop/forecast.ts';
import { formatScore } from '../../loop/format.ts';
import { resourceWords } from '../../loop/resource-words.ts';
import { describeStop, duration } from '../../loop/stop.ts';
import { isBounded } from '../../loop/stop-rules.ts';
import { asksForNoise, checkingWords, givenNoiseWords } from '../../loop/verifier/words.ts';
import type { L10n } from '../l10n.ts';

/** What a row of the start page leads to. */
export type RowId = 'start' | 'try' | 'change' | 'run' | 'better' | 'stop' | 'forecast' | 'checked' | 'noise' | 'proposer' | 'also' | 'loopable' | 'files' | 'confinement' | 'awake' | 'save' | 'problem';

/** One row as plain text. */
export interface Row {
  readonly id: RowId;
  /** Name of a codicon. */
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
}

/** What the page shows. */
export interface PageFacts {
  readonly page: StartPage;
  readonly problems: readonly Problem[];
  readonly proposerChosen: boolean;
  /** Keys of program.md that a person chose on this page. */
  readonly chosen: readonly string[];
  /** Absolute path of the target. */
  readonly target: string;
  readonly unsaved: boolean;
  readonly tried?: TryResult;
  /** Where the model server's key is from, as a text. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Writes a moment in the person's time zone. */
  readonly clock: (ms: number) => string;
}

/** Problems that a question of this page can solve, and that question's row. */
const ASKED = { scorer: 'run', direction: 'better', metric: 'better', proposer: 'proposer', model: 'proposer' } as const satisfies Record<string, RowId>;

/** The rows that solve the problems, each once, in the order of the page. */
export function missingRows(problems: readonly Problem[]): readonly RowId[] {
  const rows = new Set(problems.flatMap(({ key }) => (key !== undefined && isAsked(key) ? [ASKED[key]] : [])));
  return (['run', 'better', 'proposer'] as const).filter((row) => rows.has(row));
}

/** The page's rows: everything that will happen, where each part comes from, and what is missing. */
export function pageRows(facts: PageFacts, l10n: L10n): readonly Row[] {
  const { page, problems } = facts;
  const missing = new Set<RowId>(missingRows(problems));
  const others = problems.filter(({ key }) => key === undefined || !isAsked(key));
  const row = (id: RowId, icon: string, label: string, description: string, detail?: string): Row => ({
    id,
    icon: missing.has(id) ? 'warning' : icon,
    label,
    description,
    ...(detail === undefined || detail === '' ? {} : { detail }),
  });
  return [
    row('start', problems.length === 0 ? 'play' : others.length === 0 ? 'arrow-right' : 'circle-slash', l10n.t('Start'), startText(missing, others, l10n)),
    row('try', 'beaker', l10n.t('Try Once'), page.command === undefined ? l10n.t('needs a command first') : l10n.t('runs the command once on the unchanged file'), triedText(facts, l10n)),
    ...others.map((problem) => row('problem', 'error', l10n.t('Problem'), problem.message)),
    row('change', 'file', l10n.t('Change'), basename(facts.target), facts.unsaved ? l10n.t('{0} · with its unsaved text', facts.target) : facts.target),
    page.command === undefined
      ? row('run', 'terminal', l10n.t('Run'), l10n.t('no command yet: choose what says how good the file is'), offersText(page, l10n))
      : row('run', 'terminal', l10n.t('Run'), page.command, l10n.t('in {0} · {1}', page.folder ?? page.root, page.why ?? '')),
    ...(page.also ?? []).map(({ role, command, folder, why }) => row('also', ALSO_ICONS[role], alsoLabel(role, l10n), command, l10n.t('in {0} · {1}', folder, why))),
    ...(page.limits === undefined ? [] : [row('also', 'dashboard', l10n.t('Limits'), page.limits.join(', '))]),
    row('better', 'graph', l10n.t('Better is'), missing.has('better') ? l10n.t('choose which way is better') : betterText(page.plan?.metric, l10n)),
    row('stop', 'watch', l10n.t('Stop'), stopText(page.plan, facts.clock, l10n), stopDetail(page, facts.clock, l10n)),
    ...(page.plan === undefined ? [] : [row('forecast', 'history', l10n.t('Expected'), forecastText(facts, page.plan, l10n)), row('checked', 'verified', l10n.t('Checked'), checkingWords(page.plan)), ...noiseRow(page.plan)]),
    proposerRow(),
    ...(page.plan === undefined ? [] : [row('loopable', 'checklist', l10n.t('Loopable'), summaryWords(page.checked) ?? l10n.t('not checked yet: runs the scorer on this file and on broken copies of it'))]),
    row('files', 'lock', l10n.t('Your files'), l10n.t('nothing changes until you accept'), page.scratch),
    confinementRow(),
    ...(page.awake === undefined ? [] : [row('awake', 'coffee', l10n.t('Awake'), page.awake)]),
    ...(facts.chosen.length === 0 ? [] : [row('save', 'save', l10n.t('Save as {0}', basename(page.program)), l10n.t('for the terminal and for others too: {0}', facts.chosen.join(', ')))]),
  ];

  function noiseRow(plan: RunPlan): readonly Row[] {
    const { seededInside = false } = page;
    const given = givenNoiseWords(plan, seededInside);
    const asks = asksForNoise(plan, seededInside);
    if (given === undefined && !asks) return [];
    return [row('noise', asks ? 'question' : 'pulse', l10n.t('Noise'), given ?? l10n.t('how much does the score differ from seed to seed?'), asks ? l10n.t('The file seeds its own random numbers: until you say, what looks better waits for you') : '')];
  }

  /** What was reached comes first: the line is cut where it is too long. */
  function confinementRow(): Row {
    const [reached = '', ...rest] = page.confinement.split(': ');
    return row('confinement', 'shield', l10n.t('Confinement'), page.allowed === undefined ? reached : l10n.t('{0} · allowed: {1}', reached, allowedWords(page.allowed)), rest.join(': '));
  }

  function proposerRow(): Row {
    const label = l10n.t('Who proposes');
    const spec = facts.proposerChosen ? page.plan?.proposer : undefined;
    if (spec === undefined) return row('proposer', 'lightbulb', label, l10n.t('choose who proposes the changes'), page.literals === undefined ? '' : l10n.t('Without a model: {0} could be varied', page.literals));
    return row('proposer', 'lightbulb', label, proposerText(spec, page, l10n), spec.kind === 'openai' ? l10n.t('It sees this file, what the command prints and program.md · {0}', facts.key) : '');
  }
}

/** How many attempts are to be expected: by the try where there was one, else as an earlier run or check measured it. */
function forecastText({ page, tried, nowMs, clock }: PageFacts, plan: RunPlan, l10n: L10n): string {
  const scorerMs = tried?.score === undefined ? undefined : tried.durationMs;
  const pace = scorerMs === undefined ? page.pace : { ...page.pace, scorerMs };
  return pace === undefined ? l10n.t('told after Try Once, or after the first run: how long one takes is not known yet') : forecastWords(plan, pace, nowMs, clock);
}

const ALSO_ICONS = { gate: 'pass', stage: 'layers', holdout: 'eye-closed' } as const satisfies Record<AlsoRun['role'], string>;

function alsoLabel(role: AlsoRun['role'], l10n: L10n): string {
  switch (role) {
    case 'gate': return l10n.t('Gate');
    case 'stage': return l10n.t('Stage');
    case 'holdout': return l10n.t('Holdout');
  }
}

/** What one try showed, in one line. */
export function triedText({ page, tried }: Pick<PageFacts, 'page' | 'tried'>, l10n: L10n): string {
  if (tried === undefined) return '';
  const took = duration(tried.durationMs);
  const why = tried.why.replaceAll(/\s+/g, ' ');
  if (tried.score === undefined) return l10n.t('no score · took {0} · {1}', took, why);
  const metric: Metric = page.plan?.metric ?? { name: 'score', direction: 'higher' };
  return l10n.t('{0} {1} · took {2} · {3}', metric.name, formatScore(tried.score, metric), took, why);
}

/** Who proposes, as the page and the picker say it. */
export function proposerText(spec: ProposerSpec, page: Pick<StartPage, 'literals'>, l10n: L10n): string {
  switch (spec.kind) {
    case 'literals':
      return l10n.t('no model: varies {0}', page.literals ?? '');
    case 'openai':
      return l10n.t('model {0} at {1}', spec.model, spec.baseUrl);
    case 'replay':
      return l10n.t('replies from the folder {0}', spec.dir);
  }
}

/** "higher score (0–100)", "lower ms". */
export function betterText(metric: Metric | undefined, l10n: L10n): string {
  if (metric === undefined) return '';
  const unit = metric.unit === undefined || metric.unit === metric.name ? (metric.name === 'score' ? ' (0–100)' : '') : ` (${metric.unit})`;
  return metric.direction === 'higher' ? l10n.t('higher {0}', metric.name + unit) : l10n.t('lower {0}', metric.name + unit);
}

/** When the run ends by itself: the rules that were chosen, and where they bound neither time nor attempts, the default ones. */
export function stopText(plan: RunPlan | undefined, clock: PageFacts['clock'], l10n: L10n): string {
  const given = plan === undefined ? '' : describeStop(plan, clock);
  if (plan !== undefined && isBounded(plan.stop)) return given;
  return given === '' ? l10n.t('by how long one run takes') : l10n.t('{0}, or by how long one run takes', given);
}

function stopDetail({ plan, resources = {} }: StartPage, clock: PageFacts['clock'], l10n: L10n): string {
  const rule = l10n.t('Under a minute: 60 attempts or 30 min; else {0}, or 3 h without a better one', plan === undefined ? '08:00' : clock(plan.morningMs));
  return [plan !== undefined && isBounded(plan.stop) ? '' : rule, timeoutText(plan, l10n), resourceWords(resources)].filter((part) => part !== '').join(' · ');
}

function timeoutText(plan: RunPlan | undefined, l10n: L10n): string {
  if (plan === undefined) return '';
  if (plan.timeoutMs !== undefined) return l10n.t('each run at most {0}', duration(plan.timeoutMs));
  return plan.trainPy ? l10n.t('each run at most 2 × the start file\'s, or 10 s') : l10n.t('each run at most 4 × the start file\'s, or 10 s');
}

function startText(missing: ReadonlySet<RowId>, others: readonly Problem[], l10n: L10n): string {
  if (others.length > 0) return l10n.t('first solve what is marked below');
  const names = { run: l10n.t('a command'), better: l10n.t('which way is better'), proposer: l10n.t('who proposes') };
  const list = (['run', 'better', 'proposer'] as const).filter((id) => missing.has(id)).map((id) => names[id]);
  return list.length === 0 ? '' : l10n.t('asks what is missing: {0}', list.join(', '));
}

function offersText({ offers }: StartPage, l10n: L10n): string {
  const [first] = offers;
  if (first === undefined) return '';
  return offers.length === 1 ? l10n.t('Found: {0}', first.why) : l10n.t('Found: {0}, and {1} more', first.why, offers.length - 1);
}

function isAsked(key: string): key is keyof typeof ASKED {
  return Object.hasOwn(ASKED, key);
}
