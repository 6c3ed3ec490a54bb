import assert from 'node:assert/strict';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '../../../src/loop/new-scorer/kinds.ts';
import type { ScorerKind } from '../../../src/loop/new-scorer/names.ts';
import { Lab, type Ended } from '../lab.ts';
import { RUFF, SHELLCHECK, type Subject } from './targets.ts';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** A workspace with a target, and with linters. */
export async function labOf({ target, good, files }: Subject): Promise<Lab> {
  const lab = await Lab.open({ ...files, [target]: good, '../bin/ruff': RUFF, '../bin/shellcheck': SHELLCHECK });
  for (const name of ['ruff', 'shellcheck']) await chmod(lab.path(`../bin/${name}`), 0o755);
  lab.env['PATH'] = `${lab.path('../bin')}:${lab.env['PATH'] ?? ''}`;
  await symlink(join(ROOT, 'node_modules'), lab.path('node_modules'));
  return lab;
}

/** The command that new-scorer prints, as words for the client. */
export function commandIn({ stdout }: Ended): readonly string[] {
  const [, line = ''] = /^ {4}.*? (score .*)$/m.exec(stdout) ?? [];
  return [...line.matchAll(/(?:'[^']*'|\\.|[^\s'])+/g)].map(([word]) => word.replace(/'([^']*)'|\\(.)/g, (_, quoted: string | undefined, escaped: string | undefined) => quoted ?? escaped ?? ''));
}

/** Scores the target as it is now; it must have a score. */
export async function scored(lab: Lab, command: readonly string[]): Promise<number> {
  const { stdout, stderr } = await lab.ratchet(...command, '--json');
  const { outcome, score, why } = JSON.parse(stdout) as { readonly outcome: string; readonly score: number | null; readonly why: string };
  assert.equal(outcome, 'scored', `${command.join(' ')}: ${why} ${stderr}`);
  return score ?? Number.NaN;
}

/** What a good, a worse and a broken target score by the template. */
export async function tryOut(lab: Lab, kind: ScorerKind, subject: Subject, args: readonly string[]): Promise<void> {
  const made = await lab.ratchet('new-scorer', subject.target, '--kind', kind, ...args);
  assert.equal(made.code, 0, made.stderr);
  const command = commandIn(made);
  const good = await scored(lab, command);
  await lab.write(subject.target, subject.worse[kind]);
  const isLower = KINDS[kind].metric.direction === 'lower' && kind !== 'function';
  const worse = await lab.ratchet(...command, '--json');
  const { outcome, score } = JSON.parse(worse.stdout) as { readonly outcome: string; readonly score: number | null };
  if (outcome === 'scored') assert.ok(score !== null && (isLower ? score > good : score < good), `${good} → ${score}`);
  else assert.equal(outcome, 'crashed');

  await lab.write(subject.target, subject.broken);
  const broken = await lab.ratchet(...command);
  assert.doesNotMatch(broken.stdout + broken.stderr, /\n\s+at |Traceback|fault of ours/, 'no stack trace');
  if (broken.code === 0) assert.ok(Number(/^\w+: ([\d.]+)/.exec(broken.stdout)?.[1]) < good, broken.stdout);
  else assert.match(broken.stdout, /^crashed/);
}
