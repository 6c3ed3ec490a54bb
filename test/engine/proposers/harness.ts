import assert from 'node:assert/strict';
import { createOpenAiProposer } from '../../../src/engine/proposers/openai.ts';
import type { OpenAiOptions } from '../../../src/engine/proposers/openai.ts';
import { ProposerError } from '../../../src/engine/proposers/proposer.ts';
import type { Proposal } from '../../../src/engine/proposers/proposer.ts';
import { ask } from './request.ts';
import { startModelServer } from './server.ts';
import type { CannedResponse, ModelServer } from './server.ts';

export const KEY = 'sk-test-0123456789abcdef';

/** Starts servers that are closed after each test of the suite that calls this, and proves that no promise was left to fail unseen. */
export function useServers(): (...responses: readonly CannedResponse[]) => Promise<ModelServer> {
  const servers: ModelServer[] = [];
  const unseen: unknown[] = [];
  const onUnseen = (error: unknown): void => { unseen.push(error); };
  before(() => process.on('unhandledRejection', onUnseen));
  after(() => process.off('unhandledRejection', onUnseen));
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    assert.deepEqual(unseen, []);
  });
  return async (...responses) => {
    const server = await startModelServer(responses);
    servers.push(server);
    return server;
  };
}

/** Asks once, with waits that take no time; `waits` collects them. */
export function askAt(server: ModelServer, options: Partial<OpenAiOptions> = {}, waits: number[] = []): Promise<Proposal> {
  const wait = (ms: number): Promise<void> => { waits.push(ms); return Promise.resolve(); };
  return ask(createOpenAiProposer({ baseUrl: `${server.origin}/v1`, model: 'm', wait, ...options }));
}

/** A check for assert.rejects; the message never holds the key. */
export function isError(reason: ProposerError['reason'], retryable: boolean, message: RegExp) {
  return (error: unknown): true => {
    assert.ok(error instanceof ProposerError, String(error));
    assert.match(error.message, message);
    assert.deepEqual([error.reason, error.retryable], [reason, retryable], error.message);
    assert.ok(!error.message.includes(KEY));
    return true;
  };
}
