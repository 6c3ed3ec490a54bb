// `npm run bench`: every benchmark, one after the other. Figures, no verdicts: all but the verifier's depend on the machine and its load.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

for (const name of ['overhead', 'confine', 'scratch', 'activate', 'examples', 'verifier']) {
  console.log(`\n=== bench/${name}.ts ===`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
