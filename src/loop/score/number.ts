const FINITE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** As C, Python, JavaScript and Rust print them; C also "-nan" and "nan(0x8000)", Windows "-nan(ind)". */
const NOT_A_NUMBER = /^[+-]?nan(?:\(\w*\))?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
/** No number is longer; keeps patterns away from endless lines. */
const LONGEST = 400;

/**
 * The number that a text is, and nothing else: decimal point, optional exponent, no thousands marks, no unit. NaN and
 * infinities come back as such, for the reader to refuse. -0 is 0. Undefined where the text isn't a number.
 */
export function numberIn(text: string): number | undefined {
  if (text.length === 0 || text.length > LONGEST) return undefined;
  if (FINITE.test(text)) return Number(text) + 0;
  if (NOT_A_NUMBER.test(text)) return Number.NaN;
  const infinite = INFINITE.exec(text);
  if (infinite === null) return undefined;
  return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Whether two values are one: the same, or the same once rounded as the less precise of the two was printed. */
export function agree(one: number, other: number): boolean {
  if (!Number.isFinite(one) || !Number.isFinite(other)) return Object.is(one, other);
  const step = Math.max(stepOf(one), stepOf(other));
  return Math.abs(one - other) <= (step / 2) * (1 + 1e-6);
}

/** The last decimal place of a number as it is usually printed: 0.001 for 1.234. */
function stepOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return 10 ** (Number(exponent) - decimals);
}
