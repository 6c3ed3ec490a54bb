import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { askOf } from '../../src/cli/ask.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { Lab } from './lab.ts';

const SECRETS = { OPENAI_API_KEY: 'sk-secret-1', GITHUB_TOKEN: 'ghp-secret-2', AWS_SECRET_ACCESS_KEY: 'secret-3', DB_PASSWORD: 'secret-4', SMTP_PASS: 'secret-5' };

function terminal(env: NodeJS.ProcessEnv): Terminal {
  const nothing = (): void => undefined;
  return { out: nothing, outColoured: nothing, err: nothing, interactive: false, colour: false, width: 80, cwd: '/', env, self: 'ratchet', confirm: () => Promise.resolve(false) };
}

describe('the environment that leaves the terminal', () => {
  it('holds no secret on the wire, and nothing of the editor', () => {
    const { env } = askOf(terminal({ ...SECRETS, PATH: '/bin', NODE_OPTIONS: '--x', VSCODE_PID: '1', UNSET: undefined }), '/f.py', { parallel: 1, sandbox: 'auto' });
    assert.deepEqual(env, { PATH: '/bin' });
  });

  it('names no server where OPENAI_BASE_URL is set to nothing', () => {
    for (const [value, expected] of [[undefined, undefined], ['', undefined], ['  ', undefined], [' http://127.0.0.1:1/v1 ', 'http://127.0.0.1:1/v1']] as const)
      assert.equal(askOf(terminal({ OPENAI_BASE_URL: value }), '/f.py', { parallel: 1, sandbox: 'auto' }).baseUrl, expected);
  });

  it('holds no secret for the life of an engine', async function () {
    if (!existsSync('/proc/self/environ')) return this.skip();
    const lab = await Lab.open({ 'f.py': 'A = 1\n', 'score.py': 'import f\nprint("score:", f.A)\n' });
    Object.assign(lab.env, SECRETS);
    await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--attempts', '1');
    const engine = await lab.engine();
    assert.ok(engine, 'the engine outlives its run');
    const environ = await readFile(`/proc/${engine.engine.pid}/environ`, 'utf8');
    engine.close();
    assert.match(environ, /XDG_CACHE_HOME=/);
    for (const secret of Object.values(SECRETS)) assert.ok(!environ.includes(secret), secret);
    await lab.close();
  });
});
