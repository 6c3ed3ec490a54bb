import * as v from 'valibot';
import { ALLOW_WORDS, isAllowWord } from './allow.ts';
import { readBytes } from './bytes.ts';
import { readLimit } from './checks/limits.ts';

/** Where an option may be given. Order of precedence: flag > front matter > setting > default. */
export interface OptionInfo {
  readonly type: string;
  readonly default: string;
  /** The terminal's flag, where there is one. */
  readonly flag?: string;
  /** The editor's setting, where there is one. */
  readonly setting?: string;
  /** An edit of program.md steers a running loop; other keys wait for the next run. */
  readonly live?: true;
  /** A person's own choice for their machine: a flag or a setting, and no key of program.md, which comes with the code. */
  readonly outside?: true;
  readonly doc: string;
}

/** Every key of program.md, and the few that only flags and settings have, once. The tables in the docs are made from it. */
export const OPTIONS = {
  scorer: { type: 'text or list', default: '(a train.py scores itself)', flag: '--score', doc: 'Command that prints the score. A text runs in a shell, a list without one.' },
  metric: { type: 'text', default: 'score', flag: '--metric', doc: 'Name of the value that the scorer prints.' },
  direction: { type: 'higher or lower', default: 'by the metric', flag: '--direction', doc: 'Which way is better. `score` is higher, `val_bpb` lower; any other metric needs it.' },
  unit: { type: 'text', default: '', doc: 'Unit of the metric, for screens.' },
  budget: { type: 'seconds', default: '', flag: '--budget', doc: 'Time that the script is told it has (RATCHET_BUDGET_S).' },
  timeout: { type: 'seconds', default: '4 × the start file\'s time, 2 × for a train.py; at least 10 s', flag: '--timeout', setting: 'ratchet.scorer.timeout', doc: 'A run of the scorer is ended after this time.' },
  target_score: { type: 'number', default: '100 for `score`', live: true, doc: 'The run ends when the best so far reaches it.' },
  attempts: { type: 'whole number', default: '60 where a run takes under a minute', flag: '--attempts', setting: 'ratchet.stop.attempts', live: true, doc: 'The run ends after so many attempts.' },
  hours: { type: 'number', default: '0.5 where a run takes under a minute', flag: '--hours', setting: 'ratchet.stop.hours', live: true, doc: 'The run ends after this time.' },
  until: { type: 'clock time, 08:00', default: '08:00 where a run takes a minute or more', flag: '--until', live: true, doc: 'The run ends at this time of day.' },
  tokens: { type: 'whole number', default: '', setting: 'ratchet.stop.tokens', live: true, doc: 'The run ends when it has used so many tokens of a model: no further request is sent. Estimated where the server does not count them.' },
  patience: { type: 'whole number', default: '', setting: 'ratchet.stop.patience', live: true, doc: 'The run ends after so many attempts in a row without an improvement.' },
  noise: { type: 'number', default: '(measured)', doc: 'Standard deviation of one run, over seeds where the file has one, as you know it; in the unit of the metric.' },
  seed: { type: 'text', default: '(found in the file)', doc: 'Name of the number in the file that seeds its random stream: repeats of a run get other numbers there.' },
  confirm: { type: 'each, night or off', default: 'each', flag: '--confirm', setting: 'ratchet.verifier.confirm', doc: '`each`: what looks better is run again, in turns with what it comes from, until that is sure. `night`: the same, but for all together in the last quarter of the run, the largest gain first. `off`: whatever scores better in one run is kept.' },
  confidence: { type: 'number from 0.5 to 0.999', default: '0.95', doc: 'How sure a run of attempts that do nothing is to keep nothing.' },
  maxRepeats: { type: 'whole number from 3 to 200', default: '20', doc: 'At most so many runs of one attempt. More finds smaller gains and costs more runs: 60 about doubles the one and adds half to the other.' },
  gates: { type: 'list of commands', default: '', doc: 'Commands (tests, types, lint) that must exit with 0 before a score counts. [More](gates.md#gates)' },
  limits: { type: 'name: limit', default: '`peak_vram_mb: +10%` for a train.py', doc: 'Bounds of other values that the scorer prints: `+5%` or `-5%` of the start file\'s, `<= 300`, `">= 10"`. [More](gates.md#limits)' },
  stages: { type: 'list of `scorer`, `threshold`, `name`, `env`, `metric`, `direction`, `timeout`, `when`', default: '', doc: 'Cheaper scorers that come first, or a larger scale that comes last. [More](gates.md#stages)' },
  holdout: { type: '`scorer`, `files`, `metric`, `direction`, `timeout`', default: '', doc: 'A second scorer that no model hears of. [More](gates.md#holdout)' },
  protect: { type: 'list of texts', default: '', doc: 'Lines of the target that hold one of these texts may not change.' },
  cache: { type: 'list of paths and patterns', default: '(caches of known tools)', doc: 'What the start file\'s run leaves there is given to each run after it; what those write there is gone with them. [More](scorers.md#caches)' },
  sandbox: { type: 'auto, required or off', default: 'auto', flag: '--sandbox', doc: 'Whether the scorer is confined: `auto` where this system can, `required` or nothing runs, `off` with your rights. [More](confinement.md)' },
  allow: { type: 'list of `net`, `gpu`, `env:NAME`, a path, `write:PATH`', default: '', flag: '--allow', doc: 'What a confined scorer is given beyond its own view. [More](confinement.md#allow)' },
  model: { type: 'text', default: '', flag: '--model', setting: 'ratchet.model.name', doc: 'Model that the proposer `openai` asks.' },
  proposer: { type: 'literals, openai or replay:DIR', default: '(asked)', flag: '--proposer', setting: 'ratchet.proposer', doc: 'Who proposes the changes.' },
  memory: { type: 'size, 2 GB', default: '80 % of the machine\'s', flag: '--memory', setting: 'ratchet.scorer.memory', outside: true, doc: 'Memory that a run of the scorer may hold, all its processes together. [More](scorers.md#limits)' },
  processes: { type: 'whole number', default: '1000', flag: '--processes', setting: 'ratchet.scorer.processes', outside: true, doc: 'Processes that it may have at the same time.' },
  cpu: { type: 'whole seconds', default: '', flag: '--cpu', setting: 'ratchet.scorer.cpu', outside: true, doc: 'Processor time that one of its processes may use.' },
  fileSize: { type: 'size, 10 GB', default: '', flag: '--file-size', setting: 'ratchet.scorer.fileSize', outside: true, doc: 'Size that a file may have which it writes.' },
  keepAwake: { type: 'on or off', default: 'on', flag: '--keep-awake', setting: 'ratchet.keepAwake', outside: true, doc: 'Whether the machine is kept awake while a run goes on and it is on mains. [More](night.md#awake)' },
  context: { type: 'list of files', default: '', live: true, doc: 'Read-only files that the model is shown.' },
} as const satisfies Record<string, OptionInfo>;

export type OptionKey = keyof typeof OPTIONS;

/** Said of a value that is none. */
const NO_LIMIT = 'must be a limit such as "+5%", "-5%", "<= 300" or ">= 10"';

const text = v.pipe(v.string('must be a text'), v.trim(), v.nonEmpty('must not be empty'));
const number = v.pipe(v.number('must be a number'), v.finite('must be a finite number'));
const positive = v.pipe(number, v.gtValue(0, 'must be more than 0'));
const wholePositive = v.pipe(positive, v.integer('must be a whole number'));
const texts = v.array(text, 'must be a list of texts');

const size = v.pipe(v.string('must be a size such as "2 GB"'), v.check((given) => readBytes(given) !== undefined, 'must be a size with its unit, such as "2 GB" or "512 MB"'));

const command = v.union([text, v.pipe(texts, v.minLength(1))], 'must be a command (a text) or a list of a program and its arguments');
const metricName = v.pipe(text, v.regex(/^[^\r\n\t]{1,200}$/, 'must be a name as the scorer prints it, on one line'));
const direction = v.picklist(['higher', 'lower'], 'must be higher or lower');
const limit = v.pipe(v.string(NO_LIMIT), v.check((given) => readLimit('', given) !== undefined, NO_LIMIT));
const environment = v.record(
  v.pipe(v.string(), v.regex(/^(?!RATCHET_)[A-Za-z_][A-Za-z0-9_]*$/i, 'must be names of variables, none that begins with RATCHET_')),
  v.union([v.pipe(v.string(), v.check((value) => !value.includes('\0'), 'must hold no NUL character')), v.pipe(number, v.transform(String))], 'must be a text or a number'), 'must be `NAME: value` lines',
);

const stage = v.strictObject({
  scorer: command, threshold: v.optional(number), name: v.optional(metricName), env: v.optional(environment), metric: v.optional(metricName), direction: v.optional(direction),
  timeout: v.optional(positive), when: v.optional(v.picklist(['first', 'last'], 'must be first or last')),
}, 'must have a `scorer`, and may have `threshold`, `name`, `env`, `metric`, `direction`, `timeout` and `when`');

const holdout = v.strictObject({
  scorer: command, files: v.optional(v.pipe(texts, v.check((files) => files.every(isInside), 'must be paths below the root of the project'))), metric: v.optional(metricName), direction: v.optional(direction), timeout: v.optional(positive),
}, 'must have a `scorer`, and may have `files`, `metric`, `direction` and `timeout`');

const choices = v.strictObject({
  scorer: v.optional(command),
  metric: v.optional(metricName),
  direction: v.optional(direction),
  unit: v.optional(text),
  budget: v.optional(positive),
  timeout: v.optional(positive),
  target_score: v.optional(number),
  attempts: v.optional(wholePositive),
  hours: v.optional(positive),
  until: v.optional(v.pipe(v.string('must be a clock time such as 08:00'), v.regex(/^([01]?\d|2[0-3]):[0-5]\d$/, 'must be a clock time such as 08:00'))),
  tokens: v.optional(wholePositive),
  patience: v.optional(wholePositive),
  noise: v.optional(positive),
  seed: v.optional(text),
  confirm: v.optional(v.picklist(['each', 'night', 'off'], 'must be each, night or off')),
  confidence: v.optional(v.pipe(number, v.minValue(0.5, 'must be from 0.5 to 0.999'), v.maxValue(0.999, 'must be from 0.5 to 0.999'))),
  maxRepeats: v.optional(v.pipe(wholePositive, v.minValue(3, 'must be from 3 to 200'), v.maxValue(200, 'must be from 3 to 200'))),
  gates: v.optional(v.array(command, 'must be a list of commands')),
  limits: v.optional(v.record(metricName, limit, 'must be `name: limit` lines')),
  stages: v.optional(v.array(stage, 'must be a list, each with a `scorer`')),
  holdout: v.optional(holdout),
  protect: v.optional(texts),
  cache: v.optional(v.pipe(texts, v.check((paths) => paths.every(isInside), 'must be paths below the root of the project'))),
  sandbox: v.optional(v.picklist(['auto', 'required', 'off'], 'must be auto, required or off')),
  allow: v.optional(v.array(v.pipe(text, v.check(isAllowWord, ALLOW_WORDS)), `must be a list, each of which ${ALLOW_WORDS}`)),
  model: v.optional(text),
  proposer: v.optional(v.pipe(text, v.regex(/^(literals|openai|replay:.+)$/, 'must be literals, openai or replay:DIR'))),
  memory: v.optional(size),
  processes: v.optional(wholePositive),
  cpu: v.optional(wholePositive),
  fileSize: v.optional(size),
  keepAwake: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
  context: v.optional(texts),
} satisfies Record<OptionKey, v.GenericSchema>);

/** What one source (flags, front matter, settings) chose. */
export type Choices = v.InferOutput<typeof choices>;

export interface Problem {
  /** The key that is wrong, where it is about one. */
  readonly key?: string;
  /** One sentence. */
  readonly message: string;
}

/** Reads one source's choices. A wrong key or value is a problem and is left out. */
export function readChoices(value: unknown): { readonly choices: Choices; readonly problems: readonly Problem[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { choices: {}, problems: [{ message: 'Options must be `key: value` lines.' }] };
  const entries: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [key, given] of Object.entries(value)) {
    if (given === undefined || given === null) continue;
    if (!isOptionKey(key)) {
      problems.push({ key, message: unknownKey(key) });
      continue;
    }
    const one = v.safeParse(choices.entries[key], given);
    if (one.success) entries[key] = one.output;
    else problems.push({ key, message: wrongValue(key, given, one.issues[0]) });
  }
  return { choices: v.parse(choices, entries), problems };
}

/** What is wrong, at the place where it is: "`stages[1].threshold` must be a number; it is "x"." */
function wrongValue(key: OptionKey, given: unknown, issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).filter((step) => step.origin === 'value').map(({ key: part }) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  // Of a list of texts all is shown: what is wrong in it can be seen there.
  const isNested = key === 'gates' || key === 'limits' || key === 'stages' || key === 'holdout';
  const last = issue.path?.at(-1);
  if (isNested && last?.origin === 'key' && issue.expected === 'never') return `\`${key}${path}\` knows no \`${String(last.key)}\`: it ${issue.message}.`;
  if (isNested && issue.received === 'undefined') return `\`${key}${path}\` ${issue.message}: \`${String(last?.key)}\` is missing.`;
  return isNested ? `\`${key}${path}\` ${issue.message}; it is ${JSON.stringify(issue.input)}.` : `\`${key}\` ${issue.message}; it is ${JSON.stringify(given)}.`;
}

function isInside(path: string): boolean {
  // The root itself would hold out all that there is.
  return !/^(?:[/\\~]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..') && !/^(?:\.[/\\]?)*$/.test(path);
}

/** The choices that an edit of program.md can change while a run goes on. */
export function liveChoices(from: Choices): Choices {
  return Object.fromEntries(Object.entries(from).filter(([key]) => (OPTIONS as Record<string, OptionInfo>)[key]?.live === true));
}

/** Of choices that program.md makes, those that it can't: each is a problem. */
export function outsideProblems(choices: Choices): readonly Problem[] {
  return Object.entries<OptionInfo>(OPTIONS).flatMap(([key, { outside, flag = '', setting = '' }]) =>
    (outside === true && choices[key as OptionKey] !== undefined ? [{ key, message: `\`${key}\` is about your machine and can't stand in program.md: use ${flag}, or the setting ${setting}.` }] : []));
}

function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTIONS, key);
}

function unknownKey(key: string): string {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
  const near = Object.keys(OPTIONS).find((known) => plain(known) === plain(key) || plain(known).startsWith(plain(key)) || plain(key).startsWith(plain(known)));
  const hint = near === undefined ? `Known keys: ${Object.entries<OptionInfo>(OPTIONS).filter(([, { outside }]) => outside !== true).map(([known]) => known).join(', ')}.` : `Did you mean \`${near}\`?`;
  return `There is no option \`${key}\` in this version. ${hint}`;
}
