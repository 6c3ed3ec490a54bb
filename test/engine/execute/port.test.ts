import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { freePort } from '../../../src/engine/execute/port.ts';

describe('the port of a slot', () => {
  const servers: Server[] = [];
  afterEach(() => Promise.all(servers.splice(0).map(async (server) => {
    server.close();
    await once(server, 'close');
  })));
  const taken = async (port: number, host?: string): Promise<void> => {
    const server = createServer().listen({ port, ...(host === undefined ? {} : { host }) });
    servers.push(server);
    await once(server, 'listening');
  };

  it('is the same for a slot while it is free, and another for each slot', async () => {
    const ports = await Promise.all([0, 1, 2, 3].map((slot) => freePort(slot)));
    assert.equal(new Set(ports).size, 4);
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map((slot) => freePort(slot))), ports);
  });

  for (const host of [undefined, '127.0.0.1']) it(`is passed over where somebody listens on ${host ?? 'all addresses'}`, async () => {
    const first = await freePort(0, 7);
    assert.ok(first !== undefined);
    await taken(first, host);
    const next = await freePort(0, 7);
    assert.ok(next !== undefined && next !== first);
    // Whoever is given it can listen on it, in either way.
    await taken(next, host);
  });
});
