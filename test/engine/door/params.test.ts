import assert from 'node:assert/strict';
import { readHello, readParams } from '../../../src/engine/door/params.ts';
import type { Requests } from '../../../src/protocol.ts';
import { METHODS, RIGHT } from './right.ts';

describe('the parameters of a request', () => {
  it('are taken as they are where they are right', () => {
    for (const method of METHODS) assert.deepEqual(readParams(method, RIGHT[method]), { ok: true, params: RIGHT[method] }, method);
  });

  it('may be left out where there are none, and hold what a newer client adds', () => {
    assert.deepEqual(readParams('ratchet/runs', undefined), { ok: true, params: {} });
    assert.deepEqual(readParams('ratchet/stop', { run: 'x', how: 'gently' }), { ok: true, params: { run: 'x' } });
  });

  it('are refused with the name of what is wrong, for every part of every request', () => {
    for (const method of METHODS)
      for (const [key, value] of Object.entries({ ...RIGHT[method] } as Readonly<Record<string, unknown>>))
        for (const wrong of [{ a: [] }, Number.NaN, [[1]], true, null])
          if (typeof wrong !== typeof value || wrong === null) {
            const read = readParams(method, { ...RIGHT[method], [key]: wrong });
            assert.ok(!read.ok, `${method} ${key} ${JSON.stringify(wrong)}`);
            assert.match(read.why, new RegExp(key), method);
          }
  });

  it('are refused where a path is none, or a choice breaks the rules of program.md', () => {
    const refused = <M extends keyof Requests>(method: M, change: object, why: RegExp): void => {
      const read = readParams(method, { ...RIGHT[method], ...change });
      assert.ok(!read.ok, JSON.stringify(change));
      assert.match(read.why, why);
    };
    refused('ratchet/page', { target: '../f.py' }, /`target` must be an absolute path/);
    refused('ratchet/page', { target: '/w/f.py\0.txt' }, /`target` must hold no NUL/);
    refused('ratchet/page', { target: `/${'a'.repeat(10_000)}` }, /too long/);
    refused('ratchet/try', { flags: { attempts: -1 } }, /`flags` can't be used: `attempts` must be more than 0/);
    refused('ratchet/try', { settings: { rootkit: true } }, /no option `rootkit`/);
    refused('ratchet/start', { env: { A: 1 } }, /`env.A` must be a text/);
    refused('ratchet/start', { env: { A: 'x\0y' } }, /`env.A` must hold no NUL/);
    refused('ratchet/start', { env: ['x'] }, /`env` must be no list/);
    refused('ratchet/keep', { attempt: 1.5 }, /`attempt` must be a whole number/);
    refused('ratchet/keep', { attempt: -1 }, /`attempt` must not be negative/);
    refused('ratchet/allow', { sandbox: 'auto' }, /sandbox/);
  });

  it('of the handshake are looked at too', () => {
    const hello = { token: 't', protocol: 1, build: 'b', client: 'editor' };
    assert.deepEqual(readHello({ processId: 1, initializationOptions: hello }), { ok: true, params: hello });
    for (const wrong of [undefined, null, 1, [], {}, { initializationOptions: null }, { initializationOptions: { ...hello, token: 1 } }, { initializationOptions: { ...hello, client: 'browser' } }])
      assert.equal(readHello(wrong).ok, false, JSON.stringify(wrong));
  });
});
