import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** One recorded answer of a model's server, as test/cases/README.md describes it. */
export interface CannedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly chunks?: readonly string[];
  readonly chunksBase64?: readonly string[];
  /** How it ends: properly (default), never, or by a broken connection. */
  readonly end?: 'close' | 'never' | 'reset';
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServer {
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  /** Resolves when so many requests have been answered as far as their answers go. */
  answered(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers in order, then the last again, or as it is told; closes the connection after each. `thinks`: what comes before an answer, counted from 0. */
export async function startModelServer(responses: readonly CannedResponse[] | (() => CannedResponse), thinks?: (request: number) => Promise<void>): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let answered = 0;
  const server = createServer((request, response) => {
    void readJson(request).then(async (body) => {
      const canned = typeof responses === 'function' ? responses() : responses[Math.min(requests.length, responses.length - 1)];
      requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      await thinks?.(requests.length - 1);
      if (canned !== undefined) await answer(canned, response);
      answered += 1;
      for (const each of waiting) if (answered >= each.count) each.resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    answered: (count) => new Promise((resolve) => (answered >= count ? resolve() : waiting.push({ count, resolve }))),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text === '' ? {} : JSON.parse(text) as Record<string, unknown>;
}

async function answer(canned: CannedResponse, response: ServerResponse): Promise<void> {
  response.writeHead(canned.status, { ...canned.headers, connection: 'close' });
  response.flushHeaders();
  const pieces = canned.chunks?.map((chunk) => Buffer.from(chunk))
    ?? canned.chunksBase64?.map((chunk) => Buffer.from(chunk, 'base64'))
    ?? [Buffer.from(canned.body ?? '')];
  for (const piece of pieces) {
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    // One turn apart, so that they mostly arrive as separate pieces.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (canned.end === 'reset') response.socket?.resetAndDestroy();
  else if (canned.end !== 'never') response.end();
}
