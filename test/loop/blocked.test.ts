import assert from 'node:assert/strict';
import { blockedIn, type Outside } from '../../src/loop/blocked.ts';

const OUTSIDE: Outside = {
  hidden: (path) => (path.startsWith('/home/me/models') || path === '/data/set.csv' ? path : path.startsWith('/home/me/venv/') ? '/home/me/venv' : undefined),
  hiddenModule: (name) => (name === 'numpy' ? '/home/me/site' : name === '@a/b' ? '/home/me/node_modules' : undefined),
  folderAt: (path) => (path.startsWith('/out') ? '/out' : path.startsWith('/home/me/cache') ? '/home/me/cache' : undefined),
  home: '/home/me', heldBack: ['MY_SETTING', 'DATABASE_URL'], offline: true,
  closedLinks: ['/home/me/work/other'],
};
const allow = (output: string, isStart = false): readonly string[] => blockedIn(output, OUTSIDE, isStart).allow;

describe('what was blocked', () => {
  it('is the network, in the words of Node, Python, curl and git', () => {
    for (const line of [
      'Error: getaddrinfo EAI_AGAIN registry.npmjs.org', 'socket.gaierror: [Errno -3] Temporary failure in name resolution', 'curl: (6) Could not resolve host: example.org',
      'OSError: [Errno 101] Network is unreachable', 'Error: connect ENETUNREACH 192.0.2.1:443', "fatal: unable to access 'https://example.org/': Could not resolve host: example.org",
    ]) assert.deepEqual(allow(line), ['net'], line);
    assert.deepEqual(blockedIn("HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded (Temporary failure in name resolution)", OUTSIDE).hosts, ['huggingface.co']);
    assert.deepEqual(blockedIn('getaddrinfo EAI_AGAIN', { ...OUTSIDE, offline: false }).allow, []);
  });

  it('is a refused connection only where that is tried out, and nothing else was told', () => {
    assert.deepEqual(allow('connect ECONNREFUSED 127.0.0.1:5432'), []);
    assert.deepEqual(allow('connect ECONNREFUSED 127.0.0.1:5432', true), ['net']);
    assert.deepEqual(allow("connect ECONNREFUSED 127.0.0.1:5432\ncat: /data/set.csv: No such file or directory", true), ['/data/set.csv']);
  });

  it('is a file that is there, and not one that is missing anyway', () => {
    assert.deepEqual(allow("FileNotFoundError: [Errno 2] No such file or directory: '/home/me/models/w.bin'"), ['~/models/w.bin']);
    assert.deepEqual(allow('Error: ENOENT: no such file or directory, open \'/data/set.csv\''), ['/data/set.csv']);
    assert.deepEqual(allow('cat: ~/models/w.bin: No such file or directory.'), ['~/models/w.bin']);
    assert.deepEqual(allow('cat: /data/other.csv: No such file or directory'), []);
    assert.deepEqual(allow('read /data/set.csv'), []);
  });

  it('is all of an environment where a program of it is missing', () => {
    assert.deepEqual(allow('sh: 1: /home/me/venv/bin/python: not found\nsh: 1: .: cannot open /home/me/venv/bin/activate: No such file'), ['~/venv']);
  });

  it('is the folder of a module that the person has', () => {
    assert.deepEqual(allow("ModuleNotFoundError: No module named 'numpy.linalg'"), ['~/site']);
    assert.deepEqual(allow("Error: Cannot find module '@a/b/c'\nError [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/b' imported from x"), ['~/node_modules']);
    assert.deepEqual(allow("ModuleNotFoundError: No module named 'nowhere'\nError: Cannot find module './x.js'"), []);
  });

  it('is another project that links lead to, only where that is tried out, and nothing else was told', () => {
    assert.deepEqual(allow('cat: other/a.txt: No such file or directory', true), ['~/work/other']);
    assert.deepEqual(allow('cat: other/a.txt: No such file or directory'), []);
    assert.deepEqual(allow('cat: /data/set.csv: No such file or directory', true), ['/data/set.csv']);
  });

  it('is a folder that was written to', () => {
    assert.deepEqual(allow("touch: cannot touch '/home/me/cache/x': Read-only file system"), ['write:~/cache']);
    assert.deepEqual(allow("Error: EROFS: read-only file system, open '/out/a.json'"), ['write:/out']);
  });

  it('is a variable that was held back and is spoken of', () => {
    assert.deepEqual(allow("KeyError: 'MY_SETTING'"), ['env:MY_SETTING']);
    assert.deepEqual(allow('KeyError: OTHER'), []);
  });
});
