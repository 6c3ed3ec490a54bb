import type { Cell } from './cells.ts';
import { CHEAP, goalsOf, THOROUGH, type Aim } from './goals.ts';
import { COARSE, NOISES, SEEDED_INSIDE, type NoiseKind } from './noises.ts';
import { OTHERS } from './rules.ts';

/** One row of a table: a player of rules.ts on a noise. */
export interface Row {
  readonly label: string;
  readonly player: string;
  readonly noise: string;
}

/** A table of one rule: a row a noise. */
export interface Table {
  readonly title: string;
  readonly aim: Aim;
  readonly rows: readonly Row[];
}

const EVERY_NOISE: readonly NoiseKind[] = [...NOISES, COARSE];

function rowsOf(player: string): readonly Row[] {
  return EVERY_NOISE.map(({ name }) => ({ label: name, player, noise: name }));
}

const RATCHET: readonly Table[] = [
  {
    title: 'Ratchet', aim: CHEAP,
    rows: [
      ...rowsOf('Ratchet'),
      { label: 'Gaussian, a baseline of 4 runs', player: 'Ratchet, a baseline of 4 runs', noise: 'Gaussian' },
      { label: 'seeded inside', player: 'Ratchet, told of a seed inside', noise: SEEDED_INSIDE.name },
      { label: 'seeded inside, `noise: 1`', player: 'Ratchet, told of a seed inside and its noise', noise: SEEDED_INSIDE.name },
    ],
  },
  { title: 'Ratchet, maxRepeats 60', aim: THOROUGH, rows: rowsOf('Ratchet, maxRepeats 60') },
];

export const TABLES: readonly Table[] = [
  ...RATCHET,
  ...Object.keys(OTHERS).map((title) => ({ title, aim: CHEAP, rows: [...rowsOf(title), { label: SEEDED_INSIDE.name, player: title, noise: SEEDED_INSIDE.name }] })),
];

export function noiseNamed(name: string): NoiseKind {
  const kind = [...EVERY_NOISE, SEEDED_INSIDE].find((one) => one.name === name);
  if (kind === undefined) throw new Error(`no noise is named ${name}`);
  return kind;
}

/** The table as Markdown; `cells` in the order of its rows. */
export function printed({ title, aim, rows }: Table, cells: readonly Cell[]): string {
  const goals = goalsOf(aim);
  const lines = rows.map(({ label, noise }, i) => {
    const cell = cells[i];
    if (cell === undefined) return line([label]);
    const columns = goals.map(({ of, met, digits }) => {
      const value = of(cell);
      const mark = met(value, noise);
      return `${value.toFixed(digits)}${mark === undefined ? '' : mark ? ' ✓' : ' ✗'}`;
    });
    return line([label, ...columns, cell.noOpsKept.toFixed(2), cell.noOpsWaiting.toFixed(1)]);
  });
  const head = ['noise', ...goals.map((one) => one.head), '(a) kept a run', '(a) waiting a run'];
  const goal = ['*goal*', ...goals.map((one) => one.goal), '', ''];
  return [`**${title}**`, '', line(head), line(head.map(() => '---')), line(goal), ...lines, ''].join('\n');
}

export function line(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |`;
}
