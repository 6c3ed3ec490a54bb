// How many findings does a linter have? METRIC findings, lower is better. Its report may be JSON (ESLint,
// ruff, shellcheck) or text with a line for each finding that begins with file:line: (flake8, ruff, tsc, gcc).
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

// Yours to change:
const COMMAND = 'node --check example.mjs'; // prints the findings
const CHECK = 'node example.mjs'; // must end with exit code 0 before anything counts; '' for none
const FOLDER = '.'; // where both run, from this script
const CODES = [0, 1]; // exit codes of a linter that did its work

// What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const cwd = resolve(import.meta.dirname, FOLDER);

if (CHECK !== '') run(CHECK);
const findings = findingsIn(run(COMMAND, {}, CODES));
for (const finding of findings.slice(0, 20)) console.log(finding);
console.log(`METRIC findings=${findings.length}`);

function findingsIn(report) {
  if (!/^\s*\[[\s{\]]/.test(report)) return report.split('\n').filter((line) => /^.+?[:(]\d+[:,)]/.test(line));
  // ESLint has a list for each file, the others one list.
  return JSON.parse(report).flatMap((entry) => entry.messages ?? [entry]).map(({ line, location, ruleId, code, message }) => `line ${line ?? location?.row}: ${message} (${ruleId ?? code})`);
}

/** Runs a line of the shell to its end. Where it fails, one sentence says why, and there is no score. */
function run(command, more = {}, codes = [0]) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, { cwd, env: { ...env, ...more }, shell: true, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  if (codes.includes(status)) return stdout;
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const why = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? error?.message ?? '';
  console.error(`${command} failed (${status === null ? (signal ?? 'it did not start') : `exit code ${status}`}): ${why}`);
  process.exit(1);
}
