import { basename, join } from 'node:path';
import { inModules, localBinary, type Surroundings } from '../surroundings.ts';
import { configFile, hasFile, inManifests } from './evidence.ts';
import { ownWords } from './own-words.ts';
import { unlessOnlyFailed, type Runner } from './runner.ts';
import { line } from './words.ts';

interface TapRunner {
  readonly name: string;
  readonly config?: RegExp;
  /** What makes it print TAP. */
  readonly flags: (around: Surroundings, folder: string) => Promise<readonly string[]>;
  /** Whether it looks for tests by itself. */
  readonly finds: boolean;
}

export const ava: Runner = printingTap({ name: 'ava', config: /^ava\.config\.\w+$/, flags: () => Promise.resolve(['--tap']), finds: true });

/** node-tap. What it has to say of coverage takes time, and would fail a run whose tests all passed. */
export const tap: Runner = printingTap({ name: 'tap', config: /^\.taprc$/, flags: async (around, folder) => ['--reporter=tap', (await majorOf(around, folder, 'tap')) < 18 ? '--no-coverage' : '--disable-coverage'], finds: true });

export const tape: Runner = printingTap({ name: 'tape', flags: () => Promise.resolve([]), finds: false });

/** A runner that prints TAP, and ends with 1 where a test failed. */
function printingTap({ name, config, flags, finds }: TapRunner): Runner {
  return {
    name,
    async evidence(around) {
      const file = config === undefined ? undefined : await configFile(around, config);
      return file === undefined ? inManifests(around, name) : `${basename(file)} configures ${name}`;
    },
    async configures(around, folder) {
      return (config !== undefined && (await hasFile(around, folder, config))) || around.manifests.some((manifest) => manifest.folder === folder && manifest.keys.has(name));
    },
    async command(around, folder, files) {
      const program = await localBinary(around, folder, name);
      if (program === undefined) return undefined;
      const { variables, args } = ownWords(around, folder, name, files !== undefined);
      const own = args.filter((word) => word !== '--tap' && word !== '-t');
      if (!finds && files === undefined && own.length === 0) return undefined;
      return unlessOnlyFailed(line([...variables, program, ...(await flags(around, folder)), ...own], folder, files, []));
    },
  };
}

/** The major version of an installed package; 0 where it isn't said. */
async function majorOf(around: Surroundings, folder: string, name: string): Promise<number> {
  const path = await inModules(around, folder, join(name, 'package.json'));
  const text = path === undefined ? undefined : await around.files.read(path);
  return Number(/"version"\s*:\s*"(\d+)\./.exec(text ?? '')?.[1] ?? 0);
}
