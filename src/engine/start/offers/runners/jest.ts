import { inModules, localBinary } from '../surroundings.ts';
import { configFile, hasFile, inManifests } from './evidence.ts';
import { ownWords } from './own-words.ts';
import { REPORT, unlessReported, type Runner } from './runner.ts';
import { line } from './words.ts';

const CONFIG = /^jest\.config\.\w+$/;

/** Only with jest-junit: jest itself writes no report that is read. */
export const jest: Runner = {
  name: 'jest',
  async evidence(around) {
    const config = await configFile(around, CONFIG);
    return config === undefined ? inManifests(around, 'jest') : `${config} configures jest`;
  },
  async configures(around, folder) {
    return (await hasFile(around, folder, CONFIG)) || around.manifests.some((manifest) => manifest.folder === folder && manifest.keys.has('jest'));
  },
  async command(around, folder, files) {
    const program = await localBinary(around, folder, 'jest');
    if (program === undefined || (await inModules(around, folder, 'jest-junit/package.json')) === undefined) return undefined;
    const { variables, args } = ownWords(around, folder, 'jest', files !== undefined);
    // Without the second variable a test file that fails to load is left out of the report, and the share of passed tests grows.
    const settings = [`JEST_JUNIT_OUTPUT_FILE=${REPORT}`, 'JEST_JUNIT_REPORT_TEST_SUITE_ERRORS=true'];
    const before = [...variables, ...settings, program, ...args, ...(files === undefined ? [] : ['--runTestsByPath'])];
    // Last, as it takes every word that follows for a reporter.
    return unlessReported(line(before, folder, files, ['--reporters=jest-junit']));
  },
};
