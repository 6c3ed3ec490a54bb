import { maskOf, type Mask } from '../loop/secrets.ts';
import { isSecret } from '../wire/environment.ts';

/** Of Amazon's variables, which are all kept from a scorer, those that hold no secret: a region is a word of many texts. */
const PLAIN = /^AWS_(?!.*(?:KEY|TOKEN|SECRET))/i;

/** Masks what looks like a secret, the values of variables whose name says that they hold one, and a model's key. */
export function maskFor(env: Readonly<Record<string, string | undefined>>, apiKey?: string): Mask {
  const values = Object.entries(env).flatMap(([name, value]) => (value !== undefined && isSecret(name) && !PLAIN.test(name) ? [value] : []));
  return maskOf(apiKey === undefined ? values : [...values, apiKey]);
}
