import { isDeepStrictEqual } from 'node:util';
import { foldAll } from '../../src/loop/ledger.ts';
import type { LedgerEvent, Verdict } from '../../src/records.ts';
import { median } from '../../bench/figures.ts';
import { SCORER_FAULTS } from './faults.ts';
import type { Sample, Told } from './drive.ts';
import type { Survivor } from '../census.ts';

/** Something that holds for a soak, or doesn't. */
export interface Claim {
  readonly what: string;
  readonly holds: boolean;
  /** What was seen. */
  readonly seen: string;
}

export interface Evidence {
  readonly attempts: number;
  readonly disk: readonly LedgerEvent[];
  readonly told: Told;
  readonly survivors: readonly Survivor[];
  /** Of one engine that nobody kills. */
  readonly steady: readonly Sample[];
  readonly samples: readonly Sample[];
  /** By the attempt's number: what its text makes the scorer do. Those without an edit have none. */
  readonly faults: ReadonlyMap<number, string>;
}

export const MOST_MB = 150;
/** Of the second half of an engine's life over the first: what garbage may wait to be collected. */
const MOST_GROWTH_MB = 8;

/** All that a soak must show. */
export function claimsOf({ attempts, disk, told, survivors, steady, samples, faults }: Evidence): readonly Claim[] {
  const judged = disk.flatMap((event) => (event.type === 'judged' ? [event] : []));
  const verdicts = new Map<number, Verdict[]>();
  for (const { attempt, verdict } of judged) verdicts.set(attempt, [...(verdicts.get(attempt) ?? []), verdict]);
  const decided = judged.filter(({ attempt, verdict }) => attempt > 0 && verdict !== 'cancelled');
  const begun = new Set(disk.flatMap((event) => (event.type === 'attempt-started' ? [event.attempt] : [])));
  const toldOf = new Map(told.events.flatMap((event) => (event.type === 'judged' ? [[event.attempt, event.verdict] as const] : [])));
  const lost = [...toldOf].filter(([attempt, verdict]) => verdicts.get(attempt)?.[0] !== verdict);
  const open = [...begun].filter((attempt) => !verdicts.has(attempt));
  const double = [...verdicts.values()].filter(({ length }) => length > 1);
  const wrong = wrongly(disk, faults);
  const ends = disk.findLast(({ type }) => type === 'run-ended');
  const [first, second] = [steady.slice(0, Math.floor(steady.length / 2)), steady.slice(Math.floor(steady.length / 2))].map((half) => median(half.map(({ mb }) => mb)));
  const growth = (second ?? NaN) - (first ?? NaN);
  const most = Math.max(0, ...samples.map(({ mb }) => mb), ...steady.map(({ mb }) => mb));
  const claim = (what: string, holds: boolean, seen: string): Claim => ({ what, holds, seen });
  return [
    claim('attempts with a verdict', decided.length === attempts && ends?.type === 'run-ended' && ends.reason === 'attempts', `${decided.length} of ${attempts}`),
    claim('verdicts lost, of those that a client was told', lost.length === 0 && open.length === 0, `${lost.length} of ${toldOf.size}; ${open.length} attempts without one`),
    claim('verdicts given twice', double.length === 0, String(double.length)),
    claim('numbers of events with a gap or twice', disk.every(({ seq }, index) => seq === index), String(disk.filter(({ seq }, index) => seq !== index).length)),
    claim('verdicts that a fault can\'t have', wrong.length === 0, wrong.length === 0 ? '0' : wrong.slice(0, 5).join('; ')),
    claim('the ledger folds the same from disk as what clients were told', told.contradictions.length === 0 && isDeepStrictEqual(foldAll(disk), foldAll([...told.events].sort((a, b) => a.seq - b.seq))), told.contradictions[0] ?? `${disk.length} events`),
    claim('processes left', survivors.length === 0, survivors.length === 0 ? '0' : survivors.map(({ command }) => command).join('; ')),
    claim('memory of the engine at most', most <= MOST_MB, `${Math.round(most)} MB, of ${MOST_MB} allowed`),
    ...(steady.length === 0 ? [] : [claim('memory of one engine, second half of its life against the first', growth <= MOST_GROWTH_MB, `${Math.round(second ?? NaN)} against ${Math.round(first ?? NaN)} MB`)]),
  ];
}

/** A crash that was scored, a hang that was kept: each attempt whose verdict doesn't fit what its text makes the scorer do. */
function wrongly(disk: readonly LedgerEvent[], faults: Evidence['faults']): readonly string[] {
  return disk.flatMap((event) => {
    if (event.type !== 'judged' || event.verdict === 'cancelled') return [];
    const fault = faults.get(event.attempt);
    const may: readonly Verdict[] = fault !== undefined && Object.hasOwn(SCORER_FAULTS, fault) ? SCORER_FAULTS[fault as keyof typeof SCORER_FAULTS].verdicts : ['kept', 'discarded', 'refused'];
    // A machine that is busy may end any run by its time limit.
    return may.includes(event.verdict) || event.verdict === 'timed-out' ? [] : [`attempt ${event.attempt}, ${fault ?? 'no text'}: ${event.verdict} (${event.evidence.reason})`];
  });
}
