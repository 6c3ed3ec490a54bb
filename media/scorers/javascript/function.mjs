// How fast is a function? It and the original are called in one process, in turns (A B A B ...), so that
// whatever slows the machine slows both. METRIC speedup: how many times as fast as the original, higher is
// better (the median of all turns, after a warm-up). Without an original, METRIC ms: milliseconds for a call, lower is better.
import { spawnSync } from 'node:child_process';
import { existsSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

// Yours to change:
const TARGET = 'example.mjs'; // the file that is improved, from this script
const ORIGINAL = ''; // a copy of it as it was, to compare with; '' for none
const FUNCTION = 'example';
const input = () => ['The quick brown fox jumps over the lazy dog']; // a guess: what a call is given, made anew for each
const TURNS = 31;
const TURN_MS = 20; // a turn is as many calls as take about so long

const load = async (path) => {
  const module = await import(pathToFileURL(path));
  const call = module[FUNCTION] ?? module.default?.[FUNCTION];
  if (typeof call !== 'function') throw new Error(`it has no function ${FUNCTION}`);
  return call;
};
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Milliseconds for a call. The arguments are made outside of the timed part. */
async function time(call, calls) {
  const inputs = Array.from({ length: calls }, input);
  const start = performance.now();
  for (const args of inputs) {
    const answer = call(...args);
    if (answer instanceof Promise) await answer;
  }
  return (performance.now() - start) / calls;
}

/** In a process of its own, without Ratchet's variables. It holds the file's code, so it can't be sealed off from it. */
async function measure(path, originalPath) {
  const candidate = await load(path);
  const original = originalPath === '' ? undefined : await load(originalPath);
  if (original !== undefined && !isDeepStrictEqual(await candidate(...input()), await original(...input()))) throw new Error('it answers otherwise than the original');
  const slower = Math.max(await time(candidate, 1), original === undefined ? 0 : await time(original, 1));
  const calls = Math.max(1, Math.min(20_000, Math.round(TURN_MS / Math.max(slower, 0.000_1))));
  const times = { candidate: [], original: [] };
  for (let turn = -3; turn < TURNS; turn += 1) {
    const ms = { candidate: await time(candidate, calls), original: original === undefined ? 0 : await time(original, calls) };
    // The first turns are a warm-up.
    if (turn >= 0) for (const name of ['candidate', 'original']) times[name].push(ms[name]);
  }
  return { ms: median(times.candidate), speedup: median(times.original.map((ms, turn) => ms / times.candidate[turn])) };
}

if (process.argv[2] === 'measure') {
  try {
    writeSync(3, JSON.stringify(await measure(process.argv[3], process.argv[4])));
    process.exit(0);
  } catch (error) {
    console.error(`${TARGET} can't be timed: ${error}`);
    process.exit(3);
  }
}
const target = process.env.RATCHET_TARGET ?? resolve(import.meta.dirname, TARGET);
const original = ORIGINAL === '' ? '' : resolve(import.meta.dirname, ORIGINAL);
if (original !== '' && !existsSync(original)) {
  console.error(`${ORIGINAL} is not there. Put a copy of ${TARGET} there, or write ORIGINAL = ''.`);
  process.exit(1);
}
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const { status, output } = spawnSync(process.execPath, [import.meta.filename, 'measure', target, original], { env, encoding: 'utf8', stdio: ['ignore', 2, 2, 'pipe'] });
if (status !== 0 || output[3] === '') {
  // With 3 it has said why.
  if (status !== 3) console.error(`${TARGET} ended by itself before it was measured.`);
  process.exit(1);
}
const result = JSON.parse(output[3]);
if (original === '') console.log(`METRIC ms=${result.ms}`);
else console.log(`${result.ms} ms for a call\nMETRIC speedup=${result.speedup}`);
