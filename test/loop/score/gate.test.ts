import assert from 'node:assert/strict';
import { readGate, type GateReading } from '../../../src/loop/score/gate.ts';

const read = (stdout: string, exitCode = 0, stderr = ''): GateReading => readGate({ stdout, stderr, exitCode, end: 'exited' });

describe('a gate', () => {
  it('passes with exit code 0, whatever it prints', () => {
    for (const text of ['', 'score: 5', '  3 passing (2ms)', '2 passed in 0.01s', 'TAP version 13\nok 1 - a\n1..1\n', 'Ran 3 tests in 0.001s\n\nOK', '# tests 3\n# pass 3'])
      assert.equal(read(text).outcome, 'scored', text);
  });

  it('that checked nothing has not passed', () => {
    for (const text of ['  0 passing (1ms)', 'collected 0 items\n\n=== no tests ran in 0.01s ===', 'TAP version 13\n1..0\n', '1..0 # no tests', 'Ran 0 tests in 0.000s\n\nOK', 'ℹ tests 0\nℹ pass 0', 'No test files found, exiting with code 0', 'No tests found, exiting with code 0', 'ok  \tpkg\t0.003s [no tests to run]', '?   \tpkg\t[no test files]', '{"numTotalTests":0,"testResults":[],"success":true}'])
      assert.equal(read(text).outcome, 'no-score', text);
  });

  it('of several packages passes where one of them checked something', () => {
    assert.equal(read('?   \ta\t[no test files]\nok  \tb\t0.003s').outcome, 'scored');
    assert.equal(read('a:   0 passing (1ms)\n  0 passing (1ms)\n  4 passing (2ms)').outcome, 'scored');
  });

  it('names what failed, from a report or by the marks of common tools', () => {
    assert.deepEqual(read('TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2\n', 1).failed, ['b']);
    assert.deepEqual(read('FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed in 0.02s', 1).failed, ['tests/test_a.py::test_b']);
    assert.deepEqual(read('FAIL: test_x (t.T.test_x)\nRan 1 test in 0.0s', 1).failed, ['test_x (t.T.test_x)']);
    assert.deepEqual(read('src/a.ts(3,5): error TS2322: Type x\n', 2).failed, ['src/a.ts(3,5): error TS2322: Type x']);
    assert.deepEqual(read('--- FAIL: TestA (0.00s)', 1).failed, ['TestA']);
    assert.deepEqual(read('test a::b ... FAILED', 101).failed, ['a::b']);
    assert.equal(read('', 1, Array.from({ length: 99 }, (_, index) => `not ok ${index} - n${index}`).join('\n')).failed.length, 20);
  });

  it('that can\'t start, takes too long or dies has failed', () => {
    assert.match(read('', 127).why, /^It ended with exit code 127 \(the program was not found\)/);
    assert.equal(readGate({ stdout: '', stderr: '', exitCode: null, signal: 'SIGSEGV', end: 'exited' }).outcome, 'crashed');
    assert.equal(readGate({ stdout: '', stderr: '', exitCode: null, end: 'timed-out', timeoutMs: 5000 }).outcome, 'timed-out');
    assert.match(readGate({ stdout: '', stderr: '', exitCode: null, end: 'not-started', startError: 'there is no x.' }).why, /^It could not be started: there is no x\./);
  });
});
