import { createHash } from 'node:crypto';
import type { RunPlan } from '../records.ts';
import type { StartPage } from '../protocol.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * A name for what a page says would be run, by which a start knows the page that a person saw. Of moments the time of
 * day counts alone: "at 08:00" is the same rule before midnight and after.
 */
export function pageId(plan: RunPlan, { command, folder, also = [] }: Pick<StartPage, 'command' | 'folder' | 'also'>): string {
  return createHash('sha256').update(JSON.stringify([timeless(plan), command, folder, ...(also.length === 0 ? [] : [also])])).digest('hex').slice(0, 16);
}

function timeless({ stop: { untilMs, ...stop }, ...plan }: RunPlan): object {
  return { ...plan, morningMs: 0, stop: { ...stop, ...(untilMs === undefined ? {} : { until: untilMs % DAY_MS }) } };
}
