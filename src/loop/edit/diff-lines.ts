/** What lines of a unified diff look like, for telling one from other text. */

const METADATA = /^(?:diff --git |Index: |={20,}$|index [0-9a-f]+\.\.|(?:old|new|deleted) (?:file )?mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files )/;

/** More lines than this before the first hunk are prose that merely looks alike. */
const MAX_HEADER_LINES = 16;

/** Lines that version control writes between the hunks of two files. */
export function isMetadata(line: string): boolean {
  return METADATA.test(line);
}

export function isHunkHeader(line: string): boolean {
  return /^@@(?: |$)/.test(line);
}

/** Whether the two lines from `at` on name the old and the new file. */
export function isFileHeader(lines: readonly string[], at: number): boolean {
  return Boolean(lines[at]?.startsWith('--- ')) && Boolean(lines[at + 1]?.startsWith('+++ '));
}

/** Whether a unified diff starts at a line: by a header, not by mere pluses and minuses. */
export function startsDiff(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return line.startsWith('diff --git ') || line.startsWith('Index: ') || isFileHeader(lines, at) || isHunkHeader(line);
}

/** The end (not included) of a unified diff that starts at a line of prose; undefined where none does. Blank lines at its end are prose. */
export function bareDiffEnd(lines: readonly string[], start: number): number | undefined {
  if (!startsDiff(lines, start)) return undefined;
  let end = start;
  let hunks = 0;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (isHunkHeader(line)) hunks += 1;
    else if (hunks === 0 && at - start >= MAX_HEADER_LINES) return undefined;
    const belongs = line === '' || isHunkHeader(line) || isMetadata(line) || isFileHeader(lines, at) || (at > start && isFileHeader(lines, at - 1))
      || (hunks > 0 && ' +-\\'.includes(line[0] ?? ''));
    if (!belongs) break;
    if (line !== '') end = at + 1;
  }
  return hunks > 0 ? end : undefined;
}
