import { connectIfRunning, connectOrStart, type EngineProgram } from './connect.ts';
import { HumanError } from '../errors.ts';
import { openClient, type EngineClient } from './client.ts';
import type { Hello } from '../protocol.ts';
import type { Runtime } from './runtime.ts';

/** The root's engine where one runs, of whatever build: good for watching, pausing and stopping. */
export async function findEngine(runtime: Runtime, build: string, client: Hello['client']): Promise<EngineClient | undefined> {
  const connection = await connectIfRunning(runtime);
  return connection === undefined ? undefined : openClient(connection, build, client);
}

/** The root's engine, started where none runs. One of another build makes room when it is idle, and serves on when it isn't. */
export async function openEngine(root: string, runtime: Runtime, program: EngineProgram, build: string, client: Hello['client']): Promise<EngineClient> {
  const found = await greeted();
  if (found.engine.build === build) return found;
  // An engine that goes may be gone before its answer is here.
  const goes = await found.request('ratchet/retire', {}).catch((error: unknown) => error instanceof HumanError && error.reason === 'busy');
  if (!goes) return found;
  await found.closed;
  return greeted();

  /** One that is ending, or was killed, may still take a connection in its last moment. */
  async function greeted(tries = 1): Promise<EngineClient> {
    try {
      return await openClient(await connectOrStart(root, runtime, program), build, client);
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof HumanError && error.reason === 'busy')) throw error;
      return greeted(tries + 1);
    }
  }
}

const MOST_TRIES = 3;
