import type { Choices } from '../../loop/options.ts';
import { mergeChoices, stopOf, type PlanFacts } from '../../loop/plan.ts';
import { readProgram } from '../../loop/program.ts';
import type { ProgramNow } from '../run/context.ts';
import { readProgramText } from './program-file.ts';

/** The program as it reads now, with the live keys under flags and settings. Undefined where there is none, or it can't be read for the moment. */
export async function programNow(path: string | undefined, { flags, settings }: { readonly flags: Choices; readonly settings: Choices }, facts: Pick<PlanFacts, 'nextClock'>): Promise<ProgramNow | undefined> {
  const text = path === undefined ? undefined : await readProgramText(path).catch(() => undefined);
  if (text === undefined) return undefined;
  const program = readProgram(text);
  const live = mergeChoices(flags, program.choices, settings);
  return { text, program, live: { stop: stopOf(live, facts), context: live.context ?? [] } };
}

/** The next moment at which the local clock shows this time. */
export function nextClock(now: Date, hours: number, minutes: number): number {
  const next = new Date(now);
  next.setHours(hours, minutes, 0, 0);
  if (next.getTime() <= now.getTime()) next.setDate(next.getDate() + 1);
  return next.getTime();
}
