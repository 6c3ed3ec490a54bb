// How many of the project's tests pass? From 0 to 100, higher is better.
// The score is 100 x passed / all; skipped tests don't count. A run in which no
// test ran has no score. Deleting tests can't help: they are not the file that
// may change, and Ratchet compares them after each run.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

// Yours to change:
const COMMAND = 'node --test --test-reporter=junit --test-reporter-destination=ratchet-tests.xml example.test.mjs || true'; // writes the report
const REPORT = 'ratchet-tests.xml'; // a JUnit report, as nearly all runners write one
const FOLDER = '.'; // where the command runs, from this script

// What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const cwd = resolve(import.meta.dirname, FOLDER);
const report = resolve(cwd, REPORT);

/** The tests of a JUnit report: name, points, and what was wrong. */
function testsIn(xml) {
  return [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([^]*?)<\/testcase>)/g)].flatMap(([, head, body = '']) => {
    const attribute = (text, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1].replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    const [, wrong] = /<(?:failure|error)\b([^>]*)/.exec(body) ?? [];
    const name = attribute(head, 'name') ?? 'a test';
    if (/<skipped\b/.test(body)) return [];
    return [wrong === undefined ? { name, score: 100 } : { name, score: 0, note: attribute(wrong, 'message') ?? 'failed' }];
  });
}

// A report of an earlier run is none.
rmSync(report, { force: true });
run(COMMAND);
const cases = existsSync(report) ? testsIn(readFileSync(report, 'utf8')) : [];
if (cases.length === 0) {
  console.error(`No test ran: ${REPORT} ${existsSync(report) ? 'has none' : 'was not written'}. Does this line work by itself: ${COMMAND}`);
  process.exit(1);
}
for (const { name, note } of cases) if (note !== undefined) console.log(`${name}: ${note}`);
const score = cases.reduce((sum, one) => sum + one.score, 0) / cases.length;
if (process.env.RATCHET_RESULT) writeFileSync(process.env.RATCHET_RESULT, JSON.stringify({ score, cases }));
console.log(`score: ${score}`);

/** Runs a line of the shell to its end. Where it fails, one sentence says why, and there is no score. */
function run(command, more = {}) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, { cwd, env: { ...env, ...more }, shell: true, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  if (status === 0) return stdout;
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const why = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? error?.message ?? '';
  console.error(`${command} failed (${status === null ? (signal ?? 'it did not start') : `exit code ${status}`}): ${why}`);
  process.exit(1);
}
