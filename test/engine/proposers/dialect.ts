import type { CannedResponse } from './server.ts';

/** A whole chat completion. */
export function completion(content: string | null, finishReason = 'stop'): CannedResponse {
  return json(200, {
    id: 'r1', object: 'chat.completion', model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): CannedResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

export function page(status: number): CannedResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html><title>Chat</title><p>Welcome' };
}

/** A stream of server-sent events, each given as its data. */
export function events(...data: readonly unknown[]): CannedResponse {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, chunks: data.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`) };
}

export function delta(content: string, finishReason: string | null = null): object {
  return { id: 'r1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason: finishReason }] };
}
