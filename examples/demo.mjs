// `npm run demo`: installs what is missing, builds, and runs Ratchet on both examples, in a copy outside the checkout.
// Plain JavaScript for Node 20: it starts before anything is installed.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
// The project's own Node, a dev dependency: what is on the PATH may be older.
const node = join(top, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
const cli = join(top, 'dist', 'cli.js');

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Runs a program in the foreground; ends the demo where it fails in another way than `allowed`. */
function run(file, args, cwd, allowed = [0]) {
  const { status, error } = spawnSync(file, args, { cwd, stdio: 'inherit', shell: windows && file === 'npm' });
  if (error !== undefined || !allowed.includes(status)) {
    say(`\nThe demo ends here: ${file} ${args[0]} ${error === undefined ? `gave exit code ${status}` : error.message}.`);
    process.exit(1);
  }
}

if (!existsSync(node)) {
  say('Installing what the project needs (once) …');
  // Which Node starts npm doesn't matter: a warning about it would only worry. The install builds, too.
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], top);
} else {
  // Always: what was built before a pull is not what is shown here.
  say('Building …');
  run(node, ['build.mjs'], top);
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-demo-')));
const copy = (name) => {
  cpSync(join(top, 'examples', name), join(folder, name), { recursive: true, filter: (path) => !path.includes('__pycache__') });
  return join(folder, name);
};
const python = ['python3', 'python'].find((name) => spawnSync(name, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0);

say(`\nThe examples are copied to ${folder}; your checkout stays as it is.`);
const jobs = [
  ...(python === undefined ? [] : [{ title: 'A train.py: lower val_bpb', name: 'train', file: 'train.py', attempts: 14 }]),
  { title: 'A slow function with a benchmark: fewer milliseconds', name: 'function', file: 'top-customers.js', attempts: 10 },
];
if (python === undefined) say('There is no Python 3.9 or newer here, so the train.py example is left out; the function example runs alone.');

for (const { title, name, file, attempts } of jobs) {
  const place = copy(name);
  say(`\n=== ${title} (${file}, proposer literals: no model, no key) ===\n`);
  // 3: nothing was better. Both are honest ends of a demo.
  run(node, [cli, 'run', file, '--proposer', 'literals', '--attempts', String(attempts), '--seed', '1', '--yes'], place, [0, 3]);
  say('\nAll attempts:');
  run(node, [cli, 'show'], place);
}
say(`\nLook further:  cd ${join(folder, jobs[0].name)} && ${node} ${cli} show last 3`);
