import { localBinary } from '../surroundings.ts';
import { configFile, hasFile, inManifests } from './evidence.ts';
import { ownWords } from './own-words.ts';
import { REPORT, unlessReported, type Runner } from './runner.ts';
import { line } from './words.ts';

const CONFIG = /^\.mocharc(?:\.\w+)?$/;

export const mocha: Runner = {
  name: 'mocha',
  async evidence(around) {
    const config = await configFile(around, CONFIG);
    return config === undefined ? inManifests(around, 'mocha') : `${config} configures mocha`;
  },
  async configures(around, folder) {
    return (await hasFile(around, folder, CONFIG)) || around.manifests.some((manifest) => manifest.folder === folder && manifest.keys.has('mocha'));
  },
  async command(around, folder, files) {
    const program = await localBinary(around, folder, 'mocha');
    if (program === undefined) return undefined;
    const { variables, args } = ownWords(around, folder, 'mocha', files !== undefined);
    return unlessReported(line([...variables, program, ...args], folder, files, ['--reporter', 'xunit', '--reporter-option', `output=${REPORT}`]));
  },
};
