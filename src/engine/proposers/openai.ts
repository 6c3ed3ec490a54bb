import { OpenAI } from 'openai';
import type { Message } from '../../loop/prompt.ts';
import type { Usage } from '../../records.ts';
import { addUsage, estimatedUsage } from './openai/answer.ts';
import type { Answer } from './openai/answer.ts';
import { createEndpoint } from './openai/endpoint.ts';
import { failureOf, ServerFailure } from './openai/errors.ts';
import { readAnswer } from './openai/read.ts';
import { chatRequest } from './openai/request.ts';
import { nextWaitMs, realWait } from './openai/retry.ts';
import type { Wait } from './openai/retry.ts';
import { createTransport } from './openai/transport.ts';
import { cancelledError, ProposerError } from './proposer.ts';
import type { Proposer } from './proposer.ts';
import { transcript } from './transcript.ts';

export interface OpenAiOptions {
  /** "https://api.openai.com/v1", "http://127.0.0.1:11434/v1": what `/chat/completions` is added to. */
  readonly baseUrl: string;
  /** Belongs to the origin of `baseUrl` and is sent nowhere else. Local servers need none. */
  readonly apiKey?: string;
  readonly model: string;
  /** Longest silence of the server; fetch itself bears no more than the default, 5 min. */
  readonly timeoutMs?: number;
  /** True by default. */
  readonly stream?: boolean;
  /** The reply as it is written; an empty text says that it starts over. */
  readonly onText?: (delta: string) => void;
  /** For tests: how waiting is done. */
  readonly wait?: Wait;
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
/** The package's own clock stops at the headers; ours covers silence anywhere, so theirs is put out of the way (the longest timer there is). */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Asks any server that speaks OpenAI's chat completions. Throws ProposerError for a base URL or key that can't be used. */
export function createOpenAiProposer(options: OpenAiOptions): Proposer {
  const { model, timeoutMs = DEFAULT_TIMEOUT_MS, stream = true, onText = () => {}, wait = realWait } = options;
  const endpoint = createEndpoint(options.baseUrl, options.apiKey);
  const client = new OpenAI({
    baseURL: endpoint.baseUrl,
    // The package demands a key and would take OPENAI_API_KEY; only the transport knows the real one.
    apiKey: 'set-by-transport', adminAPIKey: null, organization: null, project: null,
    maxRetries: 0, timeout: NO_TIMEOUT_MS, logLevel: 'off', fetch: createTransport(endpoint),
  });
  /** Some servers refuse stream_options; learned once. */
  let streamUsage = true;

  async function ask(messages: readonly Message[], withUsage: boolean, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) throw cancelledError();
    const controller = new AbortController();
    const onAbort = (): void => controller.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    // The package aborts the controller too, when a stream ends with an error.
    let silent = false;
    const timer = setTimeout(() => {
      silent = true;
      controller.abort();
    }, timeoutMs);
    try {
      const body = chatRequest(model, messages, { stream, streamUsage: withUsage });
      const response = await client.chat.completions.create(body, { signal: controller.signal }).asResponse();
      timer.refresh();
      const answer = await readAnswer(response, stream, { client, endpoint, controller, onText, onSign: () => timer.refresh() });
      if (signal.aborted) throw cancelledError();
      return usable(answer);
    } catch (error) {
      if (signal.aborted) throw cancelledError();
      if (silent) {
        throw new ProposerError('unreachable', `The server at ${endpoint.origin} was silent for ${timeoutMs / 1000} s: see whether it is overloaded, or allow more time.`, true);
      }
      throw failureOf(endpoint, error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async function askUntilAnswered(messages: readonly Message[], signal: AbortSignal): Promise<Answer> {
    let spent: Usage | undefined;
    for (let retries = 0; ;) {
      const withUsage = stream && streamUsage;
      try {
        const answer = await ask(messages, withUsage, signal);
        const usage = addUsage(spent, answer.usage);
        return { ...answer, ...(usage && { usage }) };
      } catch (error) {
        if (!(error instanceof ProposerError)) throw error;
        spent = addUsage(spent, error.usage);
        if (withUsage && refusesStreamUsage(error)) {
          streamUsage = false;
          continue;
        }
        const waitMs = error.retryable ? nextWaitMs(retries, error instanceof ServerFailure ? error.waitMs : undefined) : undefined;
        if (waitMs === undefined) throw retries === 0 || spent === undefined ? error : new ProposerError(error.reason, error.message, error.retryable, spent);
        await wait(waitMs, signal).catch((cause: unknown) => { throw signal.aborted ? cancelledError() : cause; });
        onText('');
        retries += 1;
      }
    }
  }

  return {
    async propose(request, signal) {
      const messages = await request.messages();
      const answer = await askUntilAnswered(messages, signal);
      return {
        request: endpoint.maskProse(transcript(messages)),
        reply: endpoint.maskProse(answer.text),
        usage: answer.usage ?? estimatedUsage(messages, answer.text),
      };
    },
  };
}

function refusesStreamUsage(error: ProposerError): boolean {
  return error instanceof ServerFailure && (error.status === 400 || error.status === 422) && /stream_options|include_usage/.test(error.said);
}

/** The answer, if it can be an edit at all. A cut-off or empty reply is often mended by asking again. */
function usable(answer: Answer): Answer {
  const { text, finishReason, usage } = answer;
  if (finishReason === 'length') throw new ProposerError('incomplete', 'The reply is incomplete: the model reached its length limit and was cut off. Allow longer replies, or choose a model with more room.', true, usage);
  if (finishReason === 'content_filter') throw new ProposerError('incomplete', "The reply is incomplete: the server's content filter stopped it.", true, usage);
  if (text.trim() === '') throw new ProposerError('malformed', 'The model sent an empty reply: try again, or choose another model.', true, usage);
  return answer;
}
