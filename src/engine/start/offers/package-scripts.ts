import { resolve } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import { defaultMetric, reportOf } from '../../../loop/score.ts';
import { readCommands, resolveBinaries, type Command } from './command-line.ts';
import { HYPERFINE_REPORT, hyperfineRead } from './hyperfine.ts';
import type { Manifest } from './manifest.ts';
import { pickOne } from './reading.ts';
import { localBinary, type Surroundings } from './surroundings.ts';
import { VITEST_MEAN } from './vitest-bench.ts';

const NAMES = ['score', 'bench', 'benchmark'];
/** Others are offered only where a report is read: what else they print nobody knows. */
const ALSO = /^(?:bench(?:mark)?s?|perf)(?:[:._-]|$)/;
/** Programs whose own output gives no metric by name: without a report that is read they are no scorer. */
const UNREADABLE = /^(?:vitest|jest|mocha|ava|tap|tape|karma|playwright|cypress|pytest|cargo|go|asv|hyperfine|tsc|eslint)$/;

/** The scripts `score`, `bench`, `benchmark` and their like of every package.json from the target up, but for those that only start a file that is offered by itself. */
export async function packageScripts(around: Surroundings, offered: readonly ScorerOffer[]): Promise<readonly ScorerOffer[]> {
  const files = new Set(offered.flatMap(({ scorer, folder }) => (typeof scorer === 'string' ? [resolve(folder, scorer)] : [])));
  const offers: ScorerOffer[] = [];
  for (const manifest of around.manifests)
    for (const name of [...NAMES, ...[...manifest.scripts.keys()].filter((each) => !NAMES.includes(each) && ALSO.test(each))]) {
      const scorer = await commandOf(around, manifest, name, files);
      if (scorer === undefined || (!NAMES.includes(name) && reportOf(scorer) === undefined)) continue;
      const metric = name === 'score' ? defaultMetric('score') : undefined;
      const read = name === 'score' ? undefined : benchmarkRead(scorer, `the script \`${name}\``);
      offers.push({ scorer, folder: manifest.folder, ...(read ?? { why: `package.json has the script \`${name}\``, ...(metric === undefined ? {} : { metric }) }) });
    }
  return offers;
}

/** What is read of a benchmark whose command writes its report. */
function benchmarkRead(scorer: string, where: string): Pick<ScorerOffer, 'why' | 'metric'> | undefined {
  switch (reportOf(scorer)?.format) {
    case 'hyperfine':
      return hyperfineRead(scorer, where);
    case 'vitest-bench':
      return { why: pickOne('vitest bench', where, VITEST_MEAN) };
    default:
      return undefined;
  }
}

/** The script's own line, its local binaries as paths and a report asked for where one is read; `npm run` where only npm can run it. */
async function commandOf(around: Surroundings, { folder, scripts }: Manifest, name: string, offered: ReadonlySet<string>): Promise<string | undefined> {
  const line = scripts.get(name)?.trim() ?? '';
  const commands = readCommands(line);
  const last = commands?.at(-1);
  if (line === '' || commands?.some((command) => names(command, folder, around.target))) return undefined;
  if (commands?.length === 1 && last !== undefined && startsOnly(last, folder, offered)) return undefined;
  const byNpm = `npm run --silent ${name}`;
  if (commands === undefined || last === undefined || scripts.has(`pre${name}`) || scripts.has(`post${name}`)) return isReadable(line, last) ? byNpm : undefined;

  const wanted = commands.length === 1 ? `${line}${reporting(line, last)}` : line;
  if (!isReadable(wanted, last) || (last.program === 'vitest' && (await localBinary(around, folder, 'vitest')) === undefined)) return undefined;
  return (await resolveBinaries(wanted, (program) => localBinary(around, folder, program))) ?? (wanted === line ? byNpm : undefined);
}

/** What makes a benchmark's command write a report that is read. */
function reporting(line: string, { program, args }: Command): string {
  if (reportOf(line) !== undefined) return '';
  if (program === 'vitest' && args[0] === 'bench') return `${args.includes('--run') ? '' : ' --run'} --outputJson ratchet-bench.json`;
  return program === 'hyperfine' ? HYPERFINE_REPORT : '';
}

function isReadable(line: string, last: Command | undefined): boolean {
  if (reportOf(line) !== undefined || last === undefined) return true;
  return !UNREADABLE.test(last.program) && !(last.program === 'node' && last.args.includes('--test'));
}

/** A target that is its own benchmark can't score itself. */
function names({ program, args }: Command, folder: string, target: string): boolean {
  return [program, ...args].some((word) => resolve(folder, word) === target);
}

/** `node score.mjs` is what the offer of score.mjs does. */
function startsOnly({ program, args }: Command, folder: string, files: ReadonlySet<string>): boolean {
  const [file = '', ...rest] = /^(?:node|python3?)$/.test(program) ? args : [program, ...args];
  return rest.length === 0 && files.has(resolve(folder, file));
}
