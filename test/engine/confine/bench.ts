import { confinementOf, type Confinement } from '../../../src/engine/confine/confinement.ts';
import { probeConfinement, type ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { execute, type Execution } from '../../../src/engine/execute.ts';
import { createSlot } from '../../../src/engine/scratch/create.ts';
import type { Slot, Workspace } from '../../../src/engine/scratch/slot.ts';
import { SAMPLE_PLAN } from '../../loop/sample-plan.ts';
import { bringBubblewrap } from '../../bubblewrap.ts';
import { type Bench, NEVER, useBench } from '../scratch/support.ts';
import { skipped } from '../../runners/install.ts';

/** As `useBench`, and skips the suite, saying why, where nothing can be confined here. */
export function useConfinedBench(kind: Slot['kind'], hand: (bench: Bench, probe: ConfinementProbe) => void): void {
  let probe: ConfinementProbe;
  let bench: Bench;
  useBench(kind, (made) => { bench = made; });
  before(async function () {
    this.timeout(300_000);
    const missing = await bringBubblewrap();
    if (missing !== undefined) skipped(this, missing);
  });
  beforeEach(async function () {
    probe = await probeConfinement(await bench.probe(bench.folder, kind), bench.folder, bench.environment(), NEVER);
    if (probe.kind === 'none') skipped(this, probe.how);
    hand(bench, probe);
  });
}

/** A slot whose commands are confined, as a run's are. */
export interface ConfinedSlot {
  readonly slot: Slot;
  readonly confinement: Confinement;
  /** Runs a command in the slot; `ioFolder` is the folder of its result. */
  readonly run: (command: readonly string[], ioFolder?: string, env?: Readonly<Record<string, string>>) => Promise<Execution>;
}

export interface Wish {
  readonly allow?: readonly string[];
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly heldOut?: readonly string[];
}

/** Opens one for a target at the top of its workspace. */
export async function confinedSlot(bench: Bench, kind: Slot['kind'], probe: ConfinementProbe, workspace: Workspace, { allow = [], command = 'true', env = {}, heldOut }: Wish = {}): Promise<ConfinedSlot> {
  const own = { ...bench.environment(), ...env };
  const plan = { ...SAMPLE_PLAN, scorer: { kind: 'shell', command } as const, allow };
  const confinement = await confinementOf({ plan, probe, top: workspace.top, root: workspace.root, tools: { node: process.execPath, python: 'python3' }, env: own });
  if (confinement === undefined) throw new Error('Nothing is confined here.');
  const wanted = { ...workspace, privately: confinement.privately, caches: confinement.caches, ...(heldOut === undefined ? {} : { heldOut }) };
  const slot = bench.keep(await createSlot(wanted, await bench.probe(workspace.top, kind), bench.slotFolder, NEVER));
  await slot.place('candidate\n');
  const run: ConfinedSlot['run'] = ([file = '', ...args], ioFolder, more = {}) => {
    const confined = { ...confinement.confined, mounts: [...confinement.confined.mounts, ...(ioFolder === undefined ? [] : [{ kind: 'write', path: ioFolder } as const])] };
    return execute(slot.enter({ file, args, cwd: slot.inside(workspace.root), env: { ...own, ...more } }, confined), { timeoutMs: 60_000, signal: NEVER, mark: bench.mark });
  };
  return { slot, confinement, run };
}
