import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClocks } from '../../src/engine/conditions/clocks.ts';
import { loadParsers } from '../../src/engine/parsers.ts';
import { Session, type SessionDeps } from '../../src/engine/session.ts';
import type { Choices } from '../../src/loop/options.ts';
import type { RunActivity } from '../../src/protocol.ts';
import type { LedgerEvent } from '../../src/records.ts';
import { assertNoSurvivors } from '../census.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

/** A session without an engine's process, for tests that hand in what an engine takes from its machine. */
export class InProcess {
  readonly root: string;
  readonly events: LedgerEvent[] = [];
  /** Called with what the run does, as clients are told. */
  onActivity: (activity: RunActivity) => void = () => undefined;
  readonly session: Session;
  private readonly base: string;
  private over = Promise.withResolvers<void>();

  private constructor(base: string, parsers: SessionDeps['parsers'], given: Partial<SessionDeps>) {
    this.base = base;
    this.root = join(base, 'work');
    this.session = new Session({
      root: this.root, top: this.root, data: join(base, 'data'), parsers, scratch: { kind: 'copy', how: 'A copy.' }, build: 'test', now: () => new Date(), readClocks: systemClocks,
      slotFolder: () => Promise.resolve(join(base, `slot-${Math.random().toString(36).slice(2)}`)),
      onEvent: (event) => { this.events.push(event); }, onActivity: (activity) => this.onActivity(activity), onRun: ({ active }) => { if (!active) this.over.resolve(); }, onIdle: () => undefined, onFault: () => undefined,
      ...given,
    });
  }

  static async open(files: Readonly<Record<string, string>>, given: Partial<SessionDeps> = {}): Promise<InProcess> {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-in-process-')));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(base, 'work', name)), { recursive: true });
      writeFileSync(join(base, 'work', name), text);
    }
    return new InProcess(base, await loadParsers(grammars), given);
  }

  path(name: string): string {
    return join(this.base, name);
  }

  /** One run to its end; its scorer has TEST_BASE, a folder outside of its view. */
  async run(target: string, flags: Choices): Promise<readonly LedgerEvent[]> {
    this.over = Promise.withResolvers();
    this.events.splice(0);
    const env = { PATH: process.env['PATH'] ?? '', TEST_BASE: this.base };
    await this.session.start({ target: join(this.root, target), flags, settings: {}, env }, undefined);
    await this.over.promise;
    return this.events;
  }

  async close(): Promise<void> {
    await this.session.dispose();
    await assertNoSurvivors([this.base], 3000);
    rmSync(this.base, { recursive: true, force: true });
  }
}
