import { allowedWords } from '../../loop/allow.ts';
import { shellWord } from '../../loop/shell-word.ts';
import { readGate } from '../../loop/score.ts';
import { blockedOf } from '../confine/outside.ts';
import type { Confinement } from '../confine/confinement.ts';
import type { Measuring } from './context.ts';
import { measure, type Measurement } from './measure.ts';
import { baselineTimeoutMs } from './timing.ts';

/** What a scorer wants beyond its confinement: the unchanged file fails in it and is scored without. */
export interface Needs {
  /** Words of `allow` with which it is scored; empty where nobody could tell what it misses. */
  readonly allow: readonly string[];
  /** "Your scorer needs: the network (huggingface.co)." */
  readonly sentence: string;
}

/** Which of a plan's commands failed, and when it would not have. */
export interface NeedsWhose {
  /** As the subject of a sentence. */
  readonly whose: string;
  readonly works: (run: Measurement) => boolean;
}

const OF_SCORER: NeedsWhose = { whose: 'Your scorer', works: ({ outcome, reading }) => outcome === 'scored' && reading.score !== undefined };

/** Of a command besides the scorer. */
export function whoseNeeds(role: 'gate' | 'stage' | 'holdout', name: string): NeedsWhose {
  const works = role === 'gate' ? ({ output, report }: Measurement): boolean => readGate(output, report).outcome === 'scored' : OF_SCORER.works;
  return { whose: role === 'holdout' ? 'The holdout' : `The ${role} ${name}`, works };
}

/**
 * Finds out whether it is the confinement that an unchanged file failed of, which is the person's own code: by a run with
 * their rights, and one with what the output asks for. Undefined where it fails anyway, or must not be run without.
 */
export async function needsOf(measuring: Measuring, text: string, failed: Measurement, signal: AbortSignal, { whose, works }: NeedsWhose = OF_SCORER): Promise<Needs | undefined> {
  const { confinement, plan } = measuring;
  if (confinement === undefined || plan.sandbox === 'required' || failed.outcome === 'timed-out' || failed.outcome === 'cancelled') return undefined;
  const again = (given: Confinement | undefined): Promise<Measurement> => {
    const { confinement: _confinement, ...open } = measuring;
    return measure(given === undefined ? open : { ...open, confinement: given }, text, failed.role, baselineTimeoutMs(plan), signal, () => undefined);
  };
  if (!works(await again(undefined))) return undefined;
  const told = await askedFor(measuring, confinement, failed, async (words) => {
    const run = await again(await confinement.allowing(words));
    return works(run) ? undefined : run;
  });
  if (told === undefined) return { allow: [], sentence: `${whose} works with your rights and fails when it is confined, and its output doesn't tell what it misses.` };
  const words = allowedWords(told.allow).replace('the network', told.hosts.length === 0 ? 'the network' : `the network (${told.hosts.join(', ')})`);
  return { allow: told.allow, sentence: `${whose} needs: ${words}.` };
}

/** What a person can do, as flags. */
export function needsHint(allow: readonly string[]): string {
  const off = 'run it with your rights: --sandbox off';
  return allow.length === 0 ? `To ${off}.` : `Allow that with ${allow.map((word) => `--allow ${shellWord(word)}`).join(' ')}, or ${off}.`;
}

/** One thing after the other: a scorer that finds its file may then miss the network. `trying` gives the run that still failed. */
async function askedFor(
  measuring: Measuring, confinement: Confinement, failed: Measurement, trying: (words: readonly string[]) => Promise<Measurement | undefined>,
): Promise<{ readonly allow: readonly string[]; readonly hosts: readonly string[] } | undefined> {
  let allow: readonly string[] = [];
  let hosts: readonly string[] = [];
  let last = failed;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const blocked = blockedOf(`${last.output.stdout}\n${last.output.stderr}`, { ...measuring, confinement: await confinement.allowing(allow) }, true);
    const more = blocked.allow.filter((word) => !allow.includes(word));
    if (more.length === 0) return undefined;
    allow = [...allow, ...more];
    hosts = [...new Set([...hosts, ...blocked.hosts])];
    // A private copy is made with the slot: whether it is enough shows with the next one.
    if (allow.some((word) => word.startsWith('write:'))) return { allow, hosts };
    const still = await trying(allow);
    if (still === undefined) return { allow, hosts };
    last = still;
  }
  return undefined;
}

const MOST_ROUNDS = 4;
