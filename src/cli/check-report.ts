import type { CheckLine, CheckReport } from '../loop/audit/report.ts';
import { cleanLine } from '../loop/one-line.ts';
import { duration } from '../loop/stop.ts';
import { GROUP_WORDS, VERDICT_SENTENCES } from '../loop/audit/words.ts';

/** More than any line of a report holds. */
const MAX_CHARS = 4_000;
const INDENT = 12;
const LEAST_WIDTH = 40;

/** A report for the screen: a verdict a line, and below it what it was found by. `again`: the command that goes on. */
export function checkText(report: CheckReport, { width, again }: { readonly width: number; readonly again: string }): string {
  const groups = (Object.keys(GROUP_WORDS) as CheckLine['group'][]).flatMap((group) => {
    const lines = report.lines.filter((line) => line.group === group);
    return lines.length === 0 ? [] : [`\n${GROUP_WORDS[group]}\n${lines.map((line) => lineText(line, width)).join('')}`];
  });
  const command = report.command === undefined ? '' : `Measured with: ${cleanLine(report.command, MAX_CHARS)}\n`;
  return `${groups.join('')}\n${cleanLine(report.target, MAX_CHARS)}: ${report.left > 0 && report.stopped ? 'as far as it was tried, ' : ''}${VERDICT_SENTENCES[report.verdict]}\n${command}${endText(report, again)}`;
}

function lineText({ verdict, title, evidence }: CheckLine, width: number): string {
  const wrapped = wrap(cleanLine(evidence, MAX_CHARS), Math.max(LEAST_WIDTH, width - INDENT));
  return `${verdict.padEnd(INDENT)}${title}\n${wrapped.map((line) => `${' '.repeat(INDENT)}${line}\n`).join('')}`;
}

function endText({ runs, spentMs, left, stopped, budgetMs }: CheckReport, again: string): string {
  if (runs === 0) return '';
  const made = `${runs} ${runs === 1 ? 'run' : 'runs'} of the scorer ${runs === 1 ? 'stands' : 'stand'} behind this; this check took ${duration(spentMs)}.\n`;
  if (left === 0) return made;
  return `${made}${left} more ${left === 1 ? 'was' : 'were'} wanted: ${stopped ? 'it was stopped' : `it may take ${duration(budgetMs)}`}. It goes on with: ${again}\n`;
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
