import { basename, dirname, extname, relative, sep } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import { defaultMetric } from '../../../loop/score.ts';
import { isWithin } from '../../../wire/root.ts';
import { isRunnable } from './files.ts';
import { hyperfineLine } from './hyperfine.ts';
import { shellWord } from '../../../loop/shell-word.ts';
import { distance, inFolder, type Surroundings } from './surroundings.ts';

/** A file that is named like a scorer or a benchmark. */
export interface NamedScript {
  readonly path: string;
  readonly kind: 'score' | 'bench';
  /** `slug` of slug.bench.ts; '' of bench.ts. */
  readonly of: string;
}

const NAME = /^(?:(.+)\.)?(score|bench(?:mark)?)\.(\w+)$/;
/** Folders beside a person's code in which such scripts lie. */
const USUAL = /^(?:bench(?:es|mark|marks)?|perf|scor(?:e|es|er|ing)|scripts|tools|evals?|tests?|__tests__|spec)$/;
const MOST = 4;

/** Score scripts and benchmarks near the target, best first: of its name, then plain ones, then others'; the nearest first. */
export function namedScripts(around: Surroundings): readonly NamedScript[] {
  const scripts = around.found.flatMap((path): readonly NamedScript[] => {
    const [, of = '', word = ''] = NAME.exec(basename(path)) ?? [];
    if (word === '') return [];
    return isNear(around, path) || of === around.stem ? [{ path, of, kind: word === 'score' ? 'score' : 'bench' }] : [];
  });
  const rank = ({ of, path }: NamedScript): number => (of === around.stem ? 0 : of === '' ? 100 : 200) + distance(around, path);
  return scripts.sort((one, other) => rank(one) - rank(other));
}

/** Scripts that give `score`. */
export async function scoreScripts(around: Surroundings, scripts: readonly NamedScript[]): Promise<readonly ScorerOffer[]> {
  const offers: ScorerOffer[] = [];
  const metric = defaultMetric('score');
  for (const { path, kind } of scripts) {
    if (kind !== 'score' || offers.length === MOST) continue;
    const run = await howToRun(around, path);
    if (run !== undefined) offers.push({ ...run, why: `${basename(path)} lies ${whereLies(around, path)}`, ...(metric === undefined ? {} : { metric }) });
  }
  return offers;
}

/** Benchmarks that print numbers under names of their own. */
export async function benchScripts(around: Surroundings, scripts: readonly NamedScript[]): Promise<readonly ScorerOffer[]> {
  const offers: ScorerOffer[] = [];
  for (const { path, kind } of scripts) {
    if (kind !== 'bench' || offers.length === MOST || hyperfineLine((await around.files.read(path)) ?? '') !== undefined) continue;
    const run = await howToRun(around, path);
    if (run !== undefined) offers.push({ ...run, why: `${basename(path)} prints numbers: pick one after Try once, and say which way is better` });
  }
  return offers;
}

function isNear(around: Surroundings, path: string): boolean {
  const folder = dirname(path);
  return around.upward.includes(folder) || (USUAL.test(basename(folder)) && around.upward.includes(dirname(folder)));
}

function whereLies(around: Surroundings, path: string): string {
  const folder = dirname(path);
  if (folder === dirname(around.target)) return 'beside the file';
  return folder === around.root ? 'in the root' : `in ${relative(around.root, folder).split(sep).join('/')}`;
}

const NODE = /^\.[cm]?[jt]s$/;
const SHELL = /^\.(?:ba|z)?sh$/;

/**
 * The choice that runs a script: its name alone for Node and Python, which the start resolves by what the file holds.
 * Undefined where it gives nothing to read, or where nothing is known to run it.
 */
async function howToRun(around: Surroundings, path: string): Promise<Pick<ScorerOffer, 'scorer' | 'folder'> | undefined> {
  const folder = isWithin(around.home, path) ? around.home : around.root;
  const name = shellWord(inFolder(folder, path));
  // A quote inside a name can't be said in a way that both sh and the start read alike.
  if (path.includes("'")) return undefined;
  const ending = extname(path);
  if (NODE.test(ending) || ending === '.py') {
    const text = await around.files.read(path);
    return text !== undefined && givesNumbers(text, ending) ? { scorer: name, folder } : undefined;
  }
  if (await isRunnable(path)) return { scorer: name, folder };
  if (!SHELL.test(ending)) return undefined;
  const text = (await around.files.read(path)) ?? '';
  const shell = /^#!.*\b(bash|zsh)\b/.exec(text)?.[1] ?? (ending === '.sh' ? 'sh' : ending.slice(1));
  return { scorer: `${shell} ${name}`, folder };
}

const PYTHON_GIVES = /\bprint\s*\(|\bsys\.stdout\b|\b(?:environ|getenv)\b.*RATCHET_RESULT|^(?:async )?def score\s*\(/m;
const NODE_GIVES = /\bconsole\.(?:log|info)\b|\bprocess\.stdout\b|\benv\b.*RATCHET_RESULT|^\s*export\s+default\b|^\s*module\.exports\s*=|^\s*exports\.default\s*=|\bas default\b/m;
/** What only a runner can start, or what is offered with its library's report. */
const NEEDS_A_RUNNER = /['"](?:vitest|bun:\w+|@jest\/globals|tinybench|mitata)['"]|\bDeno\.bench\b/;

/** Whether a script prints, or has what makes it a scoring module; and isn't one that only a runner can start. */
function givesNumbers(text: string, ending: string): boolean {
  return ending === '.py' ? PYTHON_GIVES.test(text) : NODE_GIVES.test(text) && !NEEDS_A_RUNNER.test(text);
}
