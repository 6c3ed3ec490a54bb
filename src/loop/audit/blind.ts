import { diffArrays } from 'diff';
import { lineTexts } from '../edit/lines.ts';
import type { Region, Regions } from '../regions.ts';
import type { Finding } from './findings.ts';

/** The parts of a text that the score reacts to, and those whose breaking went unnoticed. What was not tried is in neither. */
export interface Sensitivity {
  readonly sensitive: readonly Region[];
  readonly blind: readonly Region[];
}

/**
 * What a check found, on the parts of a text as they lie now (`regionsOf` of the champion, say): parts are found again by
 * name and kind. Undefined where nothing was tried.
 */
export function blindRegions(findings: readonly Finding[], { regions }: Regions): Sensitivity | undefined {
  const verdicts = new Map(findings.map((finding) => [`${finding.kind} ${finding.name}`, finding.verdict]));
  const of = (verdict: Finding['verdict']): readonly Region[] => regions.filter(({ kind, name }) => verdicts.get(`${kind} ${name}`) === verdict);
  const found = { sensitive: of('noticed'), blind: of('unnoticed') };
  return found.sensitive.length + found.blind.length === 0 ? undefined : found;
}

/**
 * Whether an edit changes nothing but lines of these regions of `before`, so that the score can't be expected to react.
 * A class that is blind by itself may hold a method that isn't: give `blind` and `sensitive` of one Sensitivity.
 */
export function touchesOnlyBlind(before: string, after: string, { blind, sensitive }: Sensitivity): boolean {
  const isBlind = (line: number): boolean => innermost(line, blind, sensitive);
  let line = 1;
  let hasChanges = false;
  let isReplaced = false;
  for (const { added, removed, value } of diffArrays([...lineTexts(before)], [...lineTexts(after)])) {
    hasChanges ||= added || removed;
    // What is put between two lines belongs to a part that holds both.
    if (added && !isReplaced && !(isBlind(line - 1) && isBlind(line))) return false;
    if (removed) for (let at = line; at < line + value.length; at++) if (!isBlind(at)) return false;
    isReplaced = removed;
    if (!added) line += value.length;
  }
  return hasChanges;
}

/** Whether the smallest of the known regions around a line is a blind one. */
function innermost(line: number, blind: readonly Region[], sensitive: readonly Region[]): boolean {
  const around = (regions: readonly Region[]): number => Math.min(...regions.filter(({ from, to }) => from <= line && line <= to).map(({ from, to }) => to - from));
  return around(blind) < around(sensitive);
}
