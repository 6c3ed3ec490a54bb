import { extname } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import type { Metric } from '../../../records.ts';
import { reportOf } from '../../../loop/score.ts';
import { isWithin } from '../../../wire/root.ts';
import { readCommands } from './command-line.ts';
import { pickOne, readingOf } from './reading.ts';
import type { NamedScript } from './scripts.ts';
import type { Surroundings } from './surroundings.ts';

/** What makes hyperfine write the report that is read. */
export const HYPERFINE_REPORT = ' --export-json ratchet-hyperfine.json';

const MOST = 2;
const MEAN: Metric = { name: 'mean', direction: 'lower', unit: 's' };
/** Options whose value is a word of its own. */
const VALUED = /^(?:-[wmMrspCcSun]|--(?:warmup|min-runs|max-runs|runs|setup|prepare|conclude|cleanup|shell|time-unit|style|sort|output|input|command-name|export-\w+))$/;
/** Options that make more than one time of a command. */
const MANY = /^(?:-[PLD]|--parameter-.*|--reference.*)$/;

/** Shell scripts that are one call of hyperfine: that call. */
export async function hyperfineScripts(around: Surroundings, scripts: readonly NamedScript[]): Promise<readonly ScorerOffer[]> {
  const offers: ScorerOffer[] = [];
  for (const { path, kind } of scripts) {
    if (kind !== 'bench' || !/^\.(?:ba|z)?sh$/.test(extname(path))) continue;
    const line = hyperfineLine((await around.files.read(path)) ?? '');
    if (line !== undefined) offers.push({ scorer: line, folder: isWithin(around.home, path) ? around.home : around.root, ...hyperfineRead(line, 'its script') });
  }
  return offers.slice(0, MOST);
}

/** The line of a shell script that calls hyperfine and does nothing else, with a report; undefined where it does more. */
export function hyperfineLine(script: string): string | undefined {
  const lines = script.replace(/\\\n/g, ' ').split('\n').map((line) => line.trim()).filter((line) => !/^(?:#.*|set\s.*|)$/.test(line));
  const [line] = lines;
  const commands = lines.length === 1 && line !== undefined && !/\$[@*\d]/.test(line) ? readCommands(line) : undefined;
  if (line === undefined || commands?.length !== 1 || commands[0]?.program !== 'hyperfine') return undefined;
  return reportOf(line) === undefined ? `${line}${HYPERFINE_REPORT}` : line;
}

/** What is read of a line of hyperfine that writes its report. */
export function hyperfineRead(line: string, where: string): Pick<ScorerOffer, 'why' | 'metric'> {
  const args = readCommands(line)?.find(({ program }) => /(?:^|\/)hyperfine$/.test(program))?.args;
  const timed = args?.filter((word, index) => !word.startsWith('-') && !VALUED.test(args[index - 1] ?? ''));
  const [only] = timed?.length === 1 && !args?.some((word) => MANY.test(word)) ? timed : [];
  // The report gives `mean` alone only where one command is timed.
  return only === undefined ? { why: pickOne('hyperfine', where, MEAN) } : { why: readingOf('hyperfine', only, MEAN), metric: MEAN };
}
