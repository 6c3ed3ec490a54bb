import { structuredPatch } from 'diff';

/** How many lines lead from one text to the other. */
export function lineCounts(before: string, after: string): { readonly addedLines: number; readonly removedLines: number } {
  const lines = structuredPatch('', '', before, after, '', '', { context: 0 }).hunks.flatMap((hunk) => hunk.lines);
  return {
    addedLines: lines.filter((line) => line.startsWith('+')).length,
    removedLines: lines.filter((line) => line.startsWith('-')).length,
  };
}
