import assert from 'node:assert/strict';
import { scorerEnvironment } from '../../../src/engine/execute/environment.ts';

const TOLD = { target: '/w/a.py', result: '/tmp/r.json', seed: 7, slot: 2 };

/** The names that are left of `names`. */
const left = (names: readonly string[]): readonly string[] =>
  Object.keys(scorerEnvironment(Object.fromEntries(names.map((name) => [name, 'x'])), TOLD)).filter((name) => !name.startsWith('RATCHET_'));

describe('scorer environment', () => {
  it('tells the scorer what it may know', () => {
    assert.deepEqual(scorerEnvironment({ PATH: '/bin', NONE: undefined }, { ...TOLD, budgetS: 1.5 }), {
      PATH: '/bin', RATCHET_TARGET: '/w/a.py', RATCHET_RESULT: '/tmp/r.json', RATCHET_SEED: '7', RATCHET_SLOT: '2', RATCHET_BUDGET_S: '1.5',
    });
  });

  it('gives a port of its own in the place of the person\'s', () => {
    assert.equal(scorerEnvironment({ PORT: '3000' }, { ...TOLD, port: 20_001 })['PORT'], '20001');
    assert.equal(scorerEnvironment({ PORT: '3000' }, TOLD)['PORT'], '3000');
  });

  it('says no budget where there is none, whatever an outer run said', () => {
    const environment = scorerEnvironment({ RATCHET_BUDGET_S: '9', RATCHET_MARK: 'outer', RATCHET_SEED: '1' }, TOLD);
    assert.deepEqual(Object.keys(environment).sort(), ['RATCHET_RESULT', 'RATCHET_SEED', 'RATCHET_SLOT', 'RATCHET_TARGET']);
    assert.equal(environment['RATCHET_SEED'], '7');
  });

  it('drops keys, tokens and passwords', () => {
    assert.deepEqual(left([
      'OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY_2', 'MYAPIKEY', 'GITHUB_TOKEN', 'GH_TOKEN', 'HF_TOKEN', 'GITHUB_PAT', 'SSH_AUTH_SOCK',
      'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE', 'GOOGLE_APPLICATION_CREDENTIALS', 'DB_PASSWORD', 'PGPASSWORD', 'MYSQL_PWD',
      'CLIENT_SECRET', 'SECRETS_FILE', 'openai_api_key', 'npm_config_//registry.example/:_authToken', 'NPM_CONFIG__AUTH', 'KEY', 'TOKEN',
    ]), []);
  });

  it('drops what the editor, node and npm left behind', () => {
    assert.deepEqual(left([
      'ELECTRON_RUN_AS_NODE', 'ELECTRON_NO_ASAR', 'NODE_OPTIONS', 'NODE_CHANNEL_FD', 'VSCODE_PID', 'VSCODE_IPC_HOOK_CLI',
      'npm_lifecycle_event', 'npm_lifecycle_script', 'npm_package_name', 'npm_command', 'npm_execpath', 'npm_node_execpath',
      'npm_config_local_prefix', 'npm_config_global_prefix', 'RATCHET_MARK', 'RATCHET_ANYTHING',
    ]), []);
  });

  it('lets a confined scorer have nothing but what tools want, and what is allowed it', () => {
    const base = {
      PATH: '/bin', HOME: '/h', LC_ALL: 'C', VIRTUAL_ENV: '/v', CONDA_PREFIX: '/c', PYTHONPATH: '/p', CUDA_VISIBLE_DEVICES: '0', HF_HOME: '/hf', NODE_ENV: 'test', TZ: 'UTC',
      PYTHONSTARTUP: '/s.py', DATABASE_URL: 'x', SSH_AUTH_SOCK: '/s', DBUS_SESSION_BUS_ADDRESS: 'unix:', DOCKER_HOST: 'x', XDG_RUNTIME_DIR: '/run/user/1', DISPLAY: ':0',
      HF_TOKEN: 'x', NODE_OPTIONS: '-r x', LD_PRELOAD: 'x', TMPDIR: '/t', UV_INDEX_URL: 'https://me:word@example.org/simple', http_proxy: 'http://127.0.0.1:1', MY_SETTING: '1',
    };
    const passed = (passes: readonly string[]): readonly string[] => Object.keys(scorerEnvironment(base, TOLD, passes)).filter((name) => !name.startsWith('RATCHET_'));
    const forTools = ['PATH', 'HOME', 'LC_ALL', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'PYTHONPATH', 'CUDA_VISIBLE_DEVICES', 'HF_HOME', 'NODE_ENV', 'TZ'];
    assert.deepEqual(passed([]), forTools);
    assert.deepEqual(passed(['MY_SETTING', 'HF_TOKEN']), [...forTools, 'MY_SETTING'], 'no word lets a key through');
  });

  it('keeps everything else', () => {
    const names = [
      'PATH', 'HOME', 'PWD', 'OLDPWD', 'LANG', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'NODE_PATH', 'NODE_ENV', 'TOKENIZERS_PARALLELISM', 'KEYBOARD', 'MONKEY',
      'XAUTHORITY', 'CUDA_VISIBLE_DEVICES', 'npm_config_registry', 'npm_config_cache', 'PYTHONHASHSEED', 'http_proxy', 'ProgramFiles(x86)', 'PATHEXT',
    ];
    assert.deepEqual(left(names), names);
  });
});
