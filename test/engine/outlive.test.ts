import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { census } from '../census.ts';
import { CLI, Lab, verdictsOf } from '../cli/lab.ts';

/**
 * As a login over SSH goes: a session with a terminal of its own starts a client, and then all of it is ended, as a server of
 * VS Code is that has no client: a hang-up, a kill of each process of the session, and the terminal closed.
 */
const LOGIN = `
import os, pty, signal, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp('sh', ['sh', '-c', '"$@"; echo started; sleep 600', 'login', *sys.argv[1:]])
shown = b''
while b'started' not in shown:
    shown += os.read(fd, 65536)
session = [int(name) for name in os.listdir('/proc') if name.isdigit() and os.getsid(int(name)) == pid]
os.killpg(pid, signal.SIGHUP)
for each in session:
    try: os.kill(each, signal.SIGKILL)
    except ProcessLookupError: pass
os.close(fd)
os.waitpid(pid, 0)
print(len(session))
`;

describe('an engine whose starter is gone', function () {
  this.timeout(60_000);
  if (process.platform !== 'linux') return;

  it('is in a session of its own and without a terminal, and takes its run to the end', async () => {
    const lab = await Lab.open({ 'f.py': 'A = 10\n', 's.sh': 'while ! [ -e "$GO" ]; do sleep 0.05; done; sed "s/A = /score: /" f.py\n' });
    lab.unconfined();
    const go = lab.path('../go');
    lab.env['GO'] = go;
    const words = lab.words(['run', 'f.py', '--score', 'sh s.sh', '--proposer', 'literals', '--attempts', '3', '--confirm', 'off', '--detach']);
    const login = spawn('python3', ['-c', LOGIN, process.execPath, CLI, ...words], { cwd: lab.folder, env: lab.env, stdio: ['ignore', 'pipe', 'inherit'] });
    let ended = '';
    login.stdout.setEncoding('utf8').on('data', (text: string) => (ended += text));
    assert.deepEqual(await once(login, 'close'), [0, null]);
    assert.ok(Number(ended) >= 1, 'there was a session to end');

    const client = await lab.engine();
    assert.ok(client, 'the engine listens');
    const { pid } = client.engine;
    const [, , , session, terminal] = readFileSync(`/proc/${String(pid)}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
    assert.deepEqual([session, terminal], [String(pid), '0']);
    // Whoever ends a login more than once hangs up more than once.
    for (let times = 0; times < 3; times++) {
      process.kill(pid, 'SIGHUP');
      await client.request('ratchet/runs', {});
    }
    const [run] = await client.request('ratchet/runs', {});
    assert.ok(run?.active, JSON.stringify(run));
    const over = new Promise((resolve) => client.on('ratchet/run', ({ active }) => { if (!active) resolve(undefined); }));
    writeFileSync(go, '');
    await over;
    assert.deepEqual(verdictsOf(await client.request('ratchet/watch', { run: run.run })).length, 4);
    assert.deepEqual(census(`GO=${go}`).map(({ pid: left }) => left), [pid]);
    client.close();
    await lab.close();
  });
});
