/** The commands that docs/ prints, as they are printed: by a shell, with the built program, a model on loopback and a folder that holds the samples. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { traces } from '../../bench/verifier/traces.ts';
import { resultLine } from '../../src/loop/results.ts';
import { startModelServer, type ModelServer } from '../engine/proposers/server.ts';
import { CLI, Lab, type Ended } from '../cli/lab.ts';
import { linesIn, readPage, samplesIn } from './pages.ts';
import { pythonOrSkip } from './scoring.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');
/** What the model answers, whatever it is asked: a whole file. */
const ANSWERS: Readonly<Record<string, string>> = {
  'slug.js': "export const slug = (title) => title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase().match(/[a-z0-9]+/g).join('-');",
  'slug.py': 'def slug(title):\n    return "-".join(title.lower().split())',
};
/** In the place of vitest and hyperfine, which aren't there: runs what it is told to time, or loads slug.js, and writes their report. */
const STAND_IN = `#!/usr/bin/env node
const { execSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const words = process.argv;
const start = performance.now();
execSync(words[2] === 'bench' ? 'node slug.js' : words.at(-1), { stdio: 'inherit' });
const mean = performance.now() - start;
const write = (option, report) => words.includes(option) && writeFileSync(words[words.indexOf(option) + 1], JSON.stringify(report));
write('--outputJson', { files: [{ groups: [{ fullName: 'g', benchmarks: [{ name: 'slug', mean, median: mean, min: mean }] }] }] });
write('--export-json', { results: [{ command: words.at(-1), mean: mean / 1000, median: mean / 1000, min: mean / 1000, exit_codes: [0] }] });
`;

describe('the commands that docs/ prints', function () {
  this.timeout(180_000);
  let lab: Lab;
  let server: ModelServer | undefined;
  before(async function () {
    await pythonOrSkip(this);
  });
  beforeEach(async () => {
    lab = await Lab.open({ 'node_modules/.bin/vitest': STAND_IN, '../bin/hyperfine': STAND_IN });
    for (const path of ['node_modules/.bin/vitest', '../bin/hyperfine']) await chmod(lab.path(path), 0o755);
    lab.env['PATH'] = `${lab.path('../bin')}:${lab.env['PATH'] ?? ''}`;
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await lab.close();
  });

  /** Types a line. A run ends after one attempt: a page needn't say so. */
  async function type(line: string): Promise<Ended> {
    const { env, folder } = lab;
    const script = `ratchet() { "$NODE" "$CLI" "$@"; }\n${line}${line.startsWith('ratchet run') ? ' --attempts 1' : ''}\n`;
    return new Promise((resolve) => {
      const child = execFile('sh', ['-c', script], { cwd: folder, env: { ...env, NODE: process.execPath, CLI } }, (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }));
    });
  }

  async function put(page: string): Promise<void> {
    for (const [name, text] of samplesIn(page)) if (name !== 'program.md') await lab.write(name, text);
  }

  async function withModel(target: string): Promise<void> {
    const message = { role: 'assistant', content: `It should help.\n\n\`\`\`\n${ANSWERS[target] ?? ''}\n\`\`\`\n` };
    const body = JSON.stringify({ id: 'r', object: 'chat.completion', model: 'MODEL', choices: [{ index: 0, message, finish_reason: 'stop' }] });
    server = await startModelServer([{ status: 200, headers: { 'content-type': 'application/json' }, body }]);
    Object.assign(lab.env, { OPENAI_BASE_URL: `${server.origin}/v1`, OPENAI_API_KEY: 'KEY' });
  }

  /** A run that measured one attempt: 3 is one without any improvement. */
  function assertDone(line: string, { code, stdout, stderr }: Ended): void {
    assert.ok(code === 0 || (code === 3 && line.startsWith('ratchet run')), `${line}\n${code}\n${stdout}\n${stderr}`);
    if (line.startsWith('ratchet run')) assert.match(stdout, /^ {2}#1 {2}(?:not )?kept /m, line);
  }

  it('work, in docs/scorers.md', async () => {
    const page = await readPage('scorers.md');
    await put(page);
    await cp(join(EXAMPLES, 'train'), lab.folder, { recursive: true, filter: (path) => !/program\.md|README|__pycache__/.test(path) });
    const lines = linesIn(page).filter((line) => line.startsWith('ratchet '));
    assert.equal(lines.length, 13);
    const isByProgram = (line: string): boolean => /^ratchet run slug\.js --(?!score)/.test(line);
    // First those that nobody has confirmed yet: what is typed is confirmed by that.
    for (const line of [...lines.filter(isByProgram), ...lines.filter((each) => !isByProgram(each))]) {
      const [, , target = ''] = line.split(' ');
      await server?.close();
      await withModel(target);
      if (isByProgram(line)) {
        await lab.write('program.md', samplesIn(page).get('program.md') ?? '');
        const asked = await type(line);
        assert.equal(asked.code, 2, line);
        assert.match(asked.stderr, /add --yes/, line);
        assertDone(line, await type(`${line} --yes`));
        await rm(lab.path('program.md'));
      } else assertDone(line, await type(line));
    }
  });

  it('work, in docs/replies.md', async () => {
    await put(await readPage('scorers.md'));
    const page = await readPage('replies.md');
    for (const [name, text] of samplesIn(page)) await lab.write(name.endsWith('.md') ? `replies/${name}` : name, text);
    const lines = linesIn(page);
    assert.equal(lines.length, 2);
    for (const line of lines) assertDone(line, await type(line));
  });

  it('prints, in docs/explain.md, what the page says', async () => {
    const page = await readPage('explain.md');
    const [published] = await traces();
    const columns = ['commit', 'val_bpb', 'memory_gb', 'status', 'description'];
    await lab.write('results.tsv', `${columns.join('\t')}\n${published?.table.rows.map((row) => resultLine(row, columns)).join('') ?? ''}`);
    const lines = linesIn(page);
    assert.equal(lines.length, 1);
    const ended = await type(lines[0] ?? '');
    assertDone(lines[0] ?? '', ended);
    assert.equal(ended.stdout, /```text\n([^]*?)```/.exec(page)?.[1]);
  });
});
