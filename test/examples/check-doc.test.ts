/** docs/check.md: its samples, by the commands that it prints. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { CheckReport } from '../../src/loop/audit/report.ts';
import { CLI, Lab, type Ended } from '../cli/lab.ts';
import { reportOn, runs } from '../loop/audit/samples.ts';
import { linesIn, readPage, samplesIn } from './pages.ts';
import { pythonOrSkip } from './scoring.ts';

describe('docs/check.md', function () {
  this.timeout(90_000);
  let lab: Lab;
  before(async function () {
    await pythonOrSkip(this);
  });
  beforeEach(async () => {
    lab = await Lab.open(Object.fromEntries(samplesIn(await readPage('check.md'))));
  });
  afterEach(() => lab.close());

  function type(line: string): Promise<Ended> {
    return new Promise((resolve) => {
      const child = execFile('sh', ['-c', `ratchet() { "$NODE" "$CLI" "$@"; }\n${line}`], { cwd: lab.folder, env: { ...lab.env, NODE: process.execPath, CLI } }, (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }));
    });
  }

  it('prints commands that work, and what it says of its sample is so', async () => {
    const lines = linesIn(await readPage('check.md'));
    assert.equal(lines.length, 3);
    for (const line of lines) {
      const { code, stdout, stderr } = await type(line);
      assert.equal(code, 3, `${line}\n${stdout}\n${stderr}`);
      if (line.endsWith('--json')) assert.equal((JSON.parse(stdout) as CheckReport).findings.find(({ name }) => name === 'parse_date')?.verdict, 'unnoticed');
      else assert.match(stdout.replaceAll(/\s+/g, ' '), /Nothing you measure depends on parse_date \(lines 14–18\)/);
    }
  });

  it('lists every line of a report, in its order', async () => {
    const titles = [...(await readPage('check.md')).matchAll(/^\| ([^|]+) \|/gm)].map(([, title]) => title).slice(2);
    assert.deepEqual(titles, reportOn(runs([50])).lines.map(({ title }) => title));
  });
});
