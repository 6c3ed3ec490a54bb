import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createOpenAiProposer } from '../../../src/engine/proposers/openai.ts';
import { ProposerError } from '../../../src/engine/proposers/proposer.ts';
import { completion, delta, events, json, page } from './dialect.ts';
import { askAt, isError, KEY, useServers } from './harness.ts';
import { ask } from './request.ts';
import { startModelServer } from './server.ts';
import type { CannedResponse } from './server.ts';

describe('openai proposer in trouble', () => {
  const serve = useServers();

  describe('failures', () => {
    const limits = { error: { message: 'Slow down', code: 'rate_limit_exceeded' } };
    const broken = { ...events(delta('half')), end: 'reset' } as const;
    /** The last column: how many requests are made. */
    const rows: readonly [string, CannedResponse, ProposerError['reason'], RegExp, number][] = [
      ['a rate limit', json(429, limits), 'rate-limited', /limits requests.*Slow down/, 3],
      ['a limit in words of billing, with a time to wait', json(429, { error: { message: 'You exceeded your current quota' } }, { 'retry-after': '1' }), 'rate-limited', /asks to wait 1 s/, 3],
      ['a wait of hours', json(429, limits, { 'retry-after': '7200' }), 'rate-limited', /asks to wait 7200 s/, 1],
      ['a failing server', json(500, { detail: 'Out of memory' }), 'server', /failed \(500\).*Out of memory/, 3],
      ["a gateway's page", page(502), 'server', /failed \(502\): [^<]*$/, 3],
      ['an overloaded server inside 200', json(200, { error: { message: 'busy', code: 503 } }), 'server', /\(503\).*busy/, 3],
      ['an error inside a stream', events(delta('half'), { error: { message: 'Rate limit reached' } }), 'rate-limited', /Rate limit reached/, 3],
      ['an empty account inside a stream', events({ error: { message: 'x', type: 'insufficient_quota' } }), 'quota', /quota/, 1],
      ['a stream that ends early', events(delta('half')), 'incomplete', /incomplete/, 3],
      ['a connection that breaks in a stream', broken, 'incomplete', /incomplete/, 3],
      ['a stream of nothing', events(), 'incomplete', /incomplete/, 3],
      ['broken JSON in a stream', events('{"choices": ['), 'malformed', /broken JSON/, 3],
      ['another shape', json(200, { choices: 'none' }), 'malformed', /not a chat completion/, 3],
      ['a broken connection', { status: 200, headers: { 'content-type': 'application/json', 'content-length': '99' }, end: 'reset' }, 'unreachable', /connection .* broke/, 3],
      ['an empty account by its code', json(429, { error: { message: 'x', code: 'insufficient_quota' } }), 'quota', /quota/, 1],
      ['an empty account by its status', json(402, { error: 'Payment required' }), 'quota', /quota/, 1],
      ['an empty account by its words', json(400, { error: { message: 'Your credit balance is too low' } }), 'quota', /credit balance/, 1],
      ['a wrong key', json(401, { error: { message: 'Invalid' } }), 'refused', /^The server refuses the key .*Invalid/, 1],
      ['a key that may not', json(403, { error: { message: 'No access' } }), 'refused', /^The server refuses the key .*No access/, 1],
      ['a request that is not accepted', json(422, { detail: [{ msg: 'bad' }] }), 'refused', /does not accept the request \(422\)/, 1],
      ['an unknown model', json(404, { error: { message: "model 'm' not found, try pulling it first" } }), 'not-found', /does not have this model.*pulling/, 1],
      ['an unknown address', { status: 404, body: 'Not Found' }, 'not-found', /Nothing is served at .*\/v1\/chat\/completions/, 1],
      ['a web page', page(200), 'malformed', /web page/, 1],
      ['a web page that takes no posts', page(405), 'malformed', /web page/, 1],
      ['a reply that was cut off', events(delta('half', 'length'), '[DONE]'), 'incomplete', /length limit/, 3],
      ['a reply that was filtered', events(delta('half', 'content_filter'), '[DONE]'), 'incomplete', /filter/, 3],
      ['an empty reply', completion(' \n'), 'malformed', /empty reply/, 3],
      ['an answer without a body', { status: 204 }, 'malformed', /without a text \(status 204\)/, 1],
      ['no reply', completion(null), 'malformed', /empty reply/, 3],
    ];
    for (const [title, response, reason, message, requests] of rows) {
      it(`${title}: ${reason}, ${requests === 1 ? 'asked once' : 'asked again'}`, async () => {
        const server = await serve(response);
        const mayAskAgain = requests > 1 || title === 'a wait of hours';
        await assert.rejects(askAt(server, { apiKey: KEY }), isError(reason, mayAskAgain, message));
        assert.equal(server.requests.length, requests);
      });
    }

    it('counts what unusable replies cost', async () => {
      await assert.rejects(askAt(await serve(completion('half', 'length'))), { usage: { promptTokens: 30, completionTokens: 15, totalTokens: 45 } });
      const proposal = await askAt(await serve(completion(''), json(503, {}), completion('whole')));
      assert.deepEqual([proposal.reply, proposal.usage?.totalTokens], ['whole', 30]);
    });

    it('hints at /v1 where the base URL has none', async () => {
      for (const response of [{ status: 404, body: '404 page not found' }, page(404), page(200), json(200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' })]) {
        const server = await serve(response);
        await assert.rejects(askAt(server, { baseUrl: `${server.origin}/` }), (error) => error instanceof ProposerError && error.message.includes(`${server.origin}/v1`) && !error.retryable);
        assert.equal(server.requests.length, 1);
      }
    });

    it('wants a key where it has none', async () => {
      await assert.rejects(askAt(await serve(json(401, {}))), isError('refused', false, /wants a key/));
    });

    it('says that nothing answers, and asks nobody else', async () => {
      const server = await startModelServer([]);
      await server.close();
      await assert.rejects(askAt(server), isError('unreachable', false, new RegExp(`^Nothing answers at ${server.origin}/v1: start the server or check the base URL\\.$`)));
    });

    it('survives a server that hangs up without a word', async () => {
      let connections = 0;
      const server = createServer((socket) => { connections += 1; socket.once('data', () => socket.destroy()); });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      assert.ok(typeof address === 'object' && address !== null);
      const proposer = createOpenAiProposer({ baseUrl: `http://127.0.0.1:${address.port}/v1`, model: 'm', wait: () => Promise.resolve() });
      try {
        await assert.rejects(ask(proposer), isError('unreachable', true, /connection/));
        assert.equal(connections, 3);
      } finally {
        server.close();
      }
    });

    it('gives up on a silent server, before and within a stream', async () => {
      for (const response of [{ ...events(), end: 'never' }, { ...events(delta('a')), end: 'never' }] as const)
        await assert.rejects(askAt(await serve(response), { timeoutMs: 60 }), isError('unreachable', true, /silent for 0\.06 s/));
    });

    it('accepts a reply that is complete though the server stays silent', async () => {
      const server = await serve({ ...events(delta('a', 'stop')), end: 'never' });
      assert.equal((await askAt(server, { timeoutMs: 100 })).reply, 'a');
    });
  });

  describe('waiting and cancelling', () => {
    it('waits as long as it is told, else longer each time, then ends', async () => {
      const waits: number[] = [];
      const server = await serve(json(429, {}, { 'retry-after': '2' }), json(503, {}, { 'retry-after-ms': '30' }), completion('a'));
      assert.equal((await askAt(server, {}, waits)).reply, 'a');
      assert.deepEqual(waits, [2000, 30]);
      const date = new Date(Date.now() + 60_000).toUTCString();
      waits.length = 0;
      await askAt(await serve(json(503, {}, { 'retry-after': date }), completion('a')), {}, waits);
      assert.ok(waits[0] !== undefined && waits[0] > 55_000 && waits[0] <= 60_000, String(waits));
      waits.length = 0;
      await assert.rejects(askAt(await serve(json(500, {})), {}, waits));
      assert.deepEqual(waits, [1000, 4000]);
    });

    it('says that a reply starts over', async () => {
      const seen: string[] = [];
      await askAt(await serve(events(delta('ha')), events(delta('whole', 'stop'))), { onText: (text) => seen.push(text) });
      assert.deepEqual(seen, ['ha', '', 'whole']);
    });

    it('really waits', async () => {
      const server = await serve(json(503, {}, { 'retry-after-ms': '80' }), completion('a'));
      const start = performance.now();
      await ask(createOpenAiProposer({ baseUrl: `${server.origin}/v1`, model: 'm' }));
      assert.ok(performance.now() - start >= 79);
    });

    const moments: readonly [string, CannedResponse, boolean][] = [
      ['in a wait', json(429, {}, { 'retry-after': '300' }), false],
      ['in a stream', { ...events(delta('a')), end: 'never' }, true],
      ['in a stream after the last word', { ...events(delta('a', 'stop')), end: 'never' }, true],
      ['in a whole answer', { status: 200, headers: { 'content-type': 'application/json' }, chunks: ['{"choices": ['], end: 'never' }, false],
      ['in an error answer', { status: 500, chunks: ['{"err'], end: 'never' }, false],
    ];
    for (const [moment, response, stream] of moments) {
      it(`is cancelled at once ${moment}, and asks no more`, async () => {
        const server = await serve(response, completion('late'));
        const abort = new AbortController();
        const answer = ask(createOpenAiProposer({ baseUrl: `${server.origin}/v1`, model: 'm', stream }), {}, abort.signal);
        const settled = assert.rejects(answer, isError('cancelled', false, /cancelled/));
        await server.answered(1);
        // Let the client see what has arrived.
        await new Promise((resolve) => setTimeout(resolve, 30));
        abort.abort();
        // Each of these would go on for minutes, or for ever.
        await settled;
        assert.equal(server.requests.length, 1);
      });
    }

    it('asks nothing when it is cancelled while the messages are made', async () => {
      const server = await serve(completion('a'));
      const abort = new AbortController();
      const messages = (): Promise<never[]> => { abort.abort(); return Promise.resolve([]); };
      await assert.rejects(ask(createOpenAiProposer({ baseUrl: `${server.origin}/v1`, model: 'm' }), { messages }, abort.signal), isError('cancelled', false, /cancelled/));
      assert.equal(server.requests.length, 0);
    });

    it('asks nothing when it is cancelled before', async () => {
      const server = await serve(completion('a'));
      const proposer = createOpenAiProposer({ baseUrl: `${server.origin}/v1`, model: 'm' });
      await assert.rejects(ask(proposer, {}, AbortSignal.abort()), isError('cancelled', false, /cancelled/));
      assert.equal(server.requests.length, 0);
    });
  });
});
