import type { CheckLine, CheckReport } from '../../loop/audit/report.ts';
import { GROUP_WORDS, VERDICT_SENTENCES } from '../../loop/audit/words.ts';
import { placed } from '../../loop/audit/findings.ts';
import { cleanLine } from '../../loop/one-line.ts';
import { duration } from '../../loop/stop.ts';
import type { L10n } from '../l10n.ts';

const MAX_CHARS = 4_000;
/** A file of a thousand functions is not listed to its end. */
const MOST_FINDINGS = 200;

/** A report as a page in Markdown, that reads as plain text too. */
export function checkPage(report: CheckReport, l10n: L10n): string {
  const command = report.command === undefined ? '' : `${l10n.t('Measured with: {0}', cleanLine(report.command, MAX_CHARS))}\n`;
  const groups = (Object.keys(GROUP_WORDS) as CheckLine['group'][]).flatMap((group) => {
    const lines = report.lines.filter((line) => line.group === group);
    return lines.length === 0 ? [] : [`## ${l10n.t(GROUP_WORDS[group])}\n\n${lines.map((line) => lineText(line, l10n)).join('')}`];
  });
  return [`# ${cleanLine(report.target, MAX_CHARS)}: ${l10n.t(VERDICT_SENTENCES[report.verdict])}\n`, `${command}${endText(report, l10n)}`, ...groups, ...findingsText(report, l10n)]
    .filter((part) => part !== '').join('\n');
}

function lineText({ verdict, title, evidence }: CheckLine, l10n: L10n): string {
  return `- **${l10n.t(verdict)}** ${l10n.t(title)}: ${cleanLine(evidence, MAX_CHARS)}\n`;
}

function findingsText({ findings, guessed }: CheckReport, l10n: L10n): readonly string[] {
  if (findings.length === 0) return [];
  const rows = findings.slice(0, MOST_FINDINGS).map(({ verdict, tried, noticed, unseen, ...region }) => {
    const word = verdict === 'noticed' ? l10n.t('the score reacts') : verdict === 'unnoticed' ? l10n.t('the score does not react') : l10n.t('not tried');
    const some = unseen.length === 0 ? '' : `; ${l10n.t('unnoticed: {0}', unseen.join(', '))}`;
    return `- ${cleanLine(placed(region), MAX_CHARS)}: ${word}${tried === 0 ? '' : ` (${l10n.t('{0} of {1} breaks', noticed, tried)}${cleanLine(some, MAX_CHARS)})`}\n`;
  });
  const more = findings.length > MOST_FINDINGS ? `- ${l10n.t('and {0} more', findings.length - MOST_FINDINGS)}\n` : '';
  return [`## ${l10n.t('Parts of the file')}\n\n${guessed === undefined ? '' : `${guessed}\n\n`}${rows.join('')}${more}`];
}

function endText({ runs, spentMs, left, stopped }: CheckReport, l10n: L10n): string {
  if (runs === 0) return '';
  const made = l10n.t('{0} runs of the scorer stand behind this; this check took {1}.', runs, duration(spentMs));
  if (left === 0) return `${made}\n`;
  const why = stopped ? l10n.t('It was stopped with {0} more wanted.', left) : l10n.t('Its time was over with {0} more wanted.', left);
  return `${made} ${why} ${l10n.t('Check the file again to go on.')}\n`;
}
