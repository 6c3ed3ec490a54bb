/**
 * How good is top-customers.js? First it must be right: a failed check ends with exit code 1 and its name. Then the time of one
 * call in milliseconds: the median of many calls, each on an export that the function has not seen before.
 */

import assert from 'node:assert/strict';
import { checks } from './checks.js';
import { makeOrders } from './orders.js';
import { loadTarget } from './target.js';

const ORDERS = 2500;
const CUSTOMERS = 20;
const WARM_UP_ROUNDS = 4;
const ROUNDS = 11;

function fail(name, error) {
  console.error(`failed: ${name}\n${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

/**
 * The clock, in milliseconds. Processor time, so that what else runs on the machine matters less; Windows counts it too coarsely.
 */
function now() {
  if (process.platform === 'win32') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Times one call on a fresh export, and checks its answer outside the timed part. */
function timedRound(topCustomers, seed) {
  const { csv, expected } = makeOrders(seed, ORDERS, CUSTOMERS);
  const start = now();
  const answer = topCustomers(csv, CUSTOMERS);
  const ms = now() - start;
  assert.deepEqual(answer, expected);
  return ms;
}

const topCustomers = await loadTarget();
for (const [name, check] of Object.entries(checks)) {
  try {
    check(topCustomers);
  } catch (error) {
    fail(name, error);
  }
}

const times = [];
try {
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) times.push(timedRound(topCustomers, 1000 + round));
} catch (error) {
  fail('the answer while being timed', error);
}
const measured = times.slice(WARM_UP_ROUNDS).sort((a, b) => a - b);
console.log(`${Object.keys(checks).length} checks passed, ${ROUNDS} rounds of ${ORDERS} orders, fastest ${measured[0].toFixed(3)} ms`);
console.log(`METRIC ms=${measured[Math.floor(ROUNDS / 2)].toFixed(4)}`);
