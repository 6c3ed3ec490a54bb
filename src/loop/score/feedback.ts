import { shownLines } from './lines.ts';
import { maskSecrets } from '../secrets.ts';
import type { ScorerOutput } from './output.ts';

/**
 * What was printed, for the next request: at most `limitChars` characters, both streams, the beginning and (more of) the
 * end of each, without terminal codes. Standard error comes last; whichever is short leaves its room to the other.
 */
export function feedbackOf(output: ScorerOutput, limitChars = 6_000): string {
  const stdout = tidied(output.stdout);
  const stderr = tidied(output.stderr);
  const titles = (stdout === '' ? 0 : OUT.length) + (stderr === '' ? 0 : ERR.length) + (stdout !== '' && stderr !== '' ? 1 : 0);
  const room = Math.max(0, limitChars - titles);
  const forErr = Math.min(stderr.length, Math.max(Math.ceil(room / 2), room - stdout.length));
  const parts = [
    ...(stdout === '' ? [] : [OUT + clipped(stdout, room - forErr)]),
    ...(stderr === '' ? [] : [ERR + clipped(stderr, forErr)]),
  ];
  return parts.join('\n').slice(-Math.max(1, limitChars));
}

/** A kept feedback, for the next request: it was bounded more widely when it was kept. */
export function boundedFeedback(feedback: string, limitChars = 6_000): string {
  return clipped(feedback, limitChars);
}

const OUT = 'standard output:\n';
const ERR = 'standard error:\n';

function tidied(text: string): string {
  // Only the two ends can be shown: the middle of a huge text isn't worth cleaning.
  const ends = text.length > 400_000 ? `${text.slice(0, 100_000)}\n[…]\n${text.slice(-200_000)}` : text;
  // Again, now that no colours stand within a secret.
  return maskSecrets(shownLines(ends).map((line) => line.trimEnd()).join('\n')).replace(/\n{3,}/g, '\n\n').replace(/^\n+|\n+$/g, '');
}

/** The beginning and the end of a text, a quarter and three quarters of the room, with what is missing counted. */
function clipped(text: string, room: number): string {
  if (text.length <= room) return text;
  const mark = `\n[… ${text.length - room} characters or more left out …]\n`;
  if (room <= mark.length * 2) return room <= 0 ? '' : whole(text.slice(-room));
  const head = Math.floor((room - mark.length) / 4);
  return whole(text.slice(0, head)) + mark + whole(text.slice(text.length - (room - mark.length - head)));
}

/** Without the half of a character that a cut may have left at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
