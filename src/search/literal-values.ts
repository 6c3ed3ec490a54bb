/**
 * How a number is written, and which other numbers are worth a try. Only decimal numbers without a sign: hexadecimal
 * and the like are bit patterns, and the sign stands outside the literal.
 */

/** The value of a literal; undefined for what is not varied (hexadecimal, octal, BigInt, complex, too big to be exact). */
export function numberOf(text: string): number | undefined {
  if (!/^(?:0|[1-9](?:_?\d)*)$/.test(text) && !isFloat(text)) return undefined;
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) && (isFloat(text) || Number.isSafeInteger(value)) ? value : undefined;
}

/** Whether a literal is written with a point or an exponent. */
export function isFloat(text: string): boolean {
  return /^(?:\d(?:_?\d)*\.?|\d(?:_?\d)*\.\d(?:_?\d)*|\.\d(?:_?\d)*)(?:[eE][+-]?\d+)?$/.test(text) && /[.eE]/.test(text);
}

/**
 * Writes a value as the original is written: 3e-4 stays scientific, 0.1 keeps its point, 1_000 its groups, and a whole
 * number stays whole. About three digits count; more would claim a precision that a search doesn't have.
 */
export function formatLike(original: string, value: number): string {
  if (!isFloat(original)) return formatWhole(original, value);
  const exponent = /^(.*)([eE])([+-]?)(\d+)$/.exec(original);
  if (exponent !== null && value !== 0) {
    const [mantissa = '', power = ''] = value.toExponential(2).split('e');
    const [, oldMantissa = '', letter = 'e', sign = '', digits = ''] = exponent;
    const shortest = withoutZeros(mantissa);
    const newPower = Math.abs(Number(power)).toString().padStart(digits.startsWith('0') ? digits.length : 1, '0');
    const newSign = Number(power) < 0 ? '-' : sign === '+' ? '+' : '';
    return `${oldMantissa.includes('.') && !shortest.includes('.') ? `${shortest}.0` : shortest}${letter}${newSign}${newPower}`;
  }
  const plain = withoutZeros(value.toFixed(decimalsFor(value)));
  if (!plain.includes('.')) return original.endsWith('.') ? `${plain}.` : `${plain}.0`;
  return original.startsWith('.') ? plain.replace(/^0(?=\.)/, '') : plain;
}

/** What to do about a number, from the boldest step to the finest; `up` and `down` alternate. */
export interface Neighbourhood {
  /** Where steps are even: the value itself for small counts, its logarithm else, that of the rest for shares close to 1. */
  readonly toScale: (value: number) => number;
  readonly fromScale: (position: number) => number;
  /** Distances on the scale. */
  readonly steps: readonly number[];
  /** Distances that are tried when nothing else is left. */
  readonly leaps: readonly number[];
  /** Whether a value between two steps makes sense. */
  readonly fine: boolean;
}

const FACTORS = [2, 1.5, 1.1];
const FAR = [4, 10];

/** `original` is the literal as it was before the search: a power of two stays one, a share stays one. */
export function neighbourhoodOf(original: string, value: number): Neighbourhood {
  const logSteps = { steps: FACTORS.map(Math.log), leaps: FAR.map(Math.log) };
  const log = { toScale: Math.log, fromScale: Math.exp };
  const first = numberOf(original) ?? value;
  if (isFloat(original)) {
    // A share such as 0.95 is varied by what is missing to 1.
    if (first >= 0.8 && first < 1 && value < 1) {
      return { ...logSteps, toScale: (share) => -Math.log(1 - share), fromScale: (position) => 1 - Math.exp(-position), fine: true };
    }
    return { ...logSteps, ...log, fine: true };
  }
  if (first >= 8 && Number.isInteger(Math.log2(first))) return { ...log, steps: [Math.log(2), Math.log(4)], leaps: [Math.log(8)], fine: false };
  if (value < 8) return { toScale: (count) => count, fromScale: (count) => count, steps: [1, 2], leaps: [4], fine: true };
  return { ...logSteps, ...log, fine: true };
}

/** Values to try instead of zero, which has no neighbours by factor. */
export function insteadOfZero(original: string): readonly number[] {
  return isFloat(original) ? [0.1, 0.01, 0.5, 1] : [1, 2, 4];
}

function formatWhole(original: string, value: number): string {
  const whole = Math.round(value);
  // Round numbers stay round, and nothing gets more than three digits of its own.
  const digits = /[1-9]0+$/.test(original) && whole >= 100 ? 2 : 3;
  const unit = isPowerOfTwo(whole) ? 1 : 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, whole))) + 1 - digits);
  const text = (Math.round(whole / unit) * unit).toString();
  const group = original.includes('_') ? original.length - 1 - original.lastIndexOf('_') : 0;
  return group === 0 ? text : text.replace(new RegExp(`\\B(?=(?:\\d{${group}})+$)`, 'g'), '_');
}

function isPowerOfTwo(whole: number): boolean {
  return whole > 0 && Number.isInteger(Math.log2(whole));
}

/** Three digits, and two of what is missing to 1. */
function decimalsFor(value: number): number {
  if (value === 0) return 1;
  const own = 2 - Math.floor(Math.log10(value));
  const rest = value >= 0.8 && value < 1 ? 1 - Math.floor(Math.log10(1 - value)) : 0;
  return Math.min(20, Math.max(0, own, rest));
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
