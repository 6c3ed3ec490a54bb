// How large is it? METRIC bytes: the size of what BUILD makes, or of the file itself, lower is better.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

// Yours to change:
const TARGET = 'example.mjs'; // the file that is improved, from this script
const BUILD = ''; // makes the file "$OUT", as in: esbuild app.js --bundle --minify --outfile="$OUT"; '' to weigh the file itself
const CHECK = 'node example.mjs'; // must end with exit code 0 before anything counts; '' for none
const FOLDER = '.'; // where both run, from this script

// What is measured sees nothing of Ratchet, so it can't hand in a result of its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const cwd = resolve(import.meta.dirname, FOLDER);

if (CHECK !== '') run(CHECK);
let file = process.env.RATCHET_TARGET ?? resolve(import.meta.dirname, TARGET);
if (BUILD !== '') {
  const temporary = mkdtempSync(join(tmpdir(), 'size-'));
  process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
  file = join(temporary, 'out');
  run(BUILD, { OUT: file });
  if (!existsSync(file)) {
    console.error(`${BUILD} made no file at "$OUT".`);
    process.exit(1);
  }
}
const bytes = readFileSync(file);
console.log(`METRIC gzip_bytes=${gzipSync(bytes).length}\nMETRIC bytes=${bytes.length}`);

/** Runs a line of the shell to its end. Where it fails, one sentence says why, and there is no score. */
function run(command, more = {}) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, { cwd, env: { ...env, ...more }, shell: true, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  if (status === 0) return stdout;
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const why = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? error?.message ?? '';
  console.error(`${command} failed (${status === null ? (signal ?? 'it did not start') : `exit code ${status}`}): ${why}`);
  process.exit(1);
}
