import assert from 'node:assert/strict';
import { engineEnvironment } from '../../src/wire/environment.ts';

describe('the environment that an engine gets', () => {
  it('leaves out what the editor put there, and keys', () => {
    const env = { PATH: '/bin', HOME: '/h', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--x', OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: 'http://a', UNSET: undefined };
    assert.deepEqual(engineEnvironment(env), { PATH: '/bin', HOME: '/h', OPENAI_BASE_URL: 'http://a' });
  });
});
