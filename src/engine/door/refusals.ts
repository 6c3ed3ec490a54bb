import { cleanLine } from '../../loop/one-line.ts';

/** Of one connection, so many refusals stand in the log: whoever sends rubbish must not fill a disk with it. */
const MOST_LINES = 20;
const MOST_CHARS = 300;

/** Writes down what one connection was refused, each in a line, and at some point no more. */
export function refusalLog(log: (line: string) => void): (line: string) => void {
  let lines = 0;
  return (line) => {
    lines += 1;
    if (lines <= MOST_LINES) log(cleanLine(line, MOST_CHARS));
    if (lines === MOST_LINES) log('Further refusals of this connection are not written down.');
  };
}
