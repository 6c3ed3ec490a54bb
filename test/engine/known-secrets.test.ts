import assert from 'node:assert/strict';
import { maskFor } from '../../src/engine/known-secrets.ts';

describe('secrets that an engine knows', () => {
  it('are the values of variables whose name says so, and the key of a model', () => {
    const mask = maskFor({ MY_PASSWORD: 'tr0ub4dor-and-3', AWS_REGION: 'us-east-1', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMIabc', EDITOR: 'tr4nsparent-1', SSH_AUTH_SOCK: '/tmp/ssh-1/agent.1', NONE_KEY: undefined }, 'model-key-1');
    assert.equal(mask('tr0ub4dor-and-3 us-east-1 wJalrXUtnFEMIabc tr4nsparent-1 /tmp/ssh-1/agent.1 model-key-1'),
      '[masked: secret] us-east-1 [masked: secret] tr4nsparent-1 /tmp/ssh-1/agent.1 [masked: secret]');
  });
});
