import { readFileSync } from 'node:fs';
import { parseLedger } from '../../src/loop/ledger-text.ts';
import { Store } from '../../src/engine/store.ts';
import type { LedgerEvent } from '../../src/records.ts';
import { Lab } from '../cli/lab.ts';
import { startModelServer } from '../engine/proposers/server.ts';
import { claimsOf, type Claim } from './claims.ts';
import { Driver, type Sample } from './drive.ts';
import { Drawn, faultIn, SCORER, TARGET, targetText, type ModelFault } from './faults.ts';
import { randomOf, whole } from './random.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly attempts: number;
  /** Verdicts between two kills. */
  readonly kills: readonly [least: number, most: number];
  /** Attempts of a second run, whose engine nobody kills: its memory is looked at. None where it is 0. */
  readonly steady: number;
  readonly onKill?: (verdicts: number) => void;
}

export interface Soak {
  readonly claims: readonly Claim[];
  readonly kills: number;
  /** Attempts that were in flight when their engine was killed. */
  readonly broken: number;
  readonly seconds: number;
  readonly modelFaults: Readonly<Record<ModelFault, number>>;
  /** Verdicts of candidates by what they make the scorer do. */
  readonly verdicts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A night in minutes: many attempts, whose engine is killed again and again, with faults of scorer and model drawn by a seed. */
export async function soak({ seed, attempts, kills: [least, most], steady, onKill }: SoakOptions): Promise<Soak> {
  const startMs = performance.now();
  const random = randomOf(seed);
  const drawn = new Drawn(randomOf(seed + 1));
  const server = await startModelServer(() => drawn.next());
  const lab = await Lab.open({ [TARGET]: targetText(50, 'none'), 'score.sh': SCORER });
  const flags = { scorer: 'sh score.sh', proposer: 'openai', model: 'm', confirm: 'off', timeout: 2 } as const;
  try {
    const driver = new Driver(lab, `${server.origin}/v1`);
    let kills = 0;
    for (let goesOn = true; goesOn;) {
      let left = whole(random, least, most);
      goesOn = await driver.live({ ...flags, attempts }, (event) => event.type !== 'judged' || event.verdict === 'cancelled' || left-- > 0, whole(random, 0, LATEST_MS));
      if (!goesOn) break;
      kills++;
      onKill?.(driver.told.events.filter(({ type }) => type === 'judged').length);
    }
    const alone = new Driver(lab, `${server.origin}/v1`);
    if (steady > 0) await alone.live({ ...flags, attempts: steady }, () => true);
    const disk = parseLedger(await lab.read(`.ratchet/runs/${driver.run}/ledger.jsonl`)).events;
    const store = new Store(lab.folder, lab.path('.ratchet'));
    const edited = disk.flatMap((event) => (event.type === 'edited' ? [event] : []));
    const faults = new Map(await Promise.all(edited.map(async ({ attempt, candidate }) => [attempt, faultIn(await store.blob(candidate)) ?? 'none'] as const)));
    const claims = claimsOf({ attempts, disk, told: driver.told, survivors: [...driver.survivors, ...alone.survivors], steady: settled(alone.samples), samples: driver.samples, faults });
    return { claims, kills, broken: disk.filter((event) => event.type === 'judged' && event.verdict === 'cancelled').length, seconds: (performance.now() - startMs) / 1000, modelFaults: drawn.faults, verdicts: verdictsOf(disk, faults) };
  } catch (error) {
    // What the last engine said of its end would go with its folder.
    throw new Error(`The soak broke off. The engine's log ends so:\n${readFileSync((await lab.runtime()).log, 'utf8').slice(-LOG_CHARS)}`, { cause: error });
  } finally {
    await server.close();
    // Ends the engine, and fails where any process of all this is left.
    await lab.close();
  }
}

const LOG_CHARS = 4000;

/** A kill comes so long after a verdict at most, in milliseconds: in any part of the next attempt. */
const LATEST_MS = 300;

/** An engine's memory once it has begun to work. */
function settled(samples: readonly Sample[]): readonly Sample[] {
  return samples.filter(({ attempts }) => attempts >= 20);
}

function verdictsOf(disk: readonly LedgerEvent[], faults: ReadonlyMap<number, string>): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const event of disk) {
    if (event.type !== 'judged' || event.attempt === 0) continue;
    const of = (counts[faults.get(event.attempt) ?? 'no edit'] ??= {});
    of[event.verdict] = (of[event.verdict] ?? 0) + 1;
  }
  return counts;
}
