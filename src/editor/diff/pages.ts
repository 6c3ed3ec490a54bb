import { stripVTControlCharacters } from 'node:util';
import { VERDICT_WORDS } from '../../loop/format.ts';
import type { AttemptState } from '../../loop/ledger.ts';
import { duration } from '../../loop/stop.ts';
import type { Measured } from '../../records.ts';
import type { L10n } from '../l10n.ts';

/** One run of the scorer and what it printed. */
export interface PrintedOutput {
  readonly measured: Measured;
  readonly text: string;
}

/** What the scorer printed for an attempt, run by run, as plain text. */
export function outputPage(outputs: readonly PrintedOutput[], l10n: L10n): string {
  const part = ({ measured, text }: PrintedOutput): string => {
    const head = l10n.t('{0}, seed {1}: {2} after {3}', roleWord(measured, l10n), measured.seed, measured.outcome, duration(measured.durationMs));
    return section(head, `${readable(measured.why)}\n\n${text.trim() === '' ? l10n.t('(It printed nothing.)') : readable(text)}`);
  };
  return outputs.map(part).join('\n');
}

/** What was asked and what came back; what became of it stands on top. */
export function replyPage(attempt: AttemptState, judged: boolean, reply: string, request: string, l10n: L10n): string {
  const verdict = judged && attempt.verdict !== undefined ? l10n.t('Attempt {0}: {1}', attempt.number, l10n.t(VERDICT_WORDS[attempt.verdict])) : l10n.t('Attempt {0}', attempt.number);
  const reason = judged && attempt.evidence !== undefined ? `${readable(attempt.evidence.reason)}\n` : '';
  return [
    `${verdict}\n${reason}`,
    section(l10n.t('the reply'), readable(reply)),
    section(l10n.t('the request'), readable(request)),
  ].join('\n');
}

function roleWord({ role }: Measured, l10n: L10n): string {
  switch (role) {
    case 'candidate': return l10n.t('Measured');
    case 'parent': return l10n.t('The parent, measured again');
    case 'gate': return l10n.t('A check');
    case 'holdout': return l10n.t('Measured on what was held out');
    case 'stage': return l10n.t('A first, short measurement');
    case 'canary': return l10n.t('With a file that must fail');
  }
}

function section(head: string, text: string): string {
  return `----- ${head} -----\n\n${text}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Terminal codes mean nothing in an editor, and a zero byte would make it a binary file. */
function readable(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\0', '␀');
}
