import * as v from 'valibot';
import { END_REASONS, LEDGER_VERSION, OUTCOMES, VERDICTS, type LedgerEvent } from '../records.ts';

/** What a ledger's text holds. */
export interface LedgerText {
  readonly events: readonly LedgerEvent[];
  /** Lines that are no event: torn by a crash, or damaged. They are passed over, never removed. */
  readonly damagedLines: number;
  /** The text ends in the middle of a line: the next event must begin on a new one. */
  readonly torn: boolean;
  /** A version above ours was met; nothing after it was read. */
  readonly newerVersion?: number;
}

/** One line of the ledger, with its line end. */
export function ledgerLine(event: LedgerEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** Reads a ledger's text, whatever state a crash left it in. Never throws. */
export function parseLedger(text: string): LedgerText {
  const events: LedgerEvent[] = [];
  let damagedLines = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    const version = v.safeParse(versioned, value);
    if (version.success && version.output.v > LEDGER_VERSION)
      return { events, damagedLines, torn: false, newerVersion: version.output.v };
    const event = v.safeParse(anyEvent, value);
    // The schema checks what folding relies on; optional parts beyond it are carried as they are.
    if (event.success) events.push(event.output as LedgerEvent);
    else damagedLines++;
  }
  return { events, damagedLines, torn: text !== '' && !text.endsWith('\n') };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const blob = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const versioned = v.looseObject({ v: v.number() });
const base = { v: v.literal(LEDGER_VERSION), run: v.string(), seq: count, at: v.string() };
const event = <const T extends string, const E extends v.ObjectEntries>(type: T, entries: E) =>
  v.looseObject({ ...base, type: v.literal(type), ...entries });

const plan = v.looseObject({
  target: v.string(),
  scorer: v.looseObject({ kind: v.picklist(['shell', 'argv', 'module', 'self']) }),
  cwd: v.string(),
  metric: v.looseObject({ name: v.string(), direction: v.picklist(['higher', 'lower']) }),
  stop: v.looseObject({}),
  morningMs: v.number(),
  proposer: v.looseObject({ kind: v.string() }),
  seed: v.number(),
  context: v.array(v.string()),
  protect: v.array(v.string()),
  trainPy: v.boolean(),
});

const anyEvent = v.variant('type', [
  event('run-started', { plan, baseline: blob, build: v.string(), given: v.optional(v.looseObject({ flags: v.looseObject({}), settings: v.looseObject({}) })) }),
  event('scratch-opened', { scratch: v.picklist(['overlay', 'copy']), how: v.string(), inventory: v.optional(blob) }),
  event('epoch-started', { epoch: count, why: v.string(), changed: v.array(v.string()), inventory: blob }),
  event('attempt-started', { attempt: count, parent: v.optional(count) }),
  event('proposed', { attempt: count, request: blob, reply: blob, durationMs: v.number() }),
  event('proposal-failed', { attempt: count, why: v.string() }),
  event('edited', { attempt: count, candidate: blob, hypothesis: v.string(), addedLines: count, removedLines: count }),
  event('measured', {
    attempt: count, role: v.string(), seed: v.number(), outcome: v.picklist(OUTCOMES), why: v.string(),
    values: count, source: v.string(), durationMs: v.number(), output: blob, score: v.optional(v.number()),
  }),
  event('judged', { attempt: count, verdict: v.picklist(VERDICTS), evidence: v.looseObject({ reason: v.string() }) }),
  event('waiting', { attempt: count, evidence: v.looseObject({ reason: v.string() }) }),
  event('noted', { sentence: v.string() }),
  event('clock-slipped', { what: v.picklist(['slept', 'set']), slippedMs: v.number() }),
  event('steered', { what: v.picklist(['program', 'program-ignored', 'paused', 'resumed']), why: v.optional(v.string()), waits: v.optional(v.array(v.string())) }),
  event('reviewed', { attempt: count, action: v.picklist(['accepted', 'kept']), text: blob }),
  event('run-ended', { reason: v.picklist(END_REASONS), sentence: v.string(), needs: v.optional(v.array(v.string())), aliveAt: v.optional(v.string()) }),
  event('run-resumed', { build: v.string() }),
]);
