import { lineTexts } from '../edit/lines.ts';
import { isProtected, type ProtectedRange } from '../protect.ts';
import { parsedParts, regionsOf, type Region, type Regions } from '../regions.ts';
import { lineFinder, type SyntaxTree } from '../syntax.ts';
import { changesIn } from './changes.ts';
import { emptied } from './emptied.ts';
import { guessedChanges } from './guessed.ts';
import { MUTATION_KINDS, type Change, type Mutant, type Replacement } from './mutant.ts';

/** The regions that are tried, and the breaks in the order in which they are tried. */
export interface Audit extends Regions {
  readonly mutants: readonly Mutant[];
}

/** So many breaks of one region are tried, of different kinds where it has them. */
const MOST_PER_REGION = 3;
/** Regions by how much a break of one tells: what does something comes before what is set. */
const RANK = { function: 0, method: 0, block: 0, statements: 1, class: 2, constant: 3 } as const;

/**
 * The breaks of a target, the most telling first: functions before constants, the largest first, and no region twice
 * before each was broken once. What is protected stays as it is: no candidate can change it.
 */
export function auditOf(text: string, tree: SyntaxTree | undefined, protectedRanges: readonly ProtectedRange[] = []): Audit {
  const regions = regionsOf(text, tree);
  const lineAt = lineFinder(text);
  const isOpen = ({ start, end }: Replacement): boolean => !isProtected(protectedRanges, { from: lineAt(start), to: lineAt(Math.max(start, end - 1)) }, { start, end });
  const changes = changesOf(text, tree, regions);
  const queues = regions.regions
    .map((region) => ({ region, queue: chosen(region, (changes.get(region.name) ?? []).filter(isOpen)) }))
    .filter(({ queue }) => queue.length > 0)
    .sort((a, b) => RANK[a.region.kind] - RANK[b.region.kind] || size(b.region) - size(a.region) || a.region.from - b.region.from);
  const mutants: Mutant[] = [];
  for (let round = 0; round < MOST_PER_REGION; round++) {
    for (const { region, queue } of queues) {
      const change = queue[round];
      if (change !== undefined) mutants.push(mutantOf(change, region, lineAt(change.start)));
    }
  }
  return { ...regions, regions: queues.map(({ region }) => region), mutants };
}

function changesOf(text: string, tree: SyntaxTree | undefined, { regions }: Regions): ReadonlyMap<string, readonly Change[]> {
  const parts = parsedParts(tree);
  if (parts === undefined || tree === undefined) return new Map(guessedChanges(text, lineTexts(text), regions));
  const inside = changesIn(tree, parts);
  return new Map(parts.map((part) => [part.region.name, [...emptied(tree, part), ...(inside.get(part) ?? [])]]));
}

/** One of each kind in the order of kinds, then what is left. A guessed block is taken out last: that may break the syntax of the whole. */
function chosen({ kind: of }: Region, changes: readonly Change[]): readonly Change[] {
  if (of === 'block') return changes;
  const firsts = MUTATION_KINDS.flatMap((kind) => changes.find((change) => change.kind === kind) ?? []);
  return [...firsts, ...changes.filter((change) => !firsts.includes(change))].slice(0, MOST_PER_REGION);
}

function mutantOf({ kind, what, start, end, by }: Change, region: Region, line: number): Mutant {
  return { id: `${kind}:${start}-${end}`, region: region.name, line, kind, description: what, start, end, by };
}

function size({ from, to }: Region): number {
  return to - from + 1;
}
