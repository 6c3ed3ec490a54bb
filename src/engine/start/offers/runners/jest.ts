import { localBinary } from '../surroundings.ts';
import { configFile, hasFile, inManifests } from './evidence.ts';
import { ownWords } from './own-words.ts';
import { JSON_REPORT, unlessReported, type Runner } from './runner.ts';
import { line } from './words.ts';

const CONFIG = /^jest\.config\.\w+$/;

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
    if (program === undefined) return undefined;
    const { variables, args } = ownWords(around, folder, 'jest', files !== undefined);
    const before = [...variables, program, ...args, '--json', `--outputFile=${JSON_REPORT}`, ...(files === undefined ? [] : ['--runTestsByPath'])];
    return unlessReported(line(before, folder, files, []), JSON_REPORT);
  },
};
