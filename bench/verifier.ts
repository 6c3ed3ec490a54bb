// The verifier on simulated scorers whose truth is known, and every rule on published logs: what is kept, and what it costs.
// `--runs N` plays fewer runs a cell.
import { parseArgs } from 'node:util';
import { printedLouder } from './verifier/louder.ts';
import { play } from './verifier/play.ts';
import { printed, TABLES } from './verifier/table.ts';
import { printedTraces } from './verifier/traces.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '2000' } } });
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs is a whole number above 0');
const SEED = 20_261_130;

const startMs = performance.now();
const cells = [...await play(TABLES.flatMap(({ rows }) => rows.map(({ player, noise }) => ({ player, noise, runs, seed: SEED }))))];
console.log(`${runs} runs a cell, seed ${SEED}. σ: standard deviation of one run. (a) 30 attempts that change nothing; (c) 29 such and one gain of 2 σ; (e) 30 losses of 1 σ; (b) 200 attempts: 20 gain 1 σ, 40 lose 1 σ. The parent's runs are counted, the baseline's not.\n`);
for (const table of TABLES) console.log(printed(table, cells.splice(0, table.rows.length)));
console.log(printedLouder(runs, SEED));
console.log(await printedTraces());
console.error(`${((performance.now() - startMs) / 1000).toFixed(0)} s`);
