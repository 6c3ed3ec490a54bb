import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProgram } from '../../src/loop/program.ts';
import { reportOf } from '../../src/loop/score.ts';
import type { Metric } from '../../src/records.ts';
import { linesIn, readPage, samplesIn } from './pages.ts';
import type { Scored } from './scoring.ts';
import { pythonOrSkip, score } from './scoring.ts';

const BETTER: Readonly<Record<string, string>> = {
  'slug.js': "export const slug = (title) => title.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase().match(/[a-z0-9]+/g).join('-');\n",
  'slug.py': 'import re\nimport unicodedata\n\n\ndef slug(title):\n    plain = unicodedata.normalize("NFD", title).encode("ascii", "ignore").decode()\n    return "-".join(re.findall("[a-z0-9]+", plain.lower()))\n',
};
const BROKEN: Readonly<Record<string, string>> = { 'slug.js': 'throw new Error("no");\n', 'slug.py': 'raise RuntimeError("no")\n' };

interface CommandLine {
  readonly target: string;
  readonly scorer: string;
  readonly metric: Metric;
}

/** The `ratchet run` lines whose scorer is a sample of the page. */
function commandsIn(page: string): readonly CommandLine[] {
  const samples = samplesIn(page);
  return linesIn(page).flatMap((line) => {
    const [, target, quoted, bare, rest = ''] = /^ratchet run (\S+) --score (?:'([^']+)'|([^'"\s]+))(.*)$/.exec(line) ?? [];
    const scorer = quoted ?? bare;
    if (target === undefined || scorer === undefined || !scorer.split(' ').some((word) => samples.has(word))) return [];
    const name = /--metric (\S+)/.exec(rest)?.[1] ?? 'score';
    return [{ target, scorer, metric: { name, direction: rest.includes('--direction lower') ? 'lower' : 'higher' } }];
  });
}

describe('docs/scorers.md', function () {
  this.timeout(90_000);
  let page = '';
  let python = '';
  let folder = '';
  before(async function () {
    python = await pythonOrSkip(this);
    page = await readPage('scorers.md');
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-scorers-'));
    for (const [name, text] of samplesIn(page)) await writeFile(join(folder, name), text);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Runs one command of the page, on the page's target or on another text. */
  async function scored({ target, scorer, metric }: CommandLine, text?: string): Promise<Scored> {
    if (text !== undefined) await writeFile(join(folder, target), text);
    return score(folder, target, scorer, metric, python);
  }

  it('runs every sample by a command that stands beside it', () => {
    const samples = [...samplesIn(page).keys()].filter((name) => name !== 'program.md');
    const used = commandsIn(page).flatMap(({ target, scorer }) => [target, ...scorer.split(' ')]);
    assert.deepEqual(samples.filter((name) => !used.includes(name)), []);
  });

  it('has commands whose scorers tell a poor file from a good and a broken one', async () => {
    const commands = commandsIn(page);
    assert.equal(commands.length, 6);
    for (const command of commands) {
      const poor = await scored(command);
      assert.equal(poor.reading.outcome, 'scored', `${command.scorer}: ${poor.reading.why} ${poor.execution.stderr}`);
      assert.equal(poor.reading.values, 1, command.scorer);
      const good = await scored(command, BETTER[command.target]);
      if (command.metric.name === 'score') {
        assert.equal(Math.floor(poor.reading.score ?? Number.NaN), 33, command.scorer);
        assert.equal(good.reading.score, 100, command.scorer);
      } else {
        assert.ok(poor.reading.score !== undefined && poor.reading.score > 0 && good.reading.outcome === 'scored');
      }
      await rm(join(folder, 'ratchet-result.json'), { force: true });
      const broken = await scored(command, BROKEN[command.target]);
      // A test runner says of a file that doesn't load that its tests failed.
      if (broken.reading.source === 'report') assert.equal(broken.reading.score, 0, command.scorer);
      else assert.equal(broken.reading.outcome, 'crashed', command.scorer);
      await writeFile(join(folder, command.target), samplesIn(page).get(command.target) ?? '');
    }
  });

  it('has samples whose parts arrive as cases', async () => {
    const withParts = commandsIn(page).filter(({ scorer }) => /grade\.mjs|report\.py/.test(scorer));
    assert.equal(withParts.length, 2);
    for (const command of withParts) {
      const { reading } = await scored(command);
      assert.deepEqual(reading.cases.map(({ name, score: points }) => [name, points]), [['Hello World', 100], ['Crème brûlée', 0], ['One -- two!', 0]]);
      assert.equal(reading.cases[1]?.note, 'crème-brûlée');
    }
  });

  it('has commands of test runners and benchmarks that name a report', () => {
    const commands = linesIn(page).map((line) => /--score (?:'([^']+)'|"([^"]+)")/.exec(line)?.slice(1).find((text) => text !== undefined) ?? line);
    const formats = commands.flatMap((command) => reportOf(command)?.format ?? []);
    assert.deepEqual(formats, ['junit', 'junit', 'junit', 'junit', 'vitest-bench', 'hyperfine', 'jest', 'jest', 'tap', 'tap', 'tap', 'tap', 'pytest', 'pytest-benchmark', 'eslint', 'ruff']);
  });

  it('has a front matter that says the same as the flags', () => {
    const { choices, problems } = readProgram(samplesIn(page).get('program.md') ?? '');
    assert.deepEqual(problems, []);
    assert.deepEqual(choices, { scorer: 'node speed.mjs', metric: 'ms', direction: 'lower', unit: 'ms' });
  });

  it('has scorers of about ten lines', () => {
    for (const [name, text] of samplesIn(page)) assert.ok(text.trim().split('\n').length <= 13, name);
  });
});
