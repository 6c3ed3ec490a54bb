import { Stream } from 'openai/streaming';
import type { OpenAI } from 'openai';
import { ProposerError } from '../proposer.ts';
import { readCompletion } from './answer.ts';
import type { Answer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { isWebPage } from './error-body.ts';
import { serverFailure, webPageSentence } from './errors.ts';

/** A model that never stops is cut off here, so that a night doesn't fill the disk. */
const MAX_REPLY_CHARS = 4_000_000;

export interface Reading {
  readonly client: OpenAI;
  readonly endpoint: Endpoint;
  readonly controller: AbortController;
  /** Called for each piece of the reply. */
  readonly onText: (delta: string) => void;
  /** Called whenever the server shows a sign of life. */
  readonly onSign: () => void;
}

/** Reads an answer with status 200: a stream, or one JSON text where the server doesn't stream. Rejects with ProposerError, or with what fetch threw. */
export async function readAnswer(response: Response, streamed: boolean, reading: Reading): Promise<Answer> {
  if (response.body === null) throw new ProposerError('malformed', `${reading.endpoint.baseUrl} answered without a text (status ${response.status}): check the base URL.`);
  const isJson = /json/i.test(response.headers.get('content-type') ?? '');
  if (streamed && !isJson) return readStream(response, reading);
  const answer = readWhole(await response.text(), response, reading.endpoint);
  if (answer.text !== '') reading.onText(answer.text);
  return answer;
}

function readWhole(text: string, response: Response, endpoint: Endpoint): Answer {
  if (isWebPage(response.headers, text)) throw new ProposerError('malformed', webPageSentence(endpoint));
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new ProposerError('malformed', `${endpoint.baseUrl} answered with something that is not JSON: check the base URL.`, true);
  }
  if (hasError(data)) throw serverFailure(endpoint, { status: 200, headers: response.headers, text });
  return readCompletion(data);
}

function hasError(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'error' in data && Boolean(data.error);
}

async function readStream(response: Response, { client, controller, onText, onSign }: Reading): Promise<Answer> {
  const watched = watchForDone(response);
  let answer: Answer = { text: '' };
  try {
    for await (const chunk of Stream.fromSSEResponse<unknown>(watched.response, controller, client)) {
      onSign();
      const { text, ...facts } = readCompletion(chunk);
      answer = { ...answer, ...facts, text: answer.text + text };
      if (text !== '') onText(text);
      if (answer.text.length > MAX_REPLY_CHARS) {
        throw new ProposerError('incomplete', `The reply is incomplete: it was stopped at ${MAX_REPLY_CHARS.toLocaleString('en')} characters.`, false, answer.usage);
      }
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw new ProposerError('malformed', 'The reply came as broken JSON: the server does not speak as it should, try again or choose another one.', true);
    // fetch says TypeError when the connection breaks in the middle; after the model's last word that does no harm.
    if (!(error instanceof TypeError)) throw error;
  }
  if (answer.finishReason === undefined && !watched.done()) {
    throw new ProposerError('incomplete', 'The reply is incomplete: the stream ended before the model was done.', true, answer.usage);
  }
  return answer;
}

/** The same response, and whether `[DONE]` went by: the package swallows it, and a stream without it may be cut off. */
function watchForDone(response: Response): { readonly response: Response; readonly done: () => boolean } {
  const decoder = new TextDecoder();
  let tail = '';
  let done = false;
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      tail += decoder.decode(bytes, { stream: true });
      // JSON escapes line breaks, so no reply can hold such a line.
      done ||= /(^|[\r\n])data: ?\[DONE\]/.test(tail);
      tail = tail.slice(-20);
      controller.enqueue(bytes);
    },
  });
  const body = response.body?.pipeThrough(watch) ?? null;
  return { response: new Response(body, { headers: response.headers }), done: () => done };
}
