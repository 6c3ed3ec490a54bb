import { randomBytes } from 'node:crypto';
import { rm, unlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { setTimeout as startTimer } from 'node:timers';
import { setTimeout as wait } from 'node:timers/promises';
import { HumanError } from '../errors.ts';
import { PROTOCOL_VERSION } from '../protocol.ts';
import { maskSecrets } from '../loop/secrets.ts';
import { AllowedAnswers } from '../wire/allowed.ts';
import { connectIfRunning } from '../wire/connect.ts';
import { openRuntime, stateFolder, type Runtime } from '../wire/runtime.ts';
import { HERE, STALE_MS } from './claim.ts';
import { systemClocks } from './conditions/clocks.ts';
import { probeInhibitor } from './conditions/inhibitor.ts';
import { powerReader } from './conditions/power.ts';
import { probeConfinement } from './confine/probe.ts';
import { takeLock, type Lock } from './lock.ts';
import { loadParsers } from './parsers.ts';
import { probeScratch } from './scratch/create.ts';
import { newSlotFolder, slotBase, sweepSlots } from './scratch/place.ts';
import { dataOf, topOf } from '../wire/root.ts';
import { BEAT_MS } from './pulse.ts';
import { closeDeadRuns } from './recover.ts';
import { Door } from './serve.ts';
import { Session } from './session.ts';
import { newScorer } from './start/new-scorer.ts';
import { loadTemplates } from './start/new-scorer/templates.ts';

/** How an engine is told what it is. */
export interface EngineOptions {
  /** Absolute root that it belongs to. */
  readonly root: string;
  /** Folder of the grammars; read at the start, not needed afterwards. */
  readonly assets: string;
  /** Folder of the scoring scripts' templates; read at the start too. */
  readonly templates: string;
  readonly build: string;
  /** An engine with no client and no run ends itself after this time. */
  readonly idleMs: number;
}

/**
 * The engine's whole life: takes the root's lock, listens, and ends when it is idle or told to. Prints `ready` when it
 * listens, or one sentence where another engine serves the root already. Resolves when nothing of it is left.
 */
export async function engineMain(options: EngineOptions): Promise<void> {
  const { root } = options;
  const runtime = await openRuntime(root, process.env, process.platform);
  const lock = await lockOrServed(root, runtime);
  if (lock === undefined) {
    process.stdout.write('Another engine serves this folder.\n');
    return;
  }
  const log = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${maskSecrets(line)}\n`);
  const inhibitor = probeInhibitor(process.platform, process.env);
  const top = await topOf(root);
  await sweepSlots(await slotBase(top, process.env));
  const [parsers, templates, scratch, data] = await Promise.all([
    loadParsers(options.assets),
    loadTemplates(options.templates),
    probeScratch(top, process.env, new AbortController().signal),
    dataOf(root, stateFolder(process.env)),
  ]);
  const confinement = await probeConfinement(scratch, top, process.env, new AbortController().signal);
  const answers = new AllowedAnswers(runtime.folder);

  const over = Promise.withResolvers<void>();
  let idle: NodeJS.Timeout | undefined;
  let clients = 0;
  let ending = false;
  const restartIdle = (): void => {
    clearTimeout(idle);
    if (clients === 0 && session.isIdle && !ending) idle = startTimer(over.resolve, options.idleMs);
  };
  const session = new Session({
    root,
    top,
    data,
    parsers,
    scratch,
    confinement,
    answers,
    build: options.build,
    now: () => new Date(),
    readClocks: systemClocks,
    awake: { probe: inhibitor, readPower: powerReader(process.platform), env: process.env },
    slotFolder: () => newSlotFolder(top, process.env),
    onEvent: (event) => door.tell('ratchet/event', event, event.run),
    onActivity: (activity) => door.tell('ratchet/activity', activity, activity.run),
    onFault: (error) => log(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    onRun: (summary) => {
      door.tell('ratchet/run', summary);
      restartIdle();
    },
    onIdle: restartIdle,
  });
  await closeDeadRuns(session.store, () => new Date()).catch((error: unknown) => log(String(error)));
  const token = randomBytes(32).toString('hex');
  const door = new Door({
    session,
    token,
    log,
    newScorer: (ask) => newScorer(ask, { root, parsers, templates }),
    reply: { protocol: PROTOCOL_VERSION, build: options.build, root, pid: process.pid },
    // The answer goes out first.
    onRetire: () => setImmediate(over.resolve),
    onClients: (count) => {
      clients = count;
      restartIdle();
    },
  });

  await listen(door, runtime, token);
  process.once('SIGTERM', over.resolve).once('SIGINT', over.resolve).on('SIGHUP', () => undefined);
  // Whoever started this engine may be gone already, and its pipe with it.
  process.stdout.on('error', () => undefined).write('ready\n');
  restartIdle();

  const pulse = setInterval(() => {
    lock.renew().then((isOurs) => {
      if (isOurs) return;
      log('Another engine took this root over: this one ends.');
      over.resolve();
    }, (error: unknown) => log(String(error)));
  }, BEAT_MS);

  await over.promise;
  ending = true;
  clearTimeout(idle);
  clearInterval(pulse);
  door.close();
  await session.dispose();
  if (await lock.renew()) await unlink(runtime.token).catch(() => undefined);
  await lock.release();
}

/**
 * Takes the root's lock. Undefined where another engine serves already. One that holds the lock and doesn't listen is
 * starting or ending: wait for either. Rejects with HumanError where it is out of reach, on another machine.
 */
async function lockOrServed(root: string, runtime: Runtime): Promise<Lock | undefined> {
  for (let tries = 0; tries < START_TRIES; tries++) {
    const taken = await takeLock(runtime.lock);
    if ('lock' in taken) return taken.lock;
    const other = await connectIfRunning(runtime);
    other?.socket.destroy();
    if (other !== undefined) return undefined;
    const { holder } = taken;
    if (holder !== undefined && holder.place !== HERE)
      throw new HumanError('busy', `${root} is served by an engine in another container or on another machine (process ${holder.pid} on ${holder.host}). Work there, or end that engine; where it was killed, its hold ends ${STALE_MS / 60_000} minutes later.`);
    await wait(START_WAIT_MS);
  }
  throw new Error(`Another process holds ${runtime.lock} and doesn't answer. End it, or remove that file.`);
}

const START_WAIT_MS = 50;
const START_TRIES = 200;

async function listen(door: Door, runtime: Runtime, token: string): Promise<void> {
  // A new file each time: one that is there may be open to somebody, or a link.
  await rm(runtime.token, { force: true });
  await writeFile(runtime.token, token, { mode: 0o600, flag: 'wx' });
  // We hold the lock: a socket file that is there belongs to an engine that died.
  if (process.platform !== 'win32') await rm(runtime.socket, { force: true });
  door.server.listen(runtime.socket);
  await once(door.server, 'listening');
}
