import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { Message } from '../../../loop/prompt.ts';

/** The body of one request: nothing in it that some server might not know, save usage in a stream. */
export function chatRequest(
  model: string, messages: readonly Message[], options: { readonly stream: boolean; readonly streamUsage: boolean },
): ChatCompletionCreateParams {
  const body = { model, messages: messages.map(({ role, content }) => ({ role, content })) };
  if (!options.stream) return body;
  return { ...body, stream: true, ...(options.streamUsage && { stream_options: { include_usage: true } }) };
}
