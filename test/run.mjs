// `npm test`: everything, one after the other, and one closing line. Runs on the project's own Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const top = join(import.meta.dirname, '..');
const bin = (name) => join(top, 'node_modules', '.bin', name);
const mocha = (...specs) => [process.execPath, [join(top, 'node_modules/mocha/bin/mocha.js'), '--reporter', 'spec', ...specs]];

/** Each with the words that close it: counts of its own, or none, and then it is one test by its exit code. */
const steps = [
  { name: 'build', run: [process.execPath, ['build.mjs']] },
  { name: 'types', run: [bin('tsc'), ['--noEmit']] },
  { name: 'lint and walls', run: [bin('eslint'), ['.']] },
  { name: 'pure rules', run: mocha('test/*.test.ts', 'test/{loop,search,wire,editor}/**/*.test.ts') },
  // They wait for processes more than they compute: two files at a time. All of them meet the same machine: confined where it can.
  { name: 'engine, with real processes', run: mocha('--require', './test/bubblewrap.ts', '--parallel', '--jobs', '2', 'test/engine/**/*.test.ts') },
  { name: 'terminal', run: mocha('--parallel', '--jobs', '2', 'test/cli/**/*.test.ts') },
  { name: 'a night in seconds', run: mocha('test/soak/*.test.ts') },
  { name: 'real runners of tests and benchmarks', run: mocha('test/runners/**/*.test.ts') },
  { name: 'examples', run: mocha('test/examples/**/*.test.ts') },
  { name: 'inside VS Code, newest and oldest', run: [process.execPath, ['test/host/run.ts', '--oldest']] },
  { name: 'VS Code as a person uses it', run: mocha('test/host/*.test.ts') },
];

const COUNTS = [/^\s*(\d+) passing\b/gm, /^\s*(\d+) failing\b/gm, /^\s*(\d+) pending\b/gm];
const HOST_COUNTS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;

function run([file, args]) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: top, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, FORCE_COLOR: undefined } });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      // The closing counts of a part are not those of the whole.
      process.stdout.write(chunk.replace(HOST_COUNTS, '  ($1 passed, $2 failed)'));
    });
    child.on('error', (error) => resolve({ code: 1, text: String(error) }));
    child.on('close', (code) => resolve({ code, text }));
  });
}

/** [passed, failed, skipped] of a step. */
function countsOf({ code, text }) {
  const host = [...text.matchAll(HOST_COUNTS)].map((match) => match.slice(1).map((count) => Number(count ?? 0)));
  const own = COUNTS.map((count) => [...text.matchAll(count)].reduce((sum, match) => sum + Number(match[1]), 0));
  const counts = host.length > 0 ? host[0] : own;
  if (counts.every((count) => count === 0)) return code === 0 ? [1, 0, 0] : [0, 1, 0];
  // A runner that failed without a failed test (a hook, a crash) must not look green.
  return code !== 0 && counts[1] === 0 ? [counts[0], 1, counts[2]] : counts;
}

/** Titles of a step's skipped tests: mocha prints `- title`, among the tests and before it counts them. */
function skippedOf({ text }) {
  const told = text.replace(/^\s*\d+ failing\b[^]*?(?=^VS Code |(?![^]))/gm, '');
  return [...told.matchAll(/^\s+- (.+)$/gm)].map(([, title]) => title.trim());
}

/** What a step says of its failures, for the end: who reads a long log reads it from there. */
function failuresOf({ text }) {
  const from = text.search(/^\s*\d+ failing\b/m);
  const lines = (from < 0 ? text.trimEnd().split('\n').slice(-MAX_LINES) : text.slice(from).split('\n').slice(0, MAX_LINES));
  return lines.filter((line) => !line.startsWith('The editor says: ')).join('\n').replace(HOST_COUNTS, '').trim();
}

const MAX_LINES = 60;

const total = [0, 0, 0];
const summary = [];
const failures = [];
/** Once each: the newest and the oldest editor skip the same. */
const skipped = new Set();
for (const step of steps) {
  process.stdout.write(`\n=== ${step.name} ===\n`);
  const startMs = performance.now();
  const result = await run(step.run);
  const counts = countsOf(result);
  if (counts[1] > 0) failures.push(`--- ${step.name} ---\n${failuresOf(result)}`);
  if (counts[2] > 0) for (const title of skippedOf(result)) skipped.add(`${step.name}: ${title}`);
  counts.forEach((count, index) => (total[index] += count));
  summary.push(`${step.name}: ${counts[0]} passed, ${counts[1]} failed${counts[2] > 0 ? `, ${counts[2]} skipped` : ''}  (${Math.round((performance.now() - startMs) / 1000)} s)`);
  // Nothing can be said about a tree that doesn't build.
  if (step.name === 'build' && counts[1] > 0) break;
}
if (failures.length > 0) process.stdout.write(`\n=== failures ===\n${failures.join('\n\n')}\n`);
process.stdout.write(`\n${summary.map((line) => `  ${line}`).join('\n')}\n`);
if (skipped.size > 0) process.stdout.write(`\nSkipped:\n${[...skipped].map((title) => `  ${title}`).join('\n')}\n`);
process.stdout.write(`\n${total[0]} passed, ${total[1]} failed${total[2] > 0 ? `, ${total[2]} skipped` : ''}\n`);
process.exitCode = total[1] > 0 ? 1 : 0;
