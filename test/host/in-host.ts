/** Runs the suites inside the extension host. Bundled with them by run.ts, and called by the editor. */
import { format } from 'node:util';
import { HOST_LINE } from './host-log.ts';
import { MARKER_VARIABLE } from './processes.ts';
import { handOver } from './result.ts';

/** What run.ts is handed. */
export interface SuiteCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The launcher gets the workbench's messages in one stream with those of the tests: this tells them apart. */
function markConsole(): void {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    const print = console[method].bind(console);
    // The extension host ignores a plain assignment.
    Object.defineProperty(console, method, { value: (...args: unknown[]) => print(HOST_LINE + format(...args)) });
  }
}

/** Loads and runs the suites; throws when a test failed, which is how the editor learns of it. */
export async function runSuites(load: readonly (() => Promise<unknown>)[]): Promise<void> {
  // Before mocha is loaded, which keeps the console that it finds. The desktop's own output needs no mark.
  if (process.env[MARKER_VARIABLE] !== undefined) markConsole();
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: 60_000, color: false });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const suite of load) await suite();
  const counts = await new Promise<SuiteCounts>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures, skipped: pending });
    });
  });
  handOver(counts);
  if (counts.failed > 0) throw new Error(`Failed tests: ${counts.failed}.`);
}
