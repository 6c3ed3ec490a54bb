import { isAbsolute } from 'node:path';
import * as v from 'valibot';
import { readChoices, type Choices } from '../../loop/options.ts';
import { SCORER_KINDS, SCRIPT_LANGUAGES } from '../../loop/new-scorer/names.ts';
import type { Hello, Requests } from '../../protocol.ts';

/** Longer than any system's paths. */
const MOST_PATH_CHARS = 8192;

const plain = v.pipe(v.string('must be a text'), v.check((text) => !text.includes('\0'), 'must hold no NUL character'));
const name = v.pipe(plain, v.maxLength(200, 'must not be longer than 200 characters'));
const path = v.pipe(plain, v.maxLength(MOST_PATH_CHARS, 'is too long for a path'), v.check(isAbsolute, 'must be an absolute path'));
/** Of a file or a program, relative or absolute. */
const place = v.pipe(plain, v.maxLength(MOST_PATH_CHARS, 'is too long for a path'));
const text = v.string('must be a text');
const flag = v.boolean('must be true or false');
const attempt = v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'), v.minValue(0, 'must not be negative'));
const variables = v.pipe(v.custom<object>((value) => !Array.isArray(value), 'must be no list'), v.record(plain, plain, 'must hold variables and their texts'));

/** What a person chose: by the rules that hold for program.md too. */
const choices = v.pipe(v.unknown(), v.rawTransform<unknown, Choices>(({ dataset: { value }, addIssue, NEVER }) => {
  const read = readChoices(value);
  const [problem] = read.problems;
  if (problem === undefined) return read.choices;
  addIssue({ message: `can't be used: ${problem.message}` });
  return NEVER;
}));

const ask = {
  target: path,
  text: v.exactOptional(text),
  flags: choices,
  settings: choices,
  program: v.exactOptional(path),
  folder: v.exactOptional(path),
  baseUrl: v.exactOptional(plain),
  seed: v.exactOptional(v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'))),
  seen: v.exactOptional(name),
  env: variables,
  // The editor may give a name alone, to be found on the PATH.
  python: v.exactOptional(place),
};

/** A run that has ended, to go on with. */
const again = { run: name, env: variables, python: ask.python, baseUrl: ask.baseUrl, seen: ask.seen };

const nothing = v.pipe(v.unknown(), v.transform((): Record<string, never> => ({})));
const ofRun = v.object({ run: name });
const ofAttempt = { run: name, attempt };

/** What each request must look like. What a newer client adds is left out; what is there has its type and its bounds. */
const PARAMS: { readonly [M in keyof Requests]: v.GenericSchema<unknown, Requests[M]['params']> } = {
  'ratchet/page': v.object(ask),
  'ratchet/try': v.object(ask),
  'ratchet/check': v.object({ ...ask, repeated: v.exactOptional(v.picklist(['said', 'assumed', 'once'])), again: v.exactOptional(flag) }),
  'ratchet/new-scorer': v.object({
    target: path, text: v.exactOptional(text), kind: v.picklist(SCORER_KINDS), language: v.exactOptional(v.picklist(SCRIPT_LANGUAGES)),
    compare: v.exactOptional(flag), script: v.exactOptional(path), env: variables,
  }),
  'ratchet/start': v.object({ ...ask, apiKey: v.exactOptional(plain), detached: flag }),
  'ratchet/runs': nothing,
  'ratchet/watch': ofRun,
  'ratchet/text': v.object({ blob: name }),
  'ratchet/stop': ofRun,
  'ratchet/pause': ofRun,
  'ratchet/resume': ofRun,
  'ratchet/resume-page': v.object(again),
  'ratchet/resume-ended': v.object({ ...again, apiKey: v.exactOptional(plain), detached: flag }),
  'ratchet/allow': v.object({ target: place, allow: v.exactOptional(v.array(place)), sandbox: v.exactOptional(v.literal('off')) }),
  'ratchet/retire': nothing,
  'ratchet/accepted': v.object({ ...ofAttempt, text }),
  'ratchet/keep': v.object(ofAttempt),
  'ratchet/unsaved': v.object({ path }),
};

/** The parameters of a request, or in one sentence why they are none. */
export type Read<T> = { readonly ok: true; readonly params: T } | { readonly ok: false; readonly why: string };

/** Looks at what came with a request before anything is done with it. */
export function readParams<M extends keyof Requests>(method: M, given: unknown): Read<Requests[M]['params']> {
  return read(PARAMS[method], given ?? {}, method);
}

const hello = v.object({ token: plain, protocol: v.number(), build: name, client: v.picklist(['editor', 'terminal']) });

/** What a client says first. */
export function readHello(given: unknown): Read<Hello> {
  return read(v.pipe(v.object({ initializationOptions: hello }), v.transform(({ initializationOptions }) => initializationOptions)), given, 'initialize');
}

function read<T>(schema: v.GenericSchema<unknown, T>, given: unknown, method: string): Read<T> {
  const result = v.safeParse(schema, given, { abortEarly: true });
  if (result.success) return { ok: true, params: result.output };
  const [issue] = result.issues;
  const where = v.getDotPath(issue);
  return { ok: false, why: `\`${where ?? method}\` ${issue.message}` };
}
