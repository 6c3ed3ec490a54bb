// How much memory does a program take? METRIC mb: the most that it held at once, in megabytes (the median of
// several runs), lower is better. Node itself says so as it ends; of a program that is not Node's, Python's
// template knows (ratchet new-scorer FILE --kind memory --language python).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// Yours to change:
const COMMAND = 'node example.mjs'; // what is measured
const CHECK = 'node example.mjs'; // must end with exit code 0 before anything counts; '' for none
const FOLDER = '.'; // where both run, from this script
const RUNS = 5;

// What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const cwd = resolve(import.meta.dirname, FOLDER);

const temporary = mkdtempSync(join(tmpdir(), 'peak-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
const peaks = join(temporary, 'kilobytes');
const atExit = 'import{appendFileSync}from"node:fs";process.on("exit",()=>appendFileSync(process.env.PEAKS,process.resourceUsage().maxRSS+"\\n"))';
const options = `${env.NODE_OPTIONS ?? ''} --import=data:text/javascript,${encodeURIComponent(atExit)}`;

if (CHECK !== '') run(CHECK);
const megabytes = [];
for (let turn = 0; turn < RUNS; turn += 1) {
  writeFileSync(peaks, '');
  run(COMMAND, { PEAKS: peaks, NODE_OPTIONS: options });
  // A line for each process of Node that the command started.
  const kilobytes = readFileSync(peaks, 'utf8').split('\n').filter((line) => line !== '').map(Number);
  if (kilobytes.length === 0) {
    console.error(`${COMMAND} starts no Node that ends by itself, so its memory isn't known here. Python's template knows it: ratchet new-scorer FILE --kind memory --language python`);
    process.exit(1);
  }
  megabytes.push(Math.max(...kilobytes) / 1024);
}
console.log(`METRIC mb=${megabytes.sort((a, b) => a - b)[Math.floor(RUNS / 2)]}`);

/** Runs a line of the shell to its end. Where it fails, one sentence says why, and there is no score. */
function run(command, more = {}) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, { cwd, env: { ...env, ...more }, shell: true, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  if (status === 0) return stdout;
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const why = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? error?.message ?? '';
  console.error(`${command} failed (${status === null ? (signal ?? 'it did not start') : `exit code ${status}`}): ${why}`);
  process.exit(1);
}
