import type { CommandPlan, Measured } from '../../records.ts';
import { oneLine } from '../one-line.ts';

/** What the gates say of a candidate. */
export type GateStep =
  | { readonly kind: 'passed' }
  | { readonly kind: 'run'; readonly name: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly failed: readonly string[] };

const SHOWN_NAMES = 3;
const NAME_CHARS = 100;

/**
 * The next gate to run, in their order; the first that fails ends it. One that failed in some of its runs on the unchanged
 * file (`start`) proves nothing by failing once: it is run a second time.
 */
export function gateStep(gates: readonly CommandPlan[], runs: readonly Measured[], start: readonly Measured[]): GateStep {
  for (const { name } of gates) {
    const own = of(name, runs);
    const last = own.at(-1);
    if (last === undefined) return { kind: 'run', name };
    if (own.some(hasPassed)) continue;
    if (own.length < 2 && isFlickering(name, start)) return { kind: 'run', name };
    return { kind: 'failed', reason: gateReason(last), failed: last.failed ?? [] };
  }
  return { kind: 'passed' };
}

/** Why a gate failed, with the first of the checks that did. */
export function gateReason({ name = '', why, failed = [] }: Measured): string {
  const names = failed.slice(0, SHOWN_NAMES).map((each) => oneLine(each, NAME_CHARS)).join(', ');
  const more = failed.length > SHOWN_NAMES ? ` and ${failed.length - SHOWN_NAMES} more` : '';
  return `The gate ${name} failed: ${names === '' ? oneLine(why, 300) : `${names}${more}.`}`;
}

export function hasPassed({ outcome }: Measured): boolean {
  return outcome === 'scored';
}

/** Whether a gate both passed and failed on the same file. */
export function isFlickering(name: string, start: readonly Measured[]): boolean {
  const own = of(name, start);
  return own.some(hasPassed) && !own.every(hasPassed);
}

function of(name: string, runs: readonly Measured[]): readonly Measured[] {
  return runs.filter((run) => run.role === 'gate' && run.name === name);
}
