import { scriptWith } from './evidence.ts';
import { ownWords } from './own-words.ts';
import { REPORT, unlessReported, type Runner } from './runner.ts';
import { line } from './words.ts';

/** The runner that Node brings. */
export const nodeTest: Runner = {
  name: 'node:test',
  evidence: (around) => Promise.resolve(scriptWith(around, 'node:test', (program, args) => program === 'node' && args.includes('--test'))),
  configures: () => Promise.resolve(false),
  command(around, folder, files) {
    const { variables, args } = ownWords(around, folder, 'node', files !== undefined);
    // A `test` script that starts node for something else says nothing about its runner.
    const own = args.includes('--test') ? args.filter((word) => word !== '--test') : [];
    const before = [...variables, 'node', '--test', '--test-reporter=junit', `--test-reporter-destination=${REPORT}`, ...own];
    return Promise.resolve(unlessReported(line(before, folder, files, [])));
  },
};
