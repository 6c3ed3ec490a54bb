import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../../src/loop/options.ts';
import type { LedgerEvent } from '../../src/records.ts';
import { openEngine } from '../../src/wire/engine.ts';
import { engineEnvironment } from '../../src/wire/environment.ts';
import type { EngineClient } from '../../src/wire/client.ts';
import { census, type Survivor } from '../census.ts';
import { CLI, type Lab } from '../cli/lab.ts';
import { TARGET } from './faults.ts';

/** Resident memory of an engine, in MB, and how many attempts the run had then. */
export interface Sample {
  readonly attempts: number;
  readonly mb: number;
}

/** What a client was told of a run, over all its engines. */
export class Told {
  readonly events: LedgerEvent[] = [];
  /** Events that came a second time and weren't the same. */
  readonly contradictions: string[] = [];
  private readonly bySeq = new Map<number, LedgerEvent>();

  add(event: LedgerEvent): boolean {
    const before = this.bySeq.get(event.seq);
    if (before !== undefined && !isDeepStrictEqual(before, event)) this.contradictions.push(`${JSON.stringify(before)} and then ${JSON.stringify(event)}`);
    if (before !== undefined) return false;
    this.bySeq.set(event.seq, event);
    this.events.push(event);
    return true;
  }
}

const SAMPLE_MS = 100;
/** Within it nothing of a killed engine is alive (design.md), in milliseconds. */
const GONE_MS = 2000;

/** One engine after the other works on one run, and is killed when its time has come. */
export class Driver {
  readonly told = new Told();
  readonly samples: Sample[] = [];
  readonly survivors: Survivor[] = [];
  run = '';
  private readonly lab: Lab;
  private readonly baseUrl: string;
  /** Of the engine: one of another build than its client's would make room. */
  private readonly build = execFileSync(process.execPath, [CLI, '--version'], { encoding: 'utf8' }).trim();

  constructor(lab: Lab, baseUrl: string) {
    this.lab = lab;
    this.baseUrl = baseUrl;
  }

  /**
   * Starts the run, or has it go on, until it ends, or `stay` says that the engine's time has come: then it is killed so many
   * milliseconds later, wherever it is. False where the run has ended.
   */
  async live(flags: Choices, stay: (event: LedgerEvent) => boolean, lateMs = 0): Promise<boolean> {
    const { lab, told } = this;
    const env = engineEnvironment(lab.env);
    const client = await openEngine(lab.folder, await lab.runtime(), { node: process.execPath, script: CLI, env }, this.build, 'terminal');
    const over = Promise.withResolvers<void>();
    let goesOn = true;
    const hear = (event: LedgerEvent): void => {
      if (!told.add(event)) return;
      goesOn &&= event.type !== 'run-ended' || event.reason === 'engine-died';
      if (!goesOn || !stay(event)) over.resolve();
    };
    client.on('ratchet/event', hear);
    const asked = { env, baseUrl: this.baseUrl, detached: true } as const;
    const watch = async (): Promise<void> => (await client.request('ratchet/watch', { run: this.run })).forEach(hear);
    if (this.run === '') {
      ({ run: this.run } = await client.request('ratchet/start', { target: lab.path(TARGET), flags, settings: {}, ...asked }));
    } else {
      // It may have ended just before its engine was killed, and nobody was told.
      await watch();
      if (goesOn) await client.request('ratchet/resume-ended', { run: this.run, ...asked });
    }
    await watch();
    const sampling = this.sample(client.engine.pid);
    await over.promise;
    if (goesOn) await sleep(lateMs);
    sampling.stop();
    if (goesOn) await this.kill(client);
    else client.close();
    return goesOn;
  }

  private async kill(client: EngineClient): Promise<void> {
    process.kill(client.engine.pid, 'SIGKILL');
    await client.closed;
    const deadline = performance.now() + GONE_MS;
    let left = this.alive();
    for (; left.length > 0 && performance.now() < deadline; left = this.alive()) await sleep(20);
    this.survivors.push(...left);
  }

  /** Whatever a scorer of the run started, by the mark in its environment. */
  private alive(): readonly Survivor[] {
    return census(`RATCHET_MARK=${this.run}`);
  }

  private sample(pid: number): { stop(): void } {
    const look = (): void => {
      const kb = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${String(pid)}/status`))?.[1];
      if (kb !== undefined) this.samples.push({ attempts: this.told.events.filter(({ type }) => type === 'judged').length, mb: Number(kb) / 1024 });
    };
    const timer = setInterval(look, SAMPLE_MS);
    return { stop: () => clearInterval(timer) };
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
