import { isFileHeader, isHunkHeader, isMetadata } from './diff-lines.ts';
import { isSameFile, namedInHeader } from './names.ts';
import { quoted, type Refusal } from './refusal.ts';

export interface HunkLine {
  readonly kind: 'context' | 'removed' | 'added';
  readonly text: string;
}

export interface Hunk {
  /** From 1; absent where the header has no number. */
  readonly oldStart?: number;
  /** Lines without their sign. */
  readonly lines: readonly HunkLine[];
  /** How many blank lines at its end have no sign: they are context, or a mere gap before what follows. */
  readonly gap: number;
}

export interface UnifiedDiff {
  readonly hunks: readonly Hunk[];
  /** One for each header: the names that it gives, of which either may mean the target. */
  readonly files: readonly (readonly string[])[];
}

interface OpenHunk extends Hunk {
  readonly lines: HunkLine[];
  gap: number;
  /** Lines of the old and the new text that the header announces and that are still to come. Negative where it announced too few. */
  oldLeft: number;
  newLeft: number;
}

const KINDS: Readonly<Record<string, HunkLine['kind']>> = { ' ': 'context', '-': 'removed', '+': 'added' };

/** Reads a unified diff. Numbers in headers may be wrong or absent; a blank line without sign is blank context. */
export function parseDiff(lines: readonly string[], target: { readonly path: string }): UnifiedDiff | Refusal {
  const hunks: OpenHunk[] = [];
  const files: (readonly string[])[] = [];
  let hunk: OpenHunk | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const kind = KINDS[line[0] ?? ''];
    if (isFileHeader(lines, at) && endsHunk(hunk, lines, at, target)) {
      files.push([line, lines[at + 1] ?? ''].flatMap((header) => namedInHeader(header) ?? []));
      hunk = undefined;
      at += 1;
    } else if (isHunkHeader(line)) {
      hunk = openHunk(line);
      hunks.push(hunk);
    } else if (line.startsWith('\\') || (line === '' && hunk === undefined)) {
      // "\ No newline at end of file": the target keeps its state whatever the diff says.
    } else if (line === '' && hunk !== undefined) {
      addLine(hunk, { kind: 'context', text: '' });
      hunk.gap += 1;
    } else if (kind !== undefined) {
      // Some diffs have no "@@" line: then all is one hunk.
      if (hunk === undefined) hunks.push(hunk = openHunk(''));
      addLine(hunk, { kind, text: line.slice(1) });
      hunk.gap = 0;
    } else if (isMetadata(line)) {
      hunk = undefined;
    } else if (hunks.length > 0) {
      return { code: 'malformed', reason: `The line ${quoted(line)} of the diff starts with neither a space nor "-" nor "+". Give each line its sign.` };
    }
  }
  return { hunks, files };
}

function openHunk(header: string): OpenHunk {
  const [, oldStart, oldCount = '1', newCount = '1'] = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))?/.exec(header) ?? [];
  const counts = oldStart === undefined ? { oldLeft: 0, newLeft: 0 } : { oldLeft: Number(oldCount), newLeft: Number(newCount) };
  return { lines: [], gap: 0, ...counts, ...(oldStart === undefined ? {} : { oldStart: Number(oldStart) }) };
}

function addLine(hunk: OpenHunk, line: HunkLine): void {
  hunk.lines.push(line);
  if (line.kind !== 'added') hunk.oldLeft -= 1;
  if (line.kind !== 'removed') hunk.newLeft -= 1;
}

/**
 * Whether a `---` and a `+++` line are the header of a file. Within a hunk they may as well be a removed "-- …" and an added
 * "++ …": then they are a header if a hunk follows and either the numbers say that the hunk is over, or the names are plain.
 */
function endsHunk(hunk: OpenHunk | undefined, lines: readonly string[], at: number, target: { readonly path: string }): boolean {
  if (hunk === undefined) return true;
  if (!isHunkHeader(lines[at + 2] ?? '')) return false;
  const [from = '', to = ''] = [lines[at], lines[at + 1]];
  if (/^--- a\//.test(from) && /^\+\+\+ b\//.test(to)) return true;
  if ([from, to].some((header) => isSameFile(namedInHeader(header) ?? '', target.path))) return true;
  return hunk.oldLeft <= 0 && hunk.newLeft <= 0;
}
