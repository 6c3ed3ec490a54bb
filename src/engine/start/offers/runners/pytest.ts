import { basename, join } from 'node:path';
import { isFile } from '../files.ts';
import { venvOf } from '../python-packages.ts';
import { shellWord } from '../../../../loop/shell-word.ts';
import { inFolder, type Surroundings } from '../surroundings.ts';
import { REPORT, unlessOnlyFailed, type Runner } from './runner.ts';
import { line } from './words.ts';

/** Files that can hold pytest's settings, and how it is seen that they do. */
const SETTINGS: readonly (readonly [string, RegExp])[] = [
  ['pytest.ini', /^/],
  ['pyproject.toml', /^\s*\[tool\.pytest(?:\.ini_options)?\]/m],
  ['tox.ini', /^\[pytest\]/m],
  ['setup.cfg', /^\[tool:pytest\]/m],
];

/** Of the project's .venv where there is one; otherwise of the python3 on the PATH, which the first try shows to have it or not. */
export const pytest: Runner = {
  name: 'pytest',
  async evidence(around) {
    for (const folder of around.upward) {
      const settings = await settingsIn(around, folder);
      if (settings !== undefined) return `${settings} configures pytest`;
    }
    const conftest = around.found.find((path) => basename(path) === 'conftest.py');
    return conftest === undefined ? undefined : 'conftest.py is there for pytest';
  },
  configures: async (around, folder) => (await settingsIn(around, folder)) !== undefined,
  async command(around, folder, files) {
    const python = await pythonOf(around, folder);
    return python === undefined ? undefined : unlessOnlyFailed(line([python, '-m', 'pytest', '-q', `--junitxml=${REPORT}`], folder, files, []));
  },
};

async function settingsIn(around: Surroundings, folder: string): Promise<string | undefined> {
  for (const [name, section] of SETTINGS) {
    const text = await around.files.read(join(folder, name));
    if (text !== undefined && section.test(text)) return name;
  }
  return undefined;
}

/** The Python that runs pytest, as a word for a command in `folder`; undefined where the project's .venv lacks one of these programs. */
export async function pythonOf(around: Surroundings, folder: string, programs: readonly string[] = ['pytest']): Promise<string | undefined> {
  const venv = await venvOf(around);
  if (venv === undefined) return 'python3';
  for (const name of programs) if (!(await isFile(join(venv, name)))) return undefined;
  return shellWord(inFolder(folder, join(venv, 'python')));
}
