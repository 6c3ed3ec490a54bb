import { systemClocks } from '../../engine/conditions/clocks.ts';
import { probeConfinement } from '../../engine/confine/probe.ts';
import { loadParsers } from '../../engine/parsers.ts';
import { probeScratch } from '../../engine/scratch/create.ts';
import { newSlotFolder } from '../../engine/scratch/place.ts';
import { AllowedAnswers } from '../../wire/allowed.ts';
import { topOf } from '../../wire/root.ts';
import { Session } from '../../engine/session.ts';
import { ANY_PROPOSER, type TryResult } from '../../protocol.ts';
import { BUILD } from '../../build-id.ts';
import { formatScore, named } from '../../loop/format.ts';
import { duration } from '../../loop/stop.ts';
import { askOf, type RunFlags } from '../ask.ts';
import { startAsShown } from '../confirm.ts';
import { assetsFolder } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { hearInterrupts } from '../interrupt.ts';
import { placeOfTarget, type Place } from '../root.ts';
import { scorerAlone, scorerPage, wholePage } from '../start-page.ts';
import type { Terminal } from '../terminal.ts';

/** `ratchet score FILE`: runs the scorer once on the unchanged file and explains what it made of it. Starts no engine. */
export async function score(terminal: Terminal, file: string, flags: RunFlags): Promise<number> {
  const place = await placeOfTarget(terminal, file);
  const { signal, ignore } = hearInterrupts();
  try {
    return await scoreOnce(terminal, place, flags, signal);
  } catch (error) {
    // Whatever a stage makes of being broken off, the person did it.
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    ignore();
  }
}

async function scoreOnce(terminal: Terminal, place: Place & { readonly target: string }, flags: RunFlags, signal: AbortSignal): Promise<number> {
  const asked = askOf(terminal, place.target, flags);
  // Who proposes doesn't matter for one try.
  const ask = { ...asked, flags: { ...asked.flags, proposer: ANY_PROPOSER } };
  const nothing = (): void => undefined;
  const top = await topOf(place.root);
  const [parsers, scratch] = await Promise.all([loadParsers(assetsFolder()), probeScratch(top, terminal.env, signal)]);
  const confinement = await probeConfinement(scratch, top, terminal.env, signal);
  const answers = new AllowedAnswers(place.runtime.folder);
  const session = new Session({
    root: place.root, top, data: place.store.folder, parsers, scratch, confinement, answers, build: BUILD, now: () => new Date(), readClocks: systemClocks, slotFolder: () => newSlotFolder(top, terminal.env),
    onEvent: nothing, onActivity: nothing, onRun: nothing, onIdle: nothing, onFault: nothing,
  });
  try {
    const result = await startAsShown(terminal, place, flags, {
      page: async () => scorerAlone(wholePage(await session.page(ask))),
      text: scorerPage,
      start: (_, seen) => session.tryOnce({ ...ask, ...seen }, signal),
    });
    if (signal.aborted) return EXIT.interrupted;
    if (result === undefined) return EXIT.refused;
    terminal.out(flags.json === true ? `${JSON.stringify(answer(result))}\n` : explain(result));
    return result.outcome === 'scored' ? EXIT.done : EXIT.refused;
  } finally {
    await session.dispose();
  }
}

function answer({ outcome, score: value, metrics, cases, why, durationMs }: TryResult): object {
  return { outcome, score: value ?? null, metrics, cases, why, durationMs: Math.round(durationMs) };
}

function explain({ outcome, metric, score: value, why, durationMs, needs, candidates, output }: TryResult): string {
  const head = value === undefined ? outcome : `${named(metric, formatScore(value, metric), ': ')} (${metric.direction} is better)`;
  const others = candidates.length === 0 || value !== undefined ? '' : `It printed these numbers; name one with --metric: ${candidates.map((c) => `${c.name} (${c.value})`).join(', ')}.\n`;
  const printed = value === undefined && output !== '' ? `\nWhat it printed:\n${output}\n` : '';
  return `${head}\n${why}\n${needs === undefined ? '' : `${needs}\n`}It took ${duration(durationMs)}.\n${others}${printed}`;
}
