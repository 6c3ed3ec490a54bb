import type { Ask } from '../protocol.ts';
import { allowedWords } from '../loop/allow.ts';
import { AllowedAnswers } from '../wire/allowed.ts';
import type { Place } from './root.ts';
import type { Terminal } from './terminal.ts';

/**
 * The question of a start file that fails only when it is confined. What a person answers is remembered for the target
 * and its next start asks for it. Undefined where they left it.
 */
export async function answerNeeds(terminal: Terminal, { runtime, root }: Pick<Place, 'runtime' | 'root'>, target: string, ask: Ask, needs: readonly string[]): Promise<Ask | undefined> {
  const answers = new AllowedAnswers(runtime.folder);
  if (needs.length > 0 && await terminal.confirm(`Allow it ${allowedWords(needs)}, now and from now on for ${target} in ${root}?`, 'no')) {
    await answers.add(target, { allow: needs });
    // A flag is the last word: what was answered joins it.
    return ask.flags.allow === undefined ? ask : { ...ask, flags: { ...ask.flags, allow: [...ask.flags.allow, ...needs] } };
  }
  if (!(await terminal.confirm(`Run it without confinement, with your rights, now and from now on for ${target} in ${root}?`, 'no'))) return undefined;
  await answers.add(target, { sandbox: 'off' });
  return { ...ask, flags: { ...ask.flags, sandbox: 'off' } };
}
