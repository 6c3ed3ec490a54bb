import type { StopRules } from '../records.ts';

/** A scorer below this is called quick: its default run is short. In milliseconds. */
const QUICK_MS = 60_000;

/**
 * The rules in force: what was given, and where that bounds neither time nor attempts, defaults by the baseline's wall
 * time: under a minute 30 minutes or 60 attempts, else until 08:00 or three hours without an improvement.
 */
export function stopRules(given: StopRules, morningMs: number, baselineMs: number): StopRules {
  if (isBounded(given)) return given;
  return baselineMs < QUICK_MS
    ? { attempts: 60, hours: 0.5, ...given }
    : { untilMs: morningMs, patienceHours: 3, ...given };
}

/** Whether the rules bound time or attempts by themselves; else the defaults hold too. */
export function isBounded(rules: StopRules): boolean {
  return (rules.attempts ?? rules.hours ?? rules.untilMs) !== undefined;
}
