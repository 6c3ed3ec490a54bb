import { loadParsers } from '../../engine/parsers.ts';
import { probeScratch } from '../../engine/scratch/create.ts';
import { newSlotFolder } from '../../engine/scratch/place.ts';
import { topOf } from '../../wire/root.ts';
import { Session } from '../../engine/session.ts';
import type { TryResult } from '../../protocol.ts';
import { BUILD } from '../../build-id.ts';
import { formatScore } from '../../loop/format.ts';
import { metricOf } from '../../loop/plan.ts';
import { duration } from '../../loop/stop.ts';
import { askOf, type RunFlags } from '../ask.ts';
import { assetsFolder } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { placeOfTarget } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** `ratchet score FILE`: runs the scorer once on the unchanged file and explains what it made of it. Starts no engine. */
export async function score(terminal: Terminal, file: string, flags: RunFlags): Promise<number> {
  const place = await placeOfTarget(terminal, file);
  const ask = askOf(terminal, place.target, flags);
  const abort = new AbortController();
  const interrupt = (): void => abort.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  const nothing = (): void => undefined;
  const top = await topOf(place.root);
  const [parsers, scratch] = await Promise.all([loadParsers(assetsFolder()), probeScratch(top, terminal.env, abort.signal)]);
  const session = new Session({
    root: place.root, top, data: place.store.folder, parsers, scratch, build: BUILD, now: () => new Date(), slotFolder: () => newSlotFolder(top, terminal.env),
    onEvent: nothing, onActivity: nothing, onRun: nothing, onFault: nothing,
  });
  try {
    const result = await session.tryOnce(ask, abort.signal);
    if (abort.signal.aborted) return EXIT.interrupted;
    if (flags.json === true) terminal.out(`${JSON.stringify(answer(result))}\n`);
    else terminal.out(explain(result, flags));
    return result.outcome === 'scored' ? EXIT.done : EXIT.refused;
  } finally {
    await session.dispose();
  }
}

function answer({ outcome, score: value, metrics, cases, why, durationMs }: TryResult): object {
  return { outcome, score: value ?? null, metrics, cases, why, durationMs: Math.round(durationMs) };
}

function explain(result: TryResult, flags: RunFlags): string {
  const name = flags.metric ?? 'score';
  const metric = metricOf({ metric: name, ...(flags.direction === 'lower' || flags.direction === 'higher' ? { direction: flags.direction } : {}) }, false) ?? { name, direction: 'higher' as const };
  const head = result.score === undefined ? result.outcome : `${metric.name}: ${formatScore(result.score, metric)}`;
  const others = result.candidates.length === 0 || result.score !== undefined ? '' : `It printed these numbers; name one with --metric: ${result.candidates.map((c) => `${c.name} (${c.value})`).join(', ')}.\n`;
  const printed = result.score === undefined && result.output !== '' ? `\nWhat it printed:\n${result.output}\n` : '';
  return `${head}\n${result.why}\nIt took ${duration(result.durationMs)}.\n${others}${printed}`;
}
