import { shellWord } from '../../../loop/shell-word.ts';
import { isAssignment, startsCommand, tokensOf } from './shell.ts';

/** One program of a command line. */
export interface Command {
  /** As it is written, without `npx`. */
  readonly program: string;
  readonly args: readonly string[];
}

/** The programs that a line of sh starts; undefined where the line needs more than words and operators to be understood. */
export function readCommands(line: string): readonly Command[] | undefined {
  const tokens = tokensOf(line);
  if (tokens === undefined) return undefined;
  const commands: string[][] = [[]];
  for (const { text, kind } of tokens) {
    if (kind === 'word' && !(commands.at(-1)?.length === 0 && (isAssignment(text) || text === 'npx'))) commands.at(-1)?.push(unquoted(text));
    else if (kind === 'operator' && startsCommand(text)) commands.push([]);
  }
  return commands.flatMap(([program, ...args]) => (program === undefined ? [] : [{ program, args }]));
}

/**
 * The same line with each program that is a local binary as its path, as npm would find it. Undefined where the line
 * alone doesn't do what npm does with it: it changes folder, reads npm's variables, or hands a local binary's name to
 * another program, which would look for it on the PATH.
 */
export async function resolveBinaries(line: string, local: (program: string) => Promise<string | undefined>): Promise<string | undefined> {
  const tokens = tokensOf(line);
  if (tokens === undefined || /\$npm_/.test(line)) return undefined;
  let program: string | undefined;
  let made = '';
  let npx = '';
  for (const { text, kind } of tokens) {
    if (kind === 'operator' && startsCommand(text)) program = undefined;
    if (kind !== 'word' || (program === undefined && isAssignment(text))) {
      made += npx === '' ? text : '';
      continue;
    }
    if (program === undefined && text === 'npx' && npx === '') {
      npx = text;
      continue;
    }
    const path = /^[\w@-][\w@.-]*$/.test(text) ? await local(text) : undefined;
    if (program === undefined) {
      if (text === 'cd' || text === 'pushd') return undefined;
      program = text;
      made += path === undefined ? `${npx === '' ? '' : `${npx} `}${text}` : shellWord(path);
      npx = '';
    } else {
      // Node takes such names for modules (`--import tsx`), and starts none of them.
      if (path !== undefined && program !== 'node') return undefined;
      made += text;
    }
  }
  return made;
}

function unquoted(word: string): string {
  return word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_whole, double: string | undefined, single: string | undefined, escaped: string | undefined) => double ?? single ?? escaped ?? '');
}

/** What a script gives a program beside its name, each word as it is written. */
export interface OwnWords {
  /** `NAME=value` words before the program. */
  readonly variables: readonly string[];
  readonly args: readonly string[];
}

/** The words around one program, where a line starts that program and nothing else. */
export function wordsAround(line: string, program: string): OwnWords | undefined {
  const tokens = tokensOf(line) ?? [];
  if (tokens.some(({ kind }) => kind === 'operator')) return undefined;
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text);
  const at = words.findIndex((word) => !isAssignment(word) && word !== 'npx');
  return words[at] === program ? { variables: words.slice(0, at).filter(isAssignment), args: words.slice(at + 1) } : undefined;
}
