import assert from 'node:assert/strict';
import { cleanKey, keyFor, keysFromEnvironment, readBaseUrl } from '../../../src/engine/proposers/keys.ts';
import { ProposerError } from '../../../src/engine/proposers/proposer.ts';

describe('keys', () => {
  it('gives a key to its own origin only', () => {
    const keys = new Map([['https://api.example.test', 'sk-1'], ['http://127.0.0.1:8080', 'local']]);
    assert.equal(keyFor('https://api.example.test/v1', keys), 'sk-1');
    assert.equal(keyFor('https://API.example.test:443/other/', keys), 'sk-1');
    for (const other of ['http://api.example.test/v1', 'https://api.example.test:8443/v1', 'https://example.test/v1', 'https://api.example.test.evil.test/v1'])
      assert.equal(keyFor(other, keys), undefined, other);
  });

  it('ties OPENAI_API_KEY to the origin of OPENAI_BASE_URL', () => {
    const standard = keysFromEnvironment({ OPENAI_API_KEY: ' sk-1\n' });
    assert.equal(keyFor('https://api.openai.com/v1', standard), 'sk-1');
    assert.equal(keyFor('http://127.0.0.1:11434/v1', standard), undefined);
    const own = keysFromEnvironment({ OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' });
    assert.equal(keyFor('http://127.0.0.1:11434/v1', own), 'sk-1');
    assert.equal(keyFor('https://api.openai.com/v1', own), undefined);
    assert.equal(keysFromEnvironment({ OPENAI_API_KEY: '  ' }).size, 0);
  });

  it('refuses a key that no header can carry, without repeating it', () => {
    assert.equal(cleanKey(' sk-abc\r\n'), 'sk-abc');
    assert.equal(cleanKey(''), undefined);
    for (const [key, word] of [['sk-a\nsk-b', /line break/], ['"sk-abc"', /quotation mark/], ["sk'abc", /quotation mark/], ['sk-a bc', /space/], ['sk-äbc', /special character/]] as const) {
      assert.throws(() => cleanKey(key), (error) => error instanceof ProposerError && word.test(error.message) && !error.message.includes('sk'));
    }
  });

  it('refuses a base URL that is none or that holds a secret, without repeating it', () => {
    assert.equal(readBaseUrl(' http://127.0.0.1:1/v1/// ').href, 'http://127.0.0.1:1/v1');
    for (const url of ['', 'localhost', 'ftp://secret.test/v1', 'https://me:secret@host.test/v1', 'https://host.test/v1?key=secret', 'https://host.test/v1#secret'])
      assert.throws(() => readBaseUrl(url), (error) => error instanceof ProposerError && !error.message.includes('secret'), url);
  });
});
