import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Frames, NoMessage } from '../../../src/engine/door/frames.ts';
import { messageIn } from '../../../src/engine/door/message.ts';

const frame = (body: Buffer): Buffer => Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
const read = (chunks: readonly Buffer[], most = 1000): readonly string[] => {
  const frames = new Frames(() => most);
  return chunks.flatMap((chunk) => [...frames.push(chunk)]).map(String);
};

describe('what a connection brings', () => {
  it('is cut into messages, however the bytes come', () => {
    fc.assert(fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 5 }), fc.array(fc.nat(40)), (bodies, cuts) => {
      const all = Buffer.concat(bodies.map((body) => frame(Buffer.from(body))));
      const chunks: Buffer[] = [];
      let at = 0;
      for (const length of cuts) chunks.push(all.subarray(at, at += length));
      assert.deepEqual(read([...chunks, all.subarray(at)]), bodies.map((body) => String(Buffer.from(body))));
    }));
  });

  it('may say more in a header, in any case', () => {
    assert.deepEqual(read([Buffer.from('content-LENGTH:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}')]), ['{}']);
  });

  it('is refused where its length is none, or over the limit of that moment', () => {
    for (const head of ['Content-Length: -1', 'Content-Length: 0', 'Content-Length: 1e3', 'Content-Length: 0x10', 'Content-Length: 1 2', 'Content-Length: 9999999999999999', 'Content-Length: 1001', 'Content-Length: 2\r\nContent-Length: 3', 'GET / HTTP/1.1', 'Content-Length'])
      assert.throws(() => read([Buffer.from(`${head}\r\n\r\n{}`)]), NoMessage, head);
    let most = 2;
    const frames = new Frames(() => most);
    assert.equal([...frames.push(frame(Buffer.from('{}')))].length, 1);
    most = 1;
    assert.throws(() => [...frames.push(frame(Buffer.from('{}')))], /2 bytes, where 1 are allowed/);
  });

  it('is refused where a header never ends, without keeping it', () => {
    assert.throws(() => read(Array.from({ length: 2000 }, () => Buffer.from('a'))), NoMessage);
    assert.throws(() => read([Buffer.alloc(1_000_000, 97)]), NoMessage);
  });

  it('is no message where it is no JSON, nested too deep, or of another kind', () => {
    const deep = (depth: number): string => `{"jsonrpc":"2.0","method":"x","params":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    assert.ok(messageIn(Buffer.from(deep(62))));
    assert.throws(() => messageIn(Buffer.from(deep(63))), /nested more than 64 times/);
    assert.throws(() => messageIn(Buffer.from('['.repeat(1_000_000))), NoMessage);
    // Brackets within texts nest nothing, behind an escaped quotation mark either.
    assert.ok(messageIn(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: `"${'['.repeat(1000)}\\` } }))));
    for (const body of ['{{{', 'null', '1', '[]', '[{"jsonrpc":"2.0","method":"x"}]', '{}', '{"method":"x"}', '{"jsonrpc":"1.0","method":"x"}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","method":1}', '{"jsonrpc":"2.0","method":"x","id":{}}', '{"jsonrpc":"2.0","method":"x","params":[1,2]}', '{"jsonrpc":"2.0","method":"x","params":"y"}', '\xff'])
      assert.throws(() => messageIn(Buffer.from(body, 'latin1')), NoMessage, body);
  });
});
