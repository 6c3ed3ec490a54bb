import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { census } from '../census.ts';
import { hashTree, Lab, type Going } from './lab.ts';
import type { CheckReport } from '../../src/loop/audit/report.ts';

const SLUG = 'LIMIT = 40\n\n\ndef slug(text):\n    return "-".join(text.lower().split())[:LIMIT]\n';
const SCORE = 'from slug import slug\nwords = ["A b", "Ünï", "c", "  d  e ", "F" * 50]\nwants = ["a-b", "uni", "c", "d-e", "f" * 40]\nprint("score:", 100 * sum(slug(a) == b for a, b in zip(words, wants)) / 5)\n';
const CHECK = ['check', 'slug.py', '--score', 'python3 score.py', '--proposer', 'literals'];

describe('ratchet check', function () {
  this.timeout(90_000);
  let lab: Lab;
  const open = async (files: Readonly<Record<string, string>> = {}): Promise<Lab> => (lab = await Lab.open({ 'slug.py': SLUG, 'score.py': SCORE, ...files }));
  afterEach(() => lab.close());

  it('reports in words and leaves the person\'s tree as it was; a second one has it all already', async () => {
    await open({ 'sub/data.txt': 'x' });
    const before = await hashTree(lab.folder);
    const { code, stdout, stderr } = await lab.ratchet(...CHECK, '--yes');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^\nBefore a loop\nyes {9}Repeated often enough\n {12}Assumed: nobody was asked\.\n/);
    assert.match(stdout, /\nslug\.py: yes, this is loopable\.\nMeasured with: python3 score\.py\n\d+ runs of the scorer stand behind this; this check took \S+ m?s\.\n$/);
    assert.match(stderr, /^Run {8}python3 score\.py\n[^]* 1 of \d+ {2}the unchanged file/);
    assert.equal(await hashTree(lab.folder), before);
    const again = await lab.ratchet(...CHECK, '--yes');
    assert.equal(again.code, 0);
    assert.doesNotMatch(again.stderr, /the unchanged file/);
  });

  it('exits with 3 on warnings and with 4 where it should not begin, and prints one JSON', async () => {
    await open({ 'all.py': 'from slug import slug\nprint("score:", 100 if slug("A") == "a" else 0)\n' });
    const warned = await lab.ratchet('check', 'slug.py', '--score', 'python3 score.py', '--json');
    assert.equal(warned.code, 3);
    const report = JSON.parse(warned.stdout) as CheckReport;
    assert.deepEqual(report.lines.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id), ['goal']);
    assert.equal(report.lines[0]?.verdict, 'not tried', 'nobody can be asked');
    assert.equal(warned.stderr, '');
    const full = await lab.ratchet('check', 'slug.py', '--score', 'python3 all.py');
    assert.equal(full.code, 4);
    assert.match(full.stdout, /no {10}Head room\n {12}Nothing to gain/);
    const none = await lab.ratchet('check', 'slug.py');
    assert.equal(none.code, 4);
    assert.match(none.stdout, /no {10}Verified without a person\n {12}No scorer: .*\n[^]*score\.py/);
    assert.equal((await lab.ratchet('check', 'slug.py', '--score', 'true', '--metric', 'ms', '--direction', 'up')).code, 2);
  });

  it('asks for a confirmation of what program.md names, as a run does', async () => {
    await open({ 'program.md': '---\nscorer: python3 score.py\nproposer: literals\n---\nKeep every word, and drop accents as people would.\n' });
    const asked = await lab.ratchet('check', 'slug.py');
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /add --yes/);
    assert.equal((await lab.ratchet('check', 'slug.py', '--yes')).code, 0);
  });

  it('ends with 130 on Ctrl-C when nothing of it is left, and goes on the next time', async () => {
    await open({ 'slow.py': `import os, subprocess, sys, time\nimport slug\nif slug.slug("A") is None and not os.path.exists(os.environ["HOLD"]):\n    open(os.environ["HOLD"], "w").close()\n    subprocess.Popen(["sleep", "300"], start_new_session=True)\n    time.sleep(300)\n${SCORE}` });
    lab.env['HOLD'] = lab.path('../hold');
    lab.unconfined();
    const args = ['check', 'slug.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--timeout', '250', '--yes'];
    const going: Going = lab.start(args);
    await going.until((_, stderr) => stderr.includes('slug with its body emptied'));
    going.process.kill('SIGINT');
    const { code, stdout } = await going.ended;
    assert.equal(code, 130);
    assert.match(stdout, /more were wanted: it was stopped\. It goes on with: .* check slug\.py --score 'python3 slow\.py'\n$/);
    await lab.write('../hold', '');
    const rest = await lab.ratchet(...args);
    assert.equal(rest.code, 0, rest.stdout);
    assert.match(rest.stderr, / 6 of \d+ {2}slug with its body emptied/);
  });

  it('ends when its terminal is gone, and leaves no process', async () => {
    await open({ 'slow.py': `import subprocess, time\nimport slug\nif slug.slug("A") is None:\n    subprocess.Popen(["sleep", "300"], start_new_session=True)\n    time.sleep(300)\n${SCORE}` });
    const going = lab.start(['check', 'slug.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--timeout', '250', '--yes']);
    const sleeping = (): boolean => census(lab.folder.replace(/work$/, '')).some(({ command }) => command === 'sleep 300');
    await going.until((_, stderr) => stderr.includes('slug with its body emptied'));
    while (!sleeping()) await wait(20);
    going.process.kill('SIGKILL');
    await going.ended;
    while (sleeping()) await wait(20);
  });

  it('waits for its turn while a run goes on', async () => {
    await open({ 'slow.py': `import time\nimport slug\nif slug.LIMIT != 40:\n    time.sleep(300)\n${SCORE}` });
    const run = await lab.ratchet('run', 'slug.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--timeout', '250', '--detach', '--json');
    assert.equal(run.code, 0, run.stderr);
    const checking = lab.start([...CHECK, '--yes']);
    await checking.until((_, stderr) => stderr.includes('Waiting for another run to end.'));
    assert.equal((await lab.ratchet('stop')).code, 0);
    assert.equal((await checking.ended).code, 0);
  });
});
