import assert from 'node:assert/strict';
import { DEFAULT_BASE_URL } from '../src/protocol.ts';
import { baseUrlOf, environmentKey, isLocal, keyProblem, maskKey, originOf } from '../src/model-server.ts';

describe('model servers and their keys', () => {
  it('takes the server of the setting, then of the environment', () => {
    assert.equal(baseUrlOf('http://a/v1', { OPENAI_BASE_URL: 'http://b/v1' }), 'http://a/v1');
    assert.equal(baseUrlOf(undefined, { OPENAI_BASE_URL: ' http://b/v1 ' }), 'http://b/v1');
    assert.equal(baseUrlOf('', {}), DEFAULT_BASE_URL);
  });

  it('knows an origin only of a web address', () => {
    assert.equal(originOf('http://127.0.0.1:8080/v1/'), 'http://127.0.0.1:8080');
    assert.equal(originOf('file:///etc'), undefined);
    assert.equal(originOf('nothing'), undefined);
  });

  it('gives the environment\'s key to the origin of its base URL alone', () => {
    const env = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://b:1/v1' };
    assert.equal(environmentKey('http://b:1', env), 'sk-1');
    assert.equal(environmentKey('http://b:2', env), undefined);
    assert.equal(environmentKey('https://api.openai.com', { OPENAI_API_KEY: 'sk-1' }), 'sk-1');
    assert.equal(environmentKey('http://b:1', { ...env, OPENAI_API_KEY: ' ' }), undefined);
  });

  it('tells servers on this machine from others', () => {
    for (const origin of ['http://localhost:1', 'http://127.0.0.1', 'http://[::1]:8080']) assert.ok(isLocal(origin), origin);
    for (const origin of ['http://localhost.example', 'https://127.0.0.1.example', 'https://api.openai.com']) assert.ok(!isLocal(origin), origin);
  });

  it('refuses what can\'t be a key, and shows no more than its end', () => {
    assert.equal(keyProblem(' sk-abc '), undefined);
    assert.equal(keyProblem('a\nb'), 'line-break');
    assert.equal(keyProblem('"a"'), 'quotes');
    assert.equal(keyProblem('a b'), 'characters');
    assert.equal(maskKey('sk-0123456789'), '••••6789');
    assert.equal(maskKey('short'), '••••');
  });
});
