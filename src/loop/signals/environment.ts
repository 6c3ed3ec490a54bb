import { linesNamed } from './sides.ts';
import type { Signal } from './sides.ts';
import type { AddedCode } from './added-code.ts';

/** Added lines that name a variable by which Ratchet speaks with the scorer. A name put together from parts isn't seen. */
export function ratchetEnvironment({ added }: AddedCode): readonly Signal[] {
  const lines = added.filter(({ text }) => text.includes('RATCHET_'));
  if (lines.length === 0) return [];
  const name = /RATCHET_\w*/.exec(lines[0]?.text ?? '')?.[0] ?? 'RATCHET_';
  return [{ code: 'ratchet-environment', reason: `${linesNamed(lines.map(({ line }) => line))} ${lines.length === 1 ? 'names' : 'name'} ${name}, which is meant for the scorer alone.` }];
}
