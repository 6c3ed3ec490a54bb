import assert from 'node:assert/strict';
import { systemCallFilter } from '../../../src/engine/confine/seccomp.ts';

const ALLOW = 0x7fff_0000;
const errno = (number: number): number => 0x0005_0000 | number;

/** Runs a filter as the kernel does; what it returns for one call. */
function returned(filter: Buffer, call: { readonly number: number; readonly audit: number; readonly first?: number }): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number >>> 0, 0);
  data.writeUInt32LE(call.audit >>> 0, 4);
  data.writeUInt32LE(call.first ?? 0, 16);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, then, otherwise, k] = [filter.readUInt16LE(at * 8), filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3), filter.readUInt32LE(at * 8 + 4)];
    if (code === 0x06) return k;
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else at += (code === 0x15 ? accumulator === k : accumulator >= k) ? then : otherwise;
  }
  return assert.fail('It ends without an answer.');
}

const ARCHITECTURES = [
  { arch: 'x64', audit: 0xc000003e, keys: [248, 249, 250], socket: 41 },
  { arch: 'x64', audit: 0x40000003, keys: [286, 287, 288], socket: 359 },
  { arch: 'arm64', audit: 0xc00000b7, keys: [217, 218, 219], socket: 198 },
  { arch: 'arm64', audit: 0x40000028, keys: [309, 310, 311], socket: 281 },
] as const;

describe('the filter of system calls', () => {
  for (const { arch, audit, keys, socket } of ARCHITECTURES)
    it(`refuses the keyring, sockets to a host and what goes past it, and nothing else (${arch}, ${audit.toString(16)})`, () => {
      const filter = systemCallFilter(arch);
      assert.ok(filter);
      const refused = new Set<number>([...keys, 425]);
      for (let number = 0; number < 500; number++)
        assert.equal(returned(filter, { number, audit }), refused.has(number) ? errno(number === 425 ? 38 : 1) : ALLOW, String(number));
      assert.equal(returned(filter, { number: socket, audit, first: 40 }), errno(97));
      for (const family of [1, 2, 10, 16]) assert.equal(returned(filter, { number: socket, audit, first: family }), ALLOW);
    });

  it('knows no other way to call the same', () => {
    const filter = systemCallFilter('x64');
    assert.ok(filter);
    assert.equal(returned(filter, { number: 0x40000000 + 250, audit: 0xc000003e }), errno(38));
    assert.equal(systemCallFilter('riscv64'), undefined);
  });
});
