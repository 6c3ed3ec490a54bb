// Several things in one number, from 0 to 100, higher is better: 100 x sum(weight x part) / sum(weight).
// CHECK is 1 where it passes and 0 where not. Any figure that should shrink is 1/2 as it is now, 1 at
// nothing, and 0 at twice as much: 1 - value / (2 x START). So nothing that got worse counts below 0.
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

// Yours to change:
const TARGET = 'example.mjs'; // the file that is improved, from this script
const CHECK = 'node example.mjs'; // passes with exit code 0
const COMMAND = 'node example.mjs'; // what is timed
const FOLDER = '.'; // where both run, from this script
const START = { bytes: 160, ms: 100 }; // as it is now; write what `parts` below prints
const WEIGHTS = { check: 80, bytes: 20, ms: 0 }; // 0 leaves a part out

// What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const cwd = resolve(import.meta.dirname, FOLDER);

const target = process.env.RATCHET_TARGET ?? resolve(import.meta.dirname, TARGET);
const shrunk = (value, start) => Math.max(0, Math.min(1, 1 - value / (2 * start)));
/** Each part gives its points from 0 to 1, and its figure. */
const PARTS = {
  check: () => (passes(CHECK) ? { points: 1, note: 'passed' } : { points: 0, note: 'failed' }),
  bytes: () => {
    const { size } = statSync(target);
    return { points: shrunk(size, START.bytes), note: `${size} bytes` };
  },
  ms: () => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      passes(COMMAND);
      return performance.now() - start;
    }).sort((a, b) => a - b);
    return { points: shrunk(times[2], START.ms), note: `${times[2].toFixed(1)} ms` };
  },
};

const parts = Object.entries(WEIGHTS).filter(([, weight]) => weight > 0).map(([name, weight]) => ({ name, weight, ...PARTS[name]() }));
for (const { name, weight, points, note } of parts) console.log(`part ${name}, ${note}, ${(100 * points).toFixed(1)} of 100 points, weight ${weight}`);
const all = parts.reduce((sum, { weight }) => sum + weight, 0);
const score = (100 * parts.reduce((sum, { weight, points }) => sum + weight * points, 0)) / all;
const cases = parts.map(({ name, points, note }) => ({ name, score: 100 * points, note }));
if (process.env.RATCHET_RESULT) writeFileSync(process.env.RATCHET_RESULT, JSON.stringify({ score, cases }));
console.log(`score: ${score}`);

function passes(command) {
  return spawnSync(command, { cwd, env, shell: true, stdio: 'ignore' }).status === 0;
}
