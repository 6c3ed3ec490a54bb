import { inhibit, type Inhibitor, type InhibitorProbe } from './inhibitor.ts';
import type { ReadPower } from './power.ts';

/** How often it is looked whether the machine is on mains, in milliseconds. */
const LOOK_MS = 30_000;

export interface AwakeDeps {
  readonly probe: Promise<InhibitorProbe>;
  readonly readPower: ReadPower;
  readonly env: NodeJS.ProcessEnv;
}

/** Keeps the machine awake while it is on mains and somebody wants that; a battery is the person's to spend. */
export class Awake {
  private readonly deps: AwakeDeps;
  private wanted = 0;
  private release: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(deps: AwakeDeps) {
    this.deps = deps;
  }

  /** Until the returned function is called, which is done once. */
  begin(): () => void {
    if (this.wanted++ === 0) this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
    return () => {
      if (--this.wanted === 0) this.end();
    };
  }

  /** What the start page says of it. `wanted`: as a person chose. */
  async words(wanted: boolean): Promise<string> {
    if (!wanted) return `this machine may sleep, as you chose. ${AGAIN}`;
    const [probe, power] = await Promise.all([this.deps.probe, this.deps.readPower()]);
    if ('why' in probe) return `this machine may sleep: ${probe.why}. ${AGAIN}`;
    return power.source === 'battery' ? `on battery it may sleep; on mains it is kept awake while the run goes on. ${AGAIN}` : 'this machine is kept awake while the run goes on';
  }

  private async look(): Promise<void> {
    const [probe, power] = await Promise.all([this.deps.probe, this.deps.readPower()]);
    if (this.wanted === 0 || 'why' in probe) return;
    if (power.source === 'battery') this.letGo();
    else this.release ??= this.hold(probe.inhibitor);
  }

  /** One that somebody ended is started again at the next look. */
  private hold(inhibitor: Inhibitor): () => void {
    const release = inhibit(inhibitor, this.deps.env, () => {
      if (this.release === release) this.release = undefined;
    });
    return release;
  }

  private end(): void {
    clearInterval(this.timer);
    this.letGo();
  }

  private letGo(): void {
    this.release?.();
    this.release = undefined;
  }
}

const AGAIN = 'What it sleeps through is measured again';
