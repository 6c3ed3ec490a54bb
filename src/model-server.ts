import { DEFAULT_BASE_URL } from './protocol.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The base URL of a run: the machine's setting, else the environment's, else the default. */
export function baseUrlOf(setting: string | undefined, env: Environment): string {
  return setting?.trim() || env['OPENAI_BASE_URL']?.trim() || DEFAULT_BASE_URL;
}

/** "https://api.openai.com", or undefined where the text is no web address. A key belongs to an origin. */
export function originOf(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Whether a server is on this machine: such ones need no key as a rule. */
export function isLocal(origin: string): boolean {
  return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(origin);
}

/** OPENAI_API_KEY for the origin of OPENAI_BASE_URL, and for no other. */
export function environmentKey(origin: string, env: Environment): string | undefined {
  const key = env['OPENAI_API_KEY']?.trim();
  return key !== undefined && key !== '' && originOf(baseUrlOf(undefined, env)) === origin ? key : undefined;
}

/** Why a text can't be a key, without repeating it; undefined where it can. */
export function keyProblem(text: string): 'line-break' | 'quotes' | 'characters' | undefined {
  const key = text.trim();
  if (/[\r\n]/.test(key)) return 'line-break';
  if (/["'`]/.test(key)) return 'quotes';
  // Anything else that a header can't carry would come back inside fetch's own error message, key and all.
  return /^[\x21-\x7e]*$/.test(key) ? undefined : 'characters';
}

/** A key as screens may show it: its last characters, where it is long enough to stay secret. */
export function maskKey(key: string): string {
  return key.length < 12 ? '••••' : `••••${key.slice(-4)}`;
}
