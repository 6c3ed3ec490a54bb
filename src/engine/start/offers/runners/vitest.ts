import { localBinary, type Surroundings } from '../surroundings.ts';
import { configFile, hasFile, inManifests } from './evidence.ts';
import { ownWords } from './own-words.ts';
import { REPORT, unlessReported, type Runner } from './runner.ts';
import { line } from './words.ts';

const CONFIG = /^vitest\.(?:config|workspace)\.\w+$/;
const VITE_CONFIG = /^(?:vitest\.(?:config|workspace)|vite\.config)\.\w+$/;

export const vitest: Runner = {
  name: 'vitest',
  async evidence(around) {
    const config = await configFile(around, CONFIG);
    return config === undefined ? inManifests(around, 'vitest') : `${config} configures vitest`;
  },
  configures: (around, folder) => configuresVitest(around, folder),
  async command(around, folder, files) {
    const program = await localBinary(around, folder, 'vitest');
    if (program === undefined) return undefined;
    const { variables, args } = ownWords(around, folder, 'vitest', files !== undefined);
    const own = /^(?:run|watch|dev)$/.test(args[0] ?? '') ? args.slice(1) : args;
    return unlessReported(line([...variables, program, 'run', ...own], folder, files, ['--reporter=junit', `--outputFile=${REPORT}`]));
  },
};

export function configuresVitest(around: Surroundings, folder: string): Promise<boolean> {
  return hasFile(around, folder, VITE_CONFIG);
}
