import type { CaseScore } from '../../records.ts';
import type { Figures } from './figures.ts';
import { note } from './figures.ts';
import { isObject, own } from './json.ts';
import { quoted } from './lines.ts';

/** What a JSON result says about the metric, and beside it. */
export interface Stated {
  /** May be NaN or infinite. Absent where the metric isn't there or isn't a number. */
  readonly value?: number;
  /** One sentence, where the metric is there and isn't a number. */
  readonly problem?: string;
  readonly figures: Figures;
  readonly cases: readonly CaseScore[];
  readonly notes?: string;
}

const MOST_CASES = 500;
const LONGEST_NAME = 200;
const LONGEST_NOTE = 1_000;
const LONGEST_NOTES = 8_000;

/**
 * Reads `{score, metrics?, cases?, notes?}`. The metric stands under its own name, or under its own name in `metrics`;
 * in a result file (`orScore`) `score` serves for every metric.
 */
export function stated(json: Readonly<Record<string, unknown>>, metric: string, orScore: boolean): Stated {
  const metrics = own(json, 'metrics');
  const inner = isObject(metrics) ? metrics : {};
  const holder = [json, inner].find((object) => Object.hasOwn(object, metric));
  const raw = holder !== undefined ? holder[metric] : orScore ? own(json, 'score') : undefined;

  const figures = new Map<string, number>();
  for (const [name, value] of Object.entries(json)) if (value !== raw || name !== 'score') note(figures, name, value);
  for (const [name, value] of Object.entries(inner)) note(figures, name, value);
  const notes = own(json, 'notes');
  return {
    ...(typeof raw === 'number' ? { value: raw + 0 } : {}),
    ...(raw !== undefined && typeof raw !== 'number' ? { problem: `\`${metric}\` is ${kindOf(raw)}, not a number.${typeof raw === 'string' && /\d,\d/.test(raw) ? ' Write it with a decimal point and without quotes.' : ''}` } : {}),
    figures,
    cases: casesIn(own(json, 'cases')),
    ...(typeof notes === 'string' && notes.trim() !== '' ? { notes: notes.slice(0, LONGEST_NOTES) } : {}),
  };
}

function kindOf(raw: unknown): string {
  if (raw === null) return 'null (JavaScript writes NaN so)';
  if (typeof raw === 'string') return `the text ${quoted(raw, 40)}`;
  if (typeof raw === 'boolean') return String(raw);
  return Array.isArray(raw) ? 'a list' : 'an object';
}

function casesIn(raw: unknown): readonly CaseScore[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MOST_CASES).flatMap((item: unknown): readonly CaseScore[] => {
    if (!isObject(item)) return [];
    const name = own(item, 'name');
    const score = own(item, 'score');
    const text = own(item, 'note');
    if (typeof name !== 'string' || typeof score !== 'number' || !Number.isFinite(score)) return [];
    return [{ name: name.slice(0, LONGEST_NAME), score: score + 0, ...(typeof text === 'string' ? { note: text.slice(0, LONGEST_NOTE) } : {}) }];
  });
}
