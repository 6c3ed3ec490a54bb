import * as v from 'valibot';
import type { Message } from 'vscode-languageserver-protocol/node';
import { NoMessage } from './frames.ts';

/** No message of the protocol comes near; what is nested deeper could exhaust the stack of whoever walks through it. */
const MOST_DEPTH = 64;

const id = v.union([v.string(), v.number(), v.null()]);
/** By name; or one by its place, as clients send what isn't an object. */
const fields = v.custom<object>((value) => typeof value === 'object' && value !== null && !(Array.isArray(value) && value.length > 1));
const call = v.looseObject({ jsonrpc: v.literal('2.0'), id: v.optional(v.union([v.string(), v.number()])), method: v.pipe(v.string(), v.maxLength(200)), params: v.nullish(fields) });
const answer = v.looseObject({ jsonrpc: v.literal('2.0'), id, method: v.optional(v.never()) });

/** The message in a body: a call, or an answer to one. Throws NoMessage. */
export function messageIn(body: Buffer): Message {
  if (isDeeper(body, MOST_DEPTH)) throw new NoMessage(`a message that is nested more than ${String(MOST_DEPTH)} times`);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new NoMessage('a message that is no JSON');
  }
  if (!v.is(call, value) && !v.is(answer, value)) throw new NoMessage('JSON that is no message');
  return value;
}

/** Whether brackets are open `depth` times and once more, those within texts aside. Byte by byte: a pattern would use the stack for a long text. */
function isDeeper(json: Buffer, depth: number): boolean {
  let open = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) open += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open -= 1;
    if (open > depth) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');
