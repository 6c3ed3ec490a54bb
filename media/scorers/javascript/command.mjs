// How long does a command take? METRIC ms: the median of several runs in milliseconds, lower is better.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

// Yours to change:
const COMMAND = 'node example.mjs'; // what is timed
const CHECK = 'node example.mjs'; // must end with exit code 0 before anything counts; '' for none
const FOLDER = '.'; // where both run, from this script
const RUNS = 7;
const WARM_UPS = 1;

// What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const cwd = resolve(import.meta.dirname, FOLDER);

if (CHECK !== '') run(CHECK);
const times = [];
for (let turn = -WARM_UPS; turn < RUNS; turn += 1) {
  const start = performance.now();
  run(COMMAND);
  if (turn >= 0) times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
console.log(`${RUNS} runs, the fastest ${times[0].toFixed(2)} ms\nMETRIC ms=${times[Math.floor(RUNS / 2)]}`);

/** Runs a line of the shell to its end. Where it fails, one sentence says why, and there is no score. */
function run(command, more = {}) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, { cwd, env: { ...env, ...more }, shell: true, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  if (status === 0) return stdout;
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const why = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? error?.message ?? '';
  console.error(`${command} failed (${status === null ? (signal ?? 'it did not start') : `exit code ${status}`}): ${why}`);
  process.exit(1);
}
