import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import cases from '../cases/handed.json' with { type: 'json' };
import { startModelServer, type CannedResponse } from '../engine/proposers/server.ts';
import { Lab, reply, verdictsOf } from './lab.ts';

const KEY = 'sk-test-0123456789abcdef';
const SCORE = ['--score', 'python3 score.py', '--proposer', 'openai', '--model', 'm'];
const FILES = { 'f.py': 'A = 1\n', 'score.py': 'import json, os\nimport f\nopen("env.json", "w").write(json.dumps(dict(os.environ)))\nprint(json.dumps(dict(os.environ)))\nprint("score:", f.A)\n' };

function answer(text: string, finish = 'stop'): CannedResponse {
  const body = { id: 'r', object: 'chat.completion', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

describe('ratchet run with a model', () => {
  let lab: Lab;
  afterEach(() => lab.close());

  it('keeps what a server proposes, counts its tokens, and lets the key out to it alone', async () => {
    const server = await startModelServer([answer(reply('A = 1', 'A = 2')), answer(reply('A = 9', 'A = 3')), answer(reply('A = 2', 'A = 0'))]);
    lab = await Lab.open(FILES);
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;
    lab.env['OPENAI_API_KEY'] = KEY;
    const { code, events, stderr } = await lab.events('run', 'f.py', ...SCORE, '--attempts', '3');
    await server.close();
    assert.equal(code, 0, stderr);
    assert.deepEqual(verdictsOf(events), ['kept', 'kept', 'refused', 'discarded']);
    assert.equal(events.filter((event) => event.type === 'proposed').reduce((sum, event) => sum + (event.usage?.totalTokens ?? 0), 0), 45);
    assert.ok(server.requests.every((request) => request.headers['authorization'] === `Bearer ${KEY}`));
    assert.match(JSON.stringify(server.requests[2]?.body), /not found/, 'the refusal is told');
    const written = await everything(lab.folder);
    assert.ok(written.includes('RATCHET_TARGET'), 'the scorer printed its environment');
    assert.ok(!written.includes(KEY), 'and the key is in no file');
    assert.ok(!stderr.includes(KEY));
  });

  it('counts the tokens of replies that were cut off, and ends by the rule about them', async () => {
    const server = await startModelServer([answer(reply('A = 1', 'A = 2')), ...Array.from({ length: 9 }, () => answer('<<<<<<< SEARCH', 'length'))]);
    lab = await Lab.open({ ...FILES, 'program.md': '---\ntokens: 30\n---\nRaise A.\n' });
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;
    const { events } = await lab.events('run', 'f.py', ...SCORE);
    await server.close();
    assert.deepEqual(verdictsOf(events), ['kept', 'kept']);
    const failed = events.filter((event) => event.type === 'proposal-failed');
    assert.equal(failed.length, 1);
    assert.match(failed[0]?.why ?? '', /cut off/);
    assert.equal(failed[0]?.usage?.totalTokens, 15 * (server.requests.length - 1));
    const end = events.at(-1);
    assert.ok(end?.type === 'run-ended' && end.reason === 'tokens', JSON.stringify(end));
  });

  it('L02: stops when the account is empty, and counts no attempt', async () => {
    const { input } = cases.find((one) => one.id === 'L02') as unknown as { input: { responses: CannedResponse[] } };
    const server = await startModelServer(input.responses);
    lab = await Lab.open(FILES);
    lab.env['OPENAI_BASE_URL'] = `${server.origin}/v1`;
    lab.env['OPENAI_API_KEY'] = KEY;
    const { code, events } = await lab.events('run', 'f.py', ...SCORE);
    await server.close();
    assert.equal(code, 4);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(verdictsOf(events), ['kept']);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-ended' && end.reason === 'proposer-failed');
    assert.match(end.sentence, /quota/);
  });

  it('says what to do when no server is there, or a key is malformed', async () => {
    lab = await Lab.open(FILES);
    lab.env['OPENAI_BASE_URL'] = 'http://127.0.0.1:9/v1';
    const { events } = await lab.events('run', 'f.py', ...SCORE);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-ended' && /127\.0\.0\.1:9/.test(end.sentence), JSON.stringify(end));
    lab.env['OPENAI_API_KEY'] = 'sk-a\nb';
    const { code, stderr } = await lab.ratchet('run', 'f.py', ...SCORE);
    assert.match(stderr, /line break/);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(code, 2);
  }).timeout(60_000);
});

/** All that lies below a folder, as one text. */
/** What lies in a folder; what goes while it is read is a sign of the run that ends. */
async function everything(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return (await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8').catch(() => '')))).join('\n');
}
