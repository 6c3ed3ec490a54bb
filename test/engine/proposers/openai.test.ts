import assert from 'node:assert/strict';
import { createOpenAiProposer } from '../../../src/engine/proposers/openai.ts';
import { completion, delta, events, json } from './dialect.ts';
import { askAt, isError, KEY, useServers } from './harness.ts';
import { ask } from './request.ts';

describe('openai proposer', () => {
  const serve = useServers();

  describe('a good answer', () => {
    it('streams by default, tells the text as it comes and reads the usage', async () => {
      const server = await serve(events(delta('Use '), delta('a set.'), delta('', 'stop'), { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }, '[DONE]'));
      const seen: string[] = [];
      const proposal = await askAt(server, { onText: (text) => seen.push(text) });
      assert.equal(proposal.reply, 'Use a set.');
      assert.deepEqual(proposal.usage, { promptTokens: 3, completionTokens: 4, totalTokens: 7 });
      assert.equal(proposal.request, '=== system ===\nYou edit.\n\n=== user ===\nImprove it.\n');
      assert.deepEqual(seen, ['Use ', 'a set.']);
      assert.equal(server.requests[0]?.path, '/v1/chat/completions');
      assert.deepEqual(server.requests[0].body, {
        model: 'm', stream: true, stream_options: { include_usage: true },
        messages: [{ role: 'system', content: 'You edit.' }, { role: 'user', content: 'Improve it.' }],
      });
    });

    it('asks for the whole answer at once where stream is off', async () => {
      const server = await serve(completion('Use a set.'));
      assert.deepEqual((await askAt(server, { stream: false })).usage, { promptTokens: 10, completionTokens: 5, totalTokens: 15 });
      assert.deepEqual(Object.keys(server.requests[0]?.body ?? {}), ['model', 'messages']);
    });

    it('takes a whole answer from a server that does not stream', async () => {
      assert.equal((await askAt(await serve(completion('Use a set.')))).reply, 'Use a set.');
    });

    it('ends at [DONE] without a finish_reason, and at a finish_reason without [DONE]', async () => {
      assert.equal((await askAt(await serve(events(delta('a'), '[DONE]')))).reply, 'a');
      assert.equal((await askAt(await serve(events(delta('a'), delta('', 'stop'))))).reply, 'a');
      assert.equal((await askAt(await serve({ ...events(delta('a'), delta('', 'stop')), end: 'reset' }))).reply, 'a');
    });

    it('reads a stream cut anywhere, with CRLF, comments, empty finish reasons and two-byte letters', async () => {
      const text = ': hello\r\n\r\n' + [delta('é', ''), delta('→\n```\n', ''), delta('', 'stop')].map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`).join('') + 'data: [DONE]\r\n\r\n';
      const chunksBase64 = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]).toString('base64'));
      const server = await serve({ status: 200, headers: { 'content-type': 'text/event-stream' }, chunksBase64 });
      assert.equal((await askAt(server)).reply, 'é→\n```\n');
    });

    it('does not take reasoning for the reply', async () => {
      const reasoning = { choices: [{ index: 0, delta: { reasoning: 'x', reasoning_content: 'y', content: null }, finish_reason: null }] };
      assert.equal((await askAt(await serve(events(reasoning, delta('b', 'stop'))))).reply, 'b');
    });

    it('estimates the usage where the server does not say, or says nonsense', async () => {
      const { usage } = await askAt(await serve(events(delta('a'.repeat(41), 'stop'), '[DONE]')));
      assert.deepEqual([usage?.estimated, usage?.completionTokens], [true, 11]);
      assert.ok((usage?.promptTokens ?? 0) > 0);
      assert.equal((await askAt(await serve(events({ ...delta('a', 'stop'), usage: 'many' }, '[DONE]')))).usage?.estimated, true);
    });

    it('asks without stream_options where they are refused, and remembers that', async () => {
      const server = await serve(json(400, { error: { message: 'Unknown field: stream_options' } }), events(delta('a', 'stop'), '[DONE]'));
      const waits: number[] = [];
      const proposer = createOpenAiProposer({ baseUrl: `${server.origin}/v1`, model: 'm', wait: (ms) => { waits.push(ms); return Promise.resolve(); } });
      assert.equal((await ask(proposer)).reply, 'a');
      assert.equal((await ask(proposer)).reply, 'a');
      assert.deepEqual(server.requests.map(({ body }) => 'stream_options' in body), [true, false, false]);
      assert.deepEqual(waits, []);
    });
  });

  describe('the key', () => {
    it('goes to its own server, and nothing of the environment with it', async () => {
      const environment = { OPENAI_API_KEY: 'sk-environment', OPENAI_ORG_ID: 'org', OPENAI_PROJECT_ID: 'proj', OPENAI_CUSTOM_HEADERS: 'x-secret: s\nauthorization: Bearer other' };
      const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
      Object.assign(process.env, environment);
      try {
        const server = await serve(events(delta('a', 'stop'), '[DONE]'));
        await askAt(server, { apiKey: ` ${KEY}\n` });
        await askAt(server);
        const [withKey, without] = server.requests;
        assert.equal(withKey?.headers.authorization, `Bearer ${KEY}`);
        assert.equal(without?.headers.authorization, undefined);
        assert.doesNotMatch(JSON.stringify(server.requests), /sk-environment|"org"|"proj"|x-secret|Bearer other|stainless/);
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
      }
    });

    it('is not carried to another origin by a redirect, nor is the request', async () => {
      const other = await serve(completion('stolen'));
      for (const status of [301, 302, 303, 307, 308]) {
        const server = await serve({ status, headers: { location: `${other.origin}/v1/chat/completions` } });
        await assert.rejects(askAt(server, { apiKey: KEY }), isError('refused', false, new RegExp(`another address, ${other.origin}`)));
        assert.equal(server.requests.length, 1);
      }
      assert.equal(other.requests.length, 0);
    });

    it('follows a redirect within the origin, but not for ever', async () => {
      const server = await serve({ status: 307, headers: { location: '/v1/chat/completions/' } }, completion('a'));
      assert.equal((await askAt(server, { apiKey: KEY })).reply, 'a');
      assert.deepEqual(server.requests.map(({ path, body, headers }) => [path, body['model'], headers.authorization]),
        ['/v1/chat/completions', '/v1/chat/completions/'].map((path) => [path, 'm', `Bearer ${KEY}`]));
      const loop = await serve({ status: 308, headers: { location: '/v1/x' } });
      await assert.rejects(askAt(loop), isError('refused', false, /somewhere else/));
      assert.equal(loop.requests.length, 4);
    });

    it('is masked where a server echoes it', async () => {
      const echo = { error: { message: `Bad key ${KEY}`, type: `t-${KEY}` } };
      await assert.rejects(askAt(await serve(json(401, echo)), { apiKey: KEY }), isError('refused', false, /Bad key \[key\]/));
      await assert.rejects(askAt(await serve(json(400, echo)), { apiKey: KEY }), isError('refused', false, /Bad key \[key\]/));
      await assert.rejects(askAt(await serve({ status: 403, body: `no ${KEY}` }), { apiKey: KEY }), isError('refused', false, /no \[key\]/));
      await assert.rejects(askAt(await serve(json(200, echo)), { apiKey: KEY }), isError('server', true, /Bad key \[key\]/));
      await assert.rejects(askAt(await serve(events(echo)), { apiKey: KEY }), isError('server', true, /Bad key \[key\]/));
    });

    it('is masked in what is kept of a request and its reply', async () => {
      const server = await serve(completion(`key = "${KEY}"`));
      const proposer = createOpenAiProposer({ baseUrl: server.origin, apiKey: KEY, model: 'm' });
      const proposal = await ask(proposer, { messages: () => Promise.resolve([{ role: 'user', content: `# ${KEY}` }]) });
      assert.deepEqual([proposal.request, proposal.reply], ['=== user ===\n# [key]\n', 'key = "[key]"']);
    });

    it('is left in prose where it is a common word', async () => {
      assert.equal((await askAt(await serve(completion('import ollama')), { apiKey: 'ollama' })).reply, 'import ollama');
    });

    it('is refused where it has quotes or line breaks', () => {
      assert.throws(() => createOpenAiProposer({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey: `"${KEY}"` }), isError('refused', false, /quotation mark/));
      assert.throws(() => createOpenAiProposer({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey: `${KEY}\n${KEY}` }), isError('refused', false, /line break/));
    });
  });
});
