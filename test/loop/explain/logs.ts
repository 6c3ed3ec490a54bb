import { normal, seeded, type Random } from '../../../bench/verifier/noises.ts';
import type { ResultRow, ResultTable } from '../../../src/loop/results.ts';

/** A log whose truth is known. */
export interface KnownLog {
  readonly table: ResultTable;
  /** True effect of each row on its parent, in standard deviations of one run. */
  readonly effects: readonly number[];
}

/** What a rule logs that keeps whatever scores better in its one run. */
export function strictLog(seed: number, attempts: number, effect: (random: Random, attempt: number) => number): KnownLog {
  const random = seeded(seed);
  let level = 0;
  let best = normal(random);
  const rows: ResultRow[] = [{ commit: '', score: best, status: 'keep', description: 'baseline' }];
  const effects = [0];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const gain = effect(random, attempt);
    const score = level + gain + normal(random);
    const kept = score > best;
    rows.push({ commit: '', score, status: kept ? 'keep' : 'discard', description: `attempt ${attempt}` });
    effects.push(gain);
    if (!kept) continue;
    best = score;
    level += gain;
  }
  return { table: tableOf(rows), effects };
}

export function tableOf(rows: readonly ResultRow[], metric = 'score'): ResultTable {
  return { columns: ['commit', metric, 'memory_gb', 'status', 'description'], rows, warnings: [] };
}

/** Rows from `k`ept and `d`iscarded scores: "k 1.5". */
export function rowsOf(...rows: readonly string[]): readonly ResultRow[] {
  return rows.map((row, i) => {
    const [status, score] = row.split(' ');
    return { commit: '', score: Number(score), status: status === 'k' ? 'keep' : 'discard', description: i === 0 ? 'baseline' : `attempt ${i}` };
  });
}
