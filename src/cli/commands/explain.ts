import { resolve } from 'node:path';
import { HumanError } from '../../errors.ts';
import { explain, type Unexplained } from '../../loop/explain.ts';
import { explanationText } from '../../loop/explain/text.ts';
import { readResults } from '../../loop/results.ts';
import { EXIT } from '../exit.ts';
import { textWidth, type Terminal } from '../terminal.ts';
import { readTextFile } from '../text-file.ts';

export interface ExplainFlags {
  readonly noise?: number;
  readonly direction?: string;
  readonly json?: boolean;
}

/** `ratchet explain RESULTS.tsv`: what the kept rows of anybody's log are worth. Runs nothing and writes nothing. */
export async function explainLog(terminal: Terminal, file: string, { noise, direction, json = false }: ExplainFlags): Promise<number> {
  if (direction !== undefined && direction !== 'higher' && direction !== 'lower') throw new HumanError('bad-use', `--direction is higher or lower, not ${direction}.`);
  if (noise !== undefined && !(noise >= 0 && noise < Infinity)) throw new HumanError('bad-use', '--noise is the standard deviation of one run in the metric\'s unit: a number that is 0 or more.');
  const path = resolve(terminal.cwd, file);
  const table = readResults(await readTextFile(path, MOST_BYTES));
  const explanation = explain(table, { ...(noise === undefined ? {} : { noise }), ...(direction === undefined ? {} : { direction }) });
  // Also where nothing can be explained: that may be why.
  if (explanation !== 'no-table') {
    for (const warning of table.warnings.slice(0, MOST_WARNINGS)) terminal.err(`${warning}\n`);
    const more = table.warnings.length - MOST_WARNINGS;
    if (more > 0) terminal.err(`And ${more} more ${more === 1 ? 'line is' : 'lines are'} left out.\n`);
  }
  if (typeof explanation === 'string') throw new HumanError('bad-use', `${path} ${WHY[explanation]}`);
  terminal.out(json ? `${JSON.stringify(explanation)}\n` : explanationText(explanation, textWidth(terminal)));
  return EXIT.done;
}

const WHY: Readonly<Record<Unexplained, string>> = {
  'no-table': 'is not a results.tsv: its first line must name the columns, tab-separated, with a status and a metric among them, as in: commit, val_bpb, memory_gb, status, description.',
  'no-scores': 'has no row with a status of keep, discard or crash and a number as its score. Name a log with attempts in it.',
  'one-row': 'has only one row with a score, and one run can\'t be compared with anything. Name a log with more attempts.',
  'no-keeps': 'has no row that was kept, so there is nothing to explain.',
  'no-direction': 'doesn\'t tell which way its metric is better. Say it with --direction higher or --direction lower.',
};

/** A log of a hundred thousand attempts is smaller. */
const MOST_BYTES = 50_000_000;
const MOST_WARNINGS = 5;
