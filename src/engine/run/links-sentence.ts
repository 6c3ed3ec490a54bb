import { cleanLine } from '../../loop/one-line.ts';
import { shellWord } from '../../loop/shell-word.ts';
import { fromHome } from '../../loop/blocked.ts';
import type { LinksTold } from '../scratch/links-out.ts';

const MOST_NAMES = 8;

/** What links open is never silent: a cloned project brings its own. Undefined where there is nothing to say. */
export function linksSentence({ opened, closed }: LinksTold, home: string | undefined): string | undefined {
  const names = (paths: readonly string[]): readonly string[] => paths.slice(0, MOST_NAMES).map((path) => cleanLine(fromHome(path, home), 200));
  const more = (paths: readonly string[]): string => (paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : '');
  const parts = [
    ...(opened.length === 0 ? [] : [`The project's links open to the scorer, to read: ${names(opened).join(', ')}${more(opened)}.`]),
    ...(closed.length === 0 ? [] : [`Its links don't open other projects: to open one, add ${names(closed).map((path) => `--allow ${shellWord(path)}`).join(' or ')}${more(closed)}.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}
