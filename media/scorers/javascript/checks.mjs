// How many cases does a function get right? From 0 to 100, higher is better.
// The score is 100 x right / all, and each case counts the same. That the file
// loads and has the function is the first case; a file that doesn't load has no
// score at all. To make a case count more, write it down more than once.
import { spawnSync } from 'node:child_process';
import { writeFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

// Yours to change:
const TARGET = 'example.mjs'; // the file that is improved, from this script
const FUNCTION = 'example';
const CHECKS = [
  // What it is given, and what it must answer:
  // { args: ['Hello World'], want: 'hello-world' },
];

/** In a process of its own, so that the file sees nothing of Ratchet and can't end the count. */
async function measure(path) {
  const module = await import(pathToFileURL(path));
  const call = module[FUNCTION] ?? module.default?.[FUNCTION];
  const cases = [{ name: `${FUNCTION} is a function`, score: typeof call === 'function' ? 100 : 0 }];
  for (const { args, want } of CHECKS) {
    const name = `${FUNCTION}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
    try {
      const got = await call(...args);
      cases.push(isDeepStrictEqual(got, want) ? { name, score: 100 } : { name, score: 0, note: `is ${JSON.stringify(got)}, should be ${JSON.stringify(want)}` });
    } catch (error) {
      cases.push({ name, score: 0, note: `failed: ${error instanceof Error ? error.message : error}` });
    }
  }
  return cases;
}

if (process.argv[2] === 'measure') {
  try {
    writeSync(3, JSON.stringify(await measure(process.argv[3])));
    process.exit(0);
  } catch (error) {
    console.error(`${TARGET} can't be used: ${error}`);
    process.exit(3);
  }
}
const target = process.env.RATCHET_TARGET ?? resolve(import.meta.dirname, TARGET);
// Nothing of Ratchet reaches what is measured, so it can't write a result of its own.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RATCHET_')));
const { status, output } = spawnSync(process.execPath, [import.meta.filename, 'measure', target], { env, encoding: 'utf8', stdio: ['ignore', 2, 2, 'pipe'] });
if (status !== 0 || output[3] === '') {
  // With 3 it has said why.
  if (status !== 3) console.error(`${TARGET} ended by itself before it was measured.`);
  process.exit(1);
}
const cases = JSON.parse(output[3]);
for (const { name, note } of cases) if (note !== undefined) console.log(`${name} ${note}`);
const score = cases.reduce((sum, one) => sum + one.score, 0) / cases.length;
if (process.env.RATCHET_RESULT) writeFileSync(process.env.RATCHET_RESULT, JSON.stringify({ score, cases }));
console.log(`score: ${score}`);
