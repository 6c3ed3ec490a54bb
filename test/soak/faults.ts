import type { Verdict } from '../../src/records.ts';
import type { CannedResponse } from '../engine/proposers/server.ts';
import { whole, type Random } from './random.ts';

/** What a candidate makes the scorer do, how often in a thousand attempts, and the verdicts that may come of it. */
export const SCORER_FAULTS = {
  hang: { perMille: 30, verdicts: ['timed-out'] },
  crash: { perMille: 60, verdicts: ['crashed'] },
  garbage: { perMille: 60, verdicts: ['no-score', 'invalid-score'] },
  fork: { perMille: 40, verdicts: ['kept', 'discarded'] },
  huge: { perMille: 40, verdicts: ['kept', 'discarded'] },
} as const satisfies Record<string, { readonly perMille: number; readonly verdicts: readonly Verdict[] }>;

/** What a model's server does, how often in a thousand proposals. `rubbish` is a reply without an edit, `broken` an answer that is no JSON. */
export const MODEL_FAULTS = { 429: 50, 500: 50, cut: 15, broken: 15, rubbish: 40 } as const;

export type ScorerFault = keyof typeof SCORER_FAULTS;
export type ModelFault = keyof typeof MODEL_FAULTS;

export const TARGET = 'f.py';

/** The file that is worked on: the scorer's number, and what happens to it. */
export function targetText(level: number, fault: ScorerFault | 'none'): string {
  return `LEVEL = ${level}\nFAULT = '${fault}'\n`;
}

export function faultIn(text: string): string | undefined {
  return /^FAULT = '(\w+)'$/m.exec(text)?.[1];
}

/**
 * A scorer without a score of its own will: LEVEL counts, in hundredths. `fork`: processes in sessions of their own, deaf to
 * everything that can be ignored, which hold the output open. `huge`: forty megabytes. `garbage` has no digits: a line that
 * is nothing but a number is a score, whoever wrote it. Nothing here grows without a bound.
 */
export const SCORER = `level=$(sed -n "s/^LEVEL = //p" ${TARGET})
case $(sed -n "s/^FAULT = '\\(.*\\)'/\\1/p" ${TARGET}) in
hang) trap '' TERM INT HUP; while :; do sleep 60; done ;;
crash) echo 'it went wrong' >&2; exit 3 ;;
garbage) head -c 20000 /dev/urandom | tr -d '0-9'; echo; echo 'score: NaNo'; exit 0 ;;
fork) for i in 1 2 3 4 5 6 7 8; do setsid sh -c 'trap "" TERM INT HUP; sleep 600 & wait' & done ;;
huge) head -c 40000000 /dev/zero | tr '\\0' 'x'; echo ;;
esac
[ "$level" ] && awk "BEGIN { print \\"score:\\", $level / 100 }"
`;

/** A server of the model whose answers, and faults, are drawn; one seed, one course. */
export class Drawn {
  readonly faults: Record<ModelFault, number> = { 429: 0, 500: 0, cut: 0, broken: 0, rubbish: 0 };
  private readonly random: Random;
  private proposals = 0;
  /** Faults in a row: a third one would end a run's patience for ten seconds. */
  private inARow = 0;

  constructor(random: Random) {
    this.random = random;
  }

  next(): CannedResponse {
    const fault = draw(this.random, MODEL_FAULTS);
    if (fault === undefined || (fault !== 'rubbish' && this.inARow === 2)) return this.proposal();
    this.faults[fault]++;
    if (fault === 'rubbish') return this.answer('As a large model I would rather talk about the weather.\n');
    this.inARow++;
    switch (fault) {
      case '429':
        return { status: 429, headers: { 'retry-after-ms': '5', 'content-type': 'application/json' }, body: '{"error":{"message":"Slow down."}}' };
      case '500':
        return { status: 500, headers: { 'retry-after-ms': '5', 'content-type': 'application/json' }, body: '{"error":{"message":"It broke."}}' };
      case 'cut':
        return { status: 200, headers: { 'content-type': 'text/event-stream' }, chunks: ['data: {"choices":[{"index":0,"delta":{"content":"It should"}}]}\n\n', 'data: {"choi'], end: 'reset' };
      case 'broken':
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"choices": [' };
    }
  }

  private proposal(): CannedResponse {
    this.proposals++;
    const fault = draw(this.random, SCORER_FAULTS_PER_MILLE) ?? 'none';
    // Ever higher, so that there is something to keep to the end; what stays is without a fault.
    const level = fault === 'none' ? whole(this.random, 0, Math.min(9000, 100 + 9 * this.proposals)) : whole(this.random, 0, 99);
    return this.answer(`It should help.\n\n\`\`\`python\n${targetText(level, fault)}\`\`\`\n`);
  }

  private answer(content: string): CannedResponse {
    this.inARow = 0;
    const body = { id: 'r', object: 'chat.completion', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
}

const SCORER_FAULTS_PER_MILLE = Object.fromEntries(Object.entries(SCORER_FAULTS).map(([fault, { perMille }]) => [fault, perMille])) as Record<ScorerFault, number>;

function draw<K extends string | number>(random: Random, perMille: Readonly<Record<K, number>>): `${K}` | undefined {
  let at = random() * 1000;
  for (const [fault, share] of Object.entries<number>(perMille)) {
    if (at < share) return fault as `${K}`;
    at -= share;
  }
  return undefined;
}
