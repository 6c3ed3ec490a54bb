import assert from 'node:assert/strict';
import { HOST_LINE, hostLine } from './host-log.ts';

describe('lines of a test run', () => {
  it("are the tests' own, whole", () => {
    assert.equal(hostLine('log', [`${HOST_LINE}  1) fails\n     Error: why`]), '  1) fails\n     Error: why');
  });

  it("are of the workbench's errors the first line, shortened", () => {
    assert.equal(hostLine('error', ['Cannot do that: Error: no\n    at one (workbench.js:1:2)\n    at two (workbench.js:3:4)']), 'The editor says: Cannot do that: Error: no');
    assert.equal(hostLine('error', ['x'.repeat(1000)])?.length, 'The editor says: '.length + 241);
  });

  it('are none for what is no error, harmless, or of the tests\' own making', () => {
    assert.equal(hostLine('warn', ['slow']), undefined);
    assert.equal(hostLine('error', ['Canceled: Canceled']), undefined);
    assert.equal(hostLine('error', ["Unable to read file 'ratchet:/r/2/f.py %232 reply.txt?reply:judged' (Canceled: Canceled): Error: Unable …\n    at x"]), undefined);
    assert.equal(hostLine('error', [`${HOST_LINE}Error: spawn /x/node_modules/@vscode/ripgrep/bin/rg ENOENT`]), undefined);
  });

  it("are not lost where a test's failure speaks of a file that can't be read", () => {
    const failure = "Unable to read file 'ratchet:/r/1/f.py'";
    assert.equal(hostLine('log', [HOST_LINE + failure]), failure);
    assert.equal(hostLine('error', [failure]), `The editor says: ${failure}`);
  });
});
