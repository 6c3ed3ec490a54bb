import { EventEmitter, type Disposable, type LogOutputChannel } from 'vscode';
import { BUILD } from '../build-id.ts';
import type { EngineClient } from '../wire/client.ts';
import { connectIfRunning, type EngineProgram } from '../wire/connect.ts';
import { openEngine } from '../wire/engine.ts';
import { openRuntime } from '../wire/runtime.ts';
import { openLink, type EngineLink } from './connection/link.ts';

/** One root's engine as this window knows it. At most one connection at a time. */
export class RootEngine {
  readonly root: string;
  private readonly engines: EngineHost;
  private current: EngineLink | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(root: string, engines: EngineHost) {
    this.root = root;
    this.engines = engines;
  }

  get link(): EngineLink | undefined {
    return this.current;
  }

  /** The engine where one runs; none is started. */
  async find(): Promise<EngineLink | undefined> {
    return this.inTurn(() => this.dial(false));
  }

  /** The engine, started where none runs. Rejects with what it said. */
  async open(): Promise<EngineLink> {
    const link = await this.inTurn(() => this.dial(true));
    if (link === undefined) throw new Error(`The engine of ${this.root} ended as soon as it had started.`);
    return link;
  }

  /** Leaves the engine, which goes on. */
  async close(): Promise<void> {
    const link = await this.inTurn(() => Promise.resolve(this.current));
    link?.close();
    await link?.closed;
  }

  private async dial(start: boolean): Promise<EngineLink | undefined> {
    if (this.current !== undefined) return this.current;
    const { program, log } = this.engines;
    const runtime = await openRuntime(this.root, process.env, process.platform);
    // Starts it, and has one of an older build make room where it is idle. It stays until the link holds the engine.
    const open = (): Promise<EngineClient> => openEngine(this.root, runtime, program, BUILD, 'editor');
    // An engine that is dying may still take a call; the second one starts a new engine.
    const first = start ? await open().catch(open) : undefined;
    const link = await connectIfRunning(runtime)
      .then((connection) => (connection === undefined ? undefined : openLink(connection, BUILD, log)))
      .finally(() => first?.close());
    if (link === undefined) return undefined;
    log.info(`[engine] connected to process ${link.engine.pid} (${link.engine.build}) of ${this.root}`);
    this.current = link;
    link.closed.then(() => this.lost(link)).catch(() => undefined);
    this.engines.connected(this, link);
    return link;
  }

  private lost(link: EngineLink): void {
    this.current = undefined;
    this.engines.log.info(`[engine] the connection to process ${link.engine.pid} is closed`);
    this.engines.lost(this);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

/** What an engine's connection reports to. */
interface EngineHost {
  readonly program: EngineProgram;
  readonly log: LogOutputChannel;
  connected(engine: RootEngine, link: EngineLink): void;
  lost(engine: RootEngine): void;
}

export interface Connected {
  readonly engine: RootEngine;
  readonly link: EngineLink;
}

/** The engines of this window's roots. None is started before somebody asks for it. */
export class Engines implements Disposable {
  private readonly roots = new Map<string, RootEngine>();
  private readonly host: EngineHost;
  private readonly connects = new EventEmitter<Connected>();
  private readonly losses = new EventEmitter<RootEngine>();
  private leaving = false;
  readonly onDidConnect = this.connects.event;
  /** An engine that this window didn't leave is gone. */
  readonly onDidLose = this.losses.event;

  constructor(program: EngineProgram, log: LogOutputChannel) {
    this.host = {
      program,
      log,
      connected: (engine, link) => this.connects.fire({ engine, link }),
      lost: (engine) => {
        if (!this.leaving) this.losses.fire(engine);
      },
    };
  }

  of(root: string): RootEngine {
    let engine = this.roots.get(root);
    if (engine === undefined) this.roots.set(root, (engine = new RootEngine(root, this.host)));
    return engine;
  }

  /** Leaves every engine; resolves when the connections are closed. Runs go on. */
  async leave(): Promise<void> {
    this.leaving = true;
    await Promise.all([...this.roots.values()].map((engine) => engine.close()));
  }

  dispose(): void {
    void this.leave();
    this.connects.dispose();
    this.losses.dispose();
  }
}
