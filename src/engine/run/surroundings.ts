import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BlobId } from '../../records.ts';
import { changesBetween, changeWords, inventoryText, readInventory, UNKNOWN_BEFORE, type Inventory } from '../../loop/inventory.ts';
import type { RunState } from '../../loop/ledger.ts';
import { slashes } from '../start/scorer-choice.ts';
import type { Measuring, RunContext } from './context.ts';
import { readLive, readShown } from './inventory.ts';

/** Why an epoch begins. */
export interface Change {
  readonly why: string;
  readonly changed: readonly string[];
}

/** What changed at the same time begins one epoch. */
export function bothChanges(one: Change | undefined, other: Change | undefined): Change | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { why: `${one.why} ${other.why}`, changed: [...one.changed, ...other.changed] };
}

const STEP_MS = 1_000;
/** An installation changes a folder for so long; most are done within seconds. */
const MOST_STEPS = 120;

/** Looking takes at most this share of a run's time. */
const SHARE = 1 / 20;

/** What the scorer is shown besides the target: what of it is another since the run broke off, and what changes while it goes on. */
export class Surroundings {
  /** What changed while the run was broken off; undefined where nothing did. */
  readonly since: Change | undefined;
  private readonly context: RunContext & Measuring;
  private readonly copied: Inventory;
  private live: Inventory;
  private nextMs = 0;

  private constructor(context: RunContext & Measuring, since: Change | undefined, copied: Inventory, live: Inventory) {
    this.context = context;
    this.since = since;
    this.copied = copied;
    this.live = live;
  }

  static async open(context: RunContext & Measuring): Promise<Surroundings> {
    const { slot: { shown }, tools, resumed, store } = context;
    const before = resumed?.inventory === undefined ? undefined : readInventory(await store.blob(resumed.inventory).catch(() => ''));
    const [copied, live] = [await readShown(shown, await programIn(context), before), await readLive(shown, tools)];
    const since = resumed === undefined ? undefined : changeSince(resumed, before, new Map([...copied, ...live]));
    return new Surroundings(context, since, copied, live);
  }

  /** Keeps the inventory, as it is now. */
  async kept(): Promise<BlobId> {
    return this.context.store.keep(inventoryText(new Map([...this.copied, ...this.live])));
  }

  /** What changed of that which the scorer sees as it is at any moment; waits until it is done changing. Undefined where nothing did. */
  async changedMeanwhile(): Promise<Change | undefined> {
    const { slot: { shown }, tools, sleep, signal, onActivity } = this.context;
    const fromMs = performance.now();
    if (fromMs < this.nextMs) return undefined;
    let now = await readLive(shown, tools);
    this.nextMs = performance.now() + (performance.now() - fromMs) / SHARE;
    if (changesBetween(this.live, now).length === 0) return undefined;
    onActivity({ doing: 'baseline', note: 'waiting for a folder of the project that is being made anew' });
    for (let step = 0; step < MOST_STEPS && !signal.aborted; step++) {
      await sleep(STEP_MS);
      const next = await readLive(shown, tools);
      if (changesBetween(now, next).length === 0) break;
      now = next;
    }
    const changed = changesBetween(this.live, now);
    this.live = now;
    return changed.length === 0 ? undefined : changeWords(changed);
  }
}

function changeSince({ epoch, known }: RunState, before: Inventory | undefined, now: Inventory): Change | undefined {
  const changed = before === undefined || before.size === 0 ? [] : changesBetween(before, now);
  if (changed.length > 0) return changeWords(changed);
  // An epoch in which start file and best were not both measured when it broke off is no ground to go on from.
  const isUnknown = before === undefined || before.size === 0 || (epoch !== undefined && (known === undefined || !epoch.isBestKnown));
  return isUnknown ? { why: UNKNOWN_BEFORE, changed: [] } : undefined;
}

/** The program steers the run, and is read again before each attempt. */
async function programIn({ workspace: { root }, plan: { program }, slot: { shown } }: RunContext & Measuring): Promise<readonly string[]> {
  return program === undefined ? [] : [slashes(relative(shown.top, join(await realpath(root), program)))];
}
