import { wordsAround, type OwnWords } from '../command-line.ts';
import type { Surroundings } from '../surroundings.ts';

const SCRIPTS = ['test', 'test:unit', 'unit'];
/** What would write the report elsewhere, keep the runner alive, or measure what nobody asked for. */
const VALUED = /^(?:--reporters?|-R|--outputFile|--reporter-options?|-O|--test-reporter|--test-reporter-destination)$/;
const LEFT_OUT = /^(?:(?:--reporters?|--outputFile|--reporter-options?|--test-reporter|--test-reporter-destination)=.*|--watch(?:All)?|-w|--coverage(?:[.=].*)?)$/;

/**
 * How the project itself starts a runner: what its `test` script gives it, if that starts the runner alone. Flags often
 * stand only there (`mocha --import tsx`). With `flagsOnly` the tests that it names are left out.
 */
export function ownWords(around: Surroundings, folder: string, program: string, flagsOnly: boolean): OwnWords {
  const scripts = around.manifests.find((manifest) => manifest.folder === folder)?.scripts;
  for (const name of SCRIPTS) {
    const found = wordsAround(scripts?.get(name) ?? '', program);
    if (found === undefined) continue;
    const args = found.args.filter((word, index) => !LEFT_OUT.test(word) && !VALUED.test(word) && !VALUED.test(found.args[index - 1] ?? ''));
    return { variables: found.variables, args: flagsOnly ? args.filter((word, index) => isFlag(word, args[index - 1])) : args };
  }
  return { variables: [], args: [] };
}

/** An option, or the value of the one before it. A glob is a value only of an option that leaves out. */
function isFlag(word: string, before: string | undefined): boolean {
  if (word.startsWith('-')) return word !== '--spec';
  if (before === undefined || !before.startsWith('-') || before.includes('=')) return false;
  return !word.includes('*') || /ignore|exclude/.test(before);
}
