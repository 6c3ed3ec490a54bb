import type { Metric } from '../../../records.ts';

/** The sentence of an offer of a benchmark: what was found, and what of it is read. */
export function readingOf(runner: string, benchmark: string, metric: Metric): string {
  return `I found ${runner}; I read \`${metric.name}\` of \`${benchmark}\`${measuredAs(metric)}`;
}

/** The same, where several things are timed, or their names aren't known. */
export function pickOne(runner: string, where: string, metric: Metric): string {
  return `I found ${runner} in ${where}; pick one of its times after Try once${measuredAs(metric)}`;
}

function measuredAs({ unit, direction }: Metric): string {
  return `${unit === undefined ? '' : `, in ${unit}`}, ${direction} is better`;
}

/** Names of the things that a benchmark times, by the calls that name them; undefined where its text alone doesn't say: one in a loop may be many. */
export function timedIn(text: string, call: RegExp): readonly string[] | undefined {
  if (/\b(?:for|while)\s*\(|\.forEach\(|\.map\(|\bbench\.each\b|\bfunction\s*\*/.test(text)) return undefined;
  const calls = text.match(new RegExp(String.raw`${call.source}\s*\(`, 'g'))?.length ?? 0;
  const names = [...text.matchAll(new RegExp(String.raw`${call.source}\s*\(\s*(['"\`])((?:(?!\1)[^\\\n$])+)\1`, 'g'))].map(([, , name = '']) => name);
  return names.length === calls ? names : undefined;
}
