/**
 * A famous night of 700 experiments in minutes: 700 attempts whose engine is killed (kill -9) every 10 to 30 of them and has its run go on, with
 * faults of scorer and model drawn by a seed. Prints a table, and exits with 1 where a claim of it doesn't hold.
 *
 *     npm run soak [-- SEED [ATTEMPTS]]
 */

import { soak } from '../test/soak/soak.ts';
import { soakTable } from '../test/soak/table.ts';

const [seed = 7, attempts = 700] = process.argv.slice(2).map(Number);

const result = await soak({ seed, attempts, kills: [10, 30], steady: 150, onKill: (verdicts) => process.stderr.write(`${verdicts} verdicts, and the engine is killed\n`) });
process.stdout.write(soakTable(result, { seed, attempts }));
if (!result.claims.every(({ holds }) => holds)) process.exitCode = 1;
