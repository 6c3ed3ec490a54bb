import assert from 'node:assert/strict';
import cases from '../cases/handed.json' with { type: 'json' };
import { hashTree, Lab, verdictsOf } from './lab.ts';

interface EditCase { readonly id: string; readonly kind: 'edit'; readonly title: string; readonly input: { readonly file: string; readonly reply: string }; readonly expected: { readonly outcome: string; readonly result?: string; readonly reasonContains?: string } }
interface ScoreCase { readonly id: string; readonly kind: 'score'; readonly title: string; readonly input: { readonly stdout: string; readonly stderr: string; readonly exitCode: number; readonly metric?: string; readonly direction?: string }; readonly expected: { readonly score?: number; readonly outcome?: 'crash' | 'no-score' | 'rejected' } }
interface GamingCase { readonly id: string; readonly kind: 'gaming'; readonly title: string; readonly input: { readonly target: string; readonly metric?: string; readonly direction: string; readonly scoreCommand: string; readonly files: Readonly<Record<string, string>>; readonly reply: string }; readonly expected: { readonly acceptable: readonly string[]; readonly mustNot: readonly string[] } }

const all = cases as unknown as readonly (EditCase | ScoreCase | GamingCase)[];

/** The cases' words for ours. */
const WORDS: Readonly<Record<string, readonly string[]>> = { rejected: ['refused', 'invalid-score'], crash: ['crashed'], timeout: ['timed-out'] };
const ours = (words: readonly string[]): readonly string[] => words.flatMap((word) => WORDS[word] ?? [word]);

describe('the handed cases in the terminal', () => {
  let lab: Lab;
  afterEach(() => lab.close());

  for (const one of all.filter((each): each is EditCase => each.kind === 'edit'))
    it(`${one.id}: ${one.title}`, async () => {
      lab = await Lab.open({ file: one.input.file, reply: one.input.reply });
      const { code, stdout } = await lab.ratchet('apply', 'file', '--reply', 'reply');
      if (one.expected.outcome === 'applied') {
        assert.equal(stdout, one.expected.result);
        assert.equal(code, 0);
      } else {
        assert.match(stdout, /^refused: [a-z-]+: .+\.\n$/);
        assert.ok(stdout.toLowerCase().includes(one.expected.reasonContains ?? ''));
        assert.equal(code, 4);
      }
      assert.equal(await lab.read('file'), one.input.file);
    });

  for (const one of all.filter((each): each is ScoreCase => each.kind === 'score'))
    it(`${one.id}: ${one.title}`, async () => {
      const { input, expected } = one;
      lab = await Lab.open({ 'f.txt': 'x\n', out: input.stdout, err: input.stderr });
      const metric = input.metric === undefined ? [] : ['--metric', input.metric, '--direction', input.direction ?? 'higher'];
      const { code, stdout } = await lab.ratchet('score', 'f.txt', '--score', `cat out; cat err >&2; exit ${input.exitCode}`, ...metric, '--json');
      const answer = JSON.parse(stdout) as { outcome: string; score: number | null };
      if (expected.score !== undefined) assert.deepEqual([answer.outcome, answer.score, code], ['scored', expected.score, 0]);
      else {
        assert.ok(ours([expected.outcome ?? '']).includes(answer.outcome), answer.outcome);
        assert.equal(answer.score, null);
        assert.equal(code, 4);
      }
    });

  /** Those that come with a scorer; the others are series of values, and stand below or with the judge. */
  const now = ['G01', 'G02', 'G04', 'G05', 'G07', 'G08', 'G11'];
  for (const one of all.filter((each): each is GamingCase => each.kind === 'gaming' && now.includes(each.id)))
    it(`${one.id}: ${one.title}`, async () => {
      const { input, expected } = one;
      lab = await Lab.open({ ...input.files, '../replies/1.md': input.reply });
      const before = await hashTree(lab.folder);
      const metric = input.metric === undefined ? [] : ['--metric', input.metric, '--direction', input.direction];
      const { events } = await lab.events('run', input.target, '--score', input.scoreCommand, ...metric, '--proposer', 'replay:../replies', '--attempts', '1');
      const [, verdict = 'none'] = verdictsOf(events);
      assert.ok(ours(expected.acceptable).includes(verdict), verdict);
      assert.ok(!ours(expected.mustNot).includes(verdict));
      assert.equal(await hashTree(lab.folder), before);
    });

  it('G13: equal is not better, and the top is the top', async () => {
    lab = await Lab.open({
      's.py': 'import f\nprint("score:", f.A)\n', 'f.py': 'A = 98\nB = 0\n', 'r/1.md': block('B = 0', 'B = 1'), 'r/2.md': block('A = 98', 'A = 100'), 'r/3.md': block('B = 0', 'B = 2'),
    });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '9');
    assert.deepEqual(verdictsOf(events).slice(1), ['discarded', 'kept']);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-ended' && end.sentence.includes('100'));
  });

  it('G14: lower is better, and a crash is not zero', async () => {
    lab = await Lab.open({
      's.py': 'import f\nprint("val_bpb:", f.A)\n', 'f.py': 'A = 0.9979\n', 'r/1.md': block('A = 0.9979', 'A = 1 / 0'), 'r/2.md': block('A = 0.9979', 'A = 1.0105'), 'r/3.md': block('A = 0.9979', 'A = 0.9721'),
    });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 s.py', '--metric', 'val_bpb', '--proposer', 'replay:r');
    assert.deepEqual(verdictsOf(events).slice(1), ['crashed', 'discarded', 'kept']);
    const rows = (await lab.read(`.ratchet/runs/${events[0]?.run ?? ''}/results.tsv`)).split('\n');
    assert.equal(rows[2]?.split('\t')[1], '');
  });
});

function block(search: string, replace: string): string {
  return `Try.\n\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`;
}
