import * as v from 'valibot';
import type { Usage } from '../../../records.ts';
import { ProposerError } from '../proposer.ts';

/** What a model sent, however it was transferred. */
export interface Answer {
  readonly text: string;
  /** Absent where the server doesn't say: a stream then ended with `[DONE]`, a whole answer with itself. */
  readonly finishReason?: string;
  readonly usage?: Usage;
}

const count = v.fallback(v.nullish(v.number()), undefined);
const Tokens = v.object({ prompt_tokens: count, completion_tokens: count, total_tokens: count });
const Text = v.nullish(v.object({ content: v.nullish(v.string()) }));
/** The part of a chat completion, or of one chunk of it, that we read: `reasoning` and `reasoning_content` are no part of the reply. */
const Completion = v.object({
  choices: v.nullish(v.array(v.object({ index: v.nullish(v.number()), message: Text, delta: Text, finish_reason: v.nullish(v.string()) }))),
  usage: v.fallback(v.nullish(Tokens), undefined),
});

/** A whole chat completion or one chunk as an Answer. Throws ProposerError where it is neither. */
export function readCompletion(data: unknown): Answer {
  const parsed = v.safeParse(Completion, data);
  if (!parsed.success) throw new ProposerError('malformed', 'The server answered with something that is not a chat completion: check the base URL.', true);
  const { choices, usage } = parsed.output;
  const choice = choices?.find((each) => (each.index ?? 0) === 0);
  const tokens = readUsage(usage ?? {});
  return {
    text: choice?.delta?.content ?? choice?.message?.content ?? '',
    // Some servers send an empty reason until the last chunk.
    ...(choice?.finish_reason && { finishReason: choice.finish_reason }),
    ...(Object.keys(tokens).length > 0 && { usage: tokens }),
  };
}

function readUsage(tokens: Partial<v.InferOutput<typeof Tokens>>): Usage {
  return {
    ...(typeof tokens.prompt_tokens === 'number' && { promptTokens: tokens.prompt_tokens }),
    ...(typeof tokens.completion_tokens === 'number' && { completionTokens: tokens.completion_tokens }),
    ...(typeof tokens.total_tokens === 'number' && { totalTokens: tokens.total_tokens }),
  };
}

/** What two requests cost together. */
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const sum = (key: Exclude<keyof Usage, 'estimated'>): Usage => (one[key] === undefined && other[key] === undefined ? {} : { [key]: (one[key] ?? 0) + (other[key] ?? 0) });
  return { ...sum('promptTokens'), ...sum('completionTokens'), ...sum('totalTokens') };
}

/** English text and code have about four characters to a token in the usual tokenizers. */
const CHARS_PER_TOKEN = 4;

/** What a request cost by its length, so that a limit on tokens holds for servers that don't count them too. */
export function estimatedUsage(messages: readonly { readonly content: string }[], reply: string): Usage {
  const tokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);
  return { estimated: true, promptTokens: tokens(messages.reduce((sum, { content }) => sum + content.length, 0)), completionTokens: tokens(reply.length) };
}
