import * as v from 'valibot';
import { oneLine } from '../../../loop/one-line.ts';

/** What a server says about its failure, whatever dialect it says it in. */
export interface ErrorBody {
  /** Type and code, as far as they are words: "insufficient_quota rate_limit_exceeded". */
  readonly code: string;
  /** A status between 400 and 599 that stands inside the body. */
  readonly status: number | undefined;
  /** One line, bounded; may be empty. */
  readonly message: string;
}

const MAX_MESSAGE_CHARS = 300;

const word = v.fallback(v.optional(v.union([v.string(), v.number()])), undefined);
const text = v.fallback(v.optional(v.string()), undefined);
const Details = v.object({ message: text, detail: text, type: word, code: word, status: word });
/** OpenAI nests an object in `error`, LM Studio and Ollama a string, FastAPI says `detail`, vLLM puts all at the top. */
const Body = v.object({ ...Details.entries, error: v.fallback(v.optional(v.union([v.string(), Details])), undefined) });

/** Never throws: text that is no JSON is its own message. */
export function readErrorBody(raw: string): ErrorBody {
  const parsed = v.safeParse(Body, json(raw));
  if (!parsed.success) return { code: '', status: undefined, message: oneLine(raw, MAX_MESSAGE_CHARS) };
  const { error, ...top } = parsed.output;
  const details = typeof error === 'string' ? { ...top, message: error } : error ?? top;
  const words = [details.type, details.code, details.status];
  return {
    code: words.filter((each) => typeof each === 'string').join(' '),
    status: words.map(Number).find((each) => each >= 400 && each <= 599),
    message: oneLine(details.message ?? details.detail ?? '', MAX_MESSAGE_CHARS),
  };
}

/** True where an answer is a page for people. */
export function isWebPage(headers: Headers, body: string): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*<(!doctype|html|head|body)\b/i.test(body);
}

function json(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
