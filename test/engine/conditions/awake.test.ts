import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Awake } from '../../../src/engine/conditions/awake.ts';
import { probeInhibitor } from '../../../src/engine/conditions/inhibitor.ts';
import type { PowerSource } from '../../../src/engine/conditions/power.ts';
import { Lab } from '../../cli/lab.ts';
import { census, assertNoSurvivors } from '../../census.ts';

describe('keeping the machine awake', function () {
  this.timeout(60_000);
  let bin: string;
  beforeEach(() => (bin = mkdtempSync(join(tmpdir(), 'ratchet-awake-'))));
  afterEach(() => rmSync(bin, { recursive: true, force: true }));

  /** A systemd-inhibit that does as the real one where that can't run: it ends with the program that it is given. */
  function standIn(refused = ''): NodeJS.ProcessEnv {
    writeFileSync(join(bin, 'systemd-inhibit'), `#!/bin/sh\n[ "$1" = "${refused}" ] && { echo 'Access denied' >&2; exit 1; }\nwhile [ "\${1#--}" != "$1" ]; do shift; done\n"$@"\n`);
    chmodSync(join(bin, 'systemd-inhibit'), 0o755);
    return { PATH: `${bin}:/usr/bin:/bin`, AWAKE: bin };
  }
  const held = (): readonly string[] => census(`AWAKE=${bin}`).map(({ command }) => command).filter((command) => command.includes('systemd-inhibit'));
  const until = async (test: () => boolean): Promise<void> => {
    while (!test()) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('is said truthfully: by what, or why not', async () => {
    const words = async (env: NodeJS.ProcessEnv, power?: PowerSource, wanted = true): Promise<string> =>
      new Awake({ probe: probeInhibitor('linux', env), readPower: () => Promise.resolve({ source: power }), env }).words(wanted);
    assert.equal(await words({ PATH: bin }), 'this machine may sleep: this system has no systemd-inhibit. What it sleeps through is measured again');
    const env = standIn();
    assert.equal(await words(env), 'this machine is kept awake while the run goes on');
    assert.match(await words(env, 'battery'), /^on battery it may sleep;/);
    assert.match(await words(env, 'mains', false), /^this machine may sleep, as you chose/);
    writeFileSync(join(bin, 'systemd-inhibit'), '#!/bin/sh\necho "Failed to connect to bus: No such file or directory" >&2\nexit 1\n');
    assert.match(await words(env), /may sleep: systemd-inhibit can't start \(Failed to connect to bus: No such file or directory\)\./);
  });

  it('asks for less where a session may not hold up a sleep that somebody asked for', async () => {
    const probe = await probeInhibitor('linux', standIn('--what=sleep:idle'));
    assert.ok('inhibitor' in probe && probe.inhibitor.args[0] === '--what=idle', JSON.stringify(probe));
  });

  it('lasts from the first run to the end of the last one, on mains alone', async () => {
    const env = standIn();
    let power: PowerSource = 'mains';
    const awake = new Awake({ probe: probeInhibitor('linux', env), readPower: () => Promise.resolve({ source: power }), env });
    const [first, second] = [awake.begin(), awake.begin()];
    await until(() => held().length > 0);
    assert.equal(held().length, 1);
    first();
    assert.equal(held().length, 1);
    second();
    await assertNoSurvivors([`AWAKE=${bin}`], 3000);
    power = 'battery';
    const third = awake.begin();
    await awake.words(true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(held(), []);
    third();
  });

  const FILES = { 'f.py': 'A = 10\n', 's.sh': 'while ! [ -e "$GO" ]; do sleep 0.05; done; sed "s/A = /score: /" f.py\n' };

  for (const [choice, count] of [['on', 1], ['off', 0]] as const)
    it(`goes with the engine, however that ends (--keep-awake ${choice})`, async () => {
      const lab = await Lab.open(FILES);
      lab.unconfined();
      Object.assign(lab.env, { ...standIn(), PATH: `${bin}:${lab.env['PATH'] ?? ''}`, GO: join(bin, 'go') });
      const { stderr } = await lab.ratchet('run', 'f.py', '--score', 'sh s.sh', '--proposer', 'literals', '--attempts', '1', '--keep-awake', choice, '--detach');
      assert.match(stderr, choice === 'on' ? /^Awake {6}this machine is kept awake while the run goes on$/m : /^Awake {6}this machine may sleep, as you chose/m);
      await until(() => census(`AWAKE=${bin}`).some(({ command }) => command.includes('s.sh')));
      if (count > 0) await until(() => held().length > 0);
      assert.equal(held().length, count);
      const engine = await lab.engine();
      assert.ok(engine);
      process.kill(engine.engine.pid, 'SIGKILL');
      await assertNoSurvivors([`AWAKE=${bin}`], 5000);
      engine.close();
      await lab.close();
    });

  it('is a real hold of logind, and none any more when the engine is killed', async function () {
    const bus = await startLogind(join(bin, 'logind'));
    if (bus === undefined) return this.skip();
    const lab = await Lab.open(FILES);
    lab.unconfined();
    Object.assign(lab.env, { DBUS_SYSTEM_BUS_ADDRESS: bus.address, GO: join(bin, 'go') });
    const holds = (): string => spawnSync('systemd-inhibit', ['--list', '--no-pager'], { env: lab.env, encoding: 'utf8', timeout: 10_000 }).stdout;
    try {
      await lab.ratchet('run', 'f.py', '--score', 'sh s.sh', '--proposer', 'literals', '--attempts', '1', '--detach');
      await until(() => /^Ratchet .*sleep:idle.*A run is going on.*block/m.test(holds()));
      const engine = await lab.engine();
      assert.ok(engine);
      process.kill(engine.engine.pid, 'SIGKILL');
      await until(() => !holds().includes('Ratchet'));
      engine.close();
      await lab.close();
    } finally {
      await bus.close();
    }
  });
});

/** A message bus and a logind of the test's own, with a /run of their own; undefined where this machine has none, or they can't start. */
async function startLogind(folder: string): Promise<{ readonly address: string; readonly close: () => Promise<void> } | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !['/usr/bin/dbus-daemon', '/lib/systemd/systemd-logind', '/usr/bin/systemd-inhibit'].every((path) => existsSync(path))) return undefined;
  mkdirSync(folder, { recursive: true });
  const address = `unix:path=${folder}/bus`;
  const script = `mount -t tmpfs run /run && mkdir -p /run/dbus /run/user /run/systemd/seats /run/systemd/sessions /run/systemd/users /run/systemd/inhibit || exit
dbus-daemon --system --nofork --nopidfile --address="$DBUS_SYSTEM_BUS_ADDRESS" & bus=$!
while ! [ -S ${folder}/bus ]; do kill -0 $bus || exit; sleep 0.05; done
/lib/systemd/systemd-logind & logind=$!
read -r end
kill $logind $bus
wait`;
  const child: ChildProcess = spawn('unshare', ['-m', 'sh', '-c', script], { env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: address }, stdio: ['pipe', 'ignore', 'ignore'] });
  const over = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.stdin?.end();
    await over;
  };
  while (child.exitCode === null) {
    const { status } = spawnSync('systemd-inhibit', ['--what=idle', 'true'], { env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: address }, timeout: 5000 });
    if (status === 0) return { address, close };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await close();
  return undefined;
}
