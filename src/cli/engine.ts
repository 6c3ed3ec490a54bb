import { dirname, join } from 'node:path';
import { realpathSync } from 'node:fs';
import { BUILD } from '../build-id.ts';
import { engineMain } from '../engine/main.ts';
import type { EngineClient } from '../wire/client.ts';
import { findEngine, openEngine } from '../wire/engine.ts';
import { engineEnvironment } from '../wire/environment.ts';
import { EXIT } from './exit.ts';
import { humanError } from './human-error.ts';
import type { Place } from './root.ts';

const IDLE_MS = 60_000;

/** This program's bundle, which holds the engine too; the grammars lie beside it. */
function bundle(): string {
  const script = process.argv[1];
  if (script === undefined) throw new Error('A program that was started has a path.');
  return realpathSync(script);
}

/** Folder of the grammars. */
export function assetsFolder(): string {
  return join(dirname(bundle()), 'wasm');
}

/** Folder of the scoring scripts' templates. */
export function templatesFolder(): string {
  return join(dirname(bundle()), '..', 'media', 'scorers');
}

/** `ratchet engine --root R`: the engine's process, started by clients. */
export async function engine(root: string, idleMs: number | undefined): Promise<never> {
  try {
    await engineMain({ root, assets: assetsFolder(), templates: templatesFolder(), build: BUILD, idleMs: idleMs ?? IDLE_MS });
  } catch (error) {
    // Whoever started it tells the person.
    process.stdout.write(`${humanError(error)?.message ?? ''}\n`);
    throw error;
  }
  // All is written and disposed: whatever timer a library left must not keep an engine that serves nobody.
  process.exit(EXIT.done);
}

/** The root's engine, started where none runs. */
export async function engineOf(place: Pick<Place, 'root' | 'runtime'>): Promise<EngineClient> {
  return openEngine(place.root, place.runtime, { node: process.execPath, script: bundle(), env: engineEnvironment(process.env) }, BUILD, 'terminal');
}

/** The root's engine where one runs. */
export async function runningEngine(place: Pick<Place, 'runtime'>): Promise<EngineClient | undefined> {
  return findEngine(place.runtime, BUILD, 'terminal');
}
