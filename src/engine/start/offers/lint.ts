import { basename, join } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import type { Metric } from '../../../records.ts';
import { readCommands } from './command-line.ts';
import { isFile } from './files.ts';
import { asksFor, venvOf } from './python-packages.ts';
import { readingOf } from './reading.ts';
import { hasFile } from './runners/evidence.ts';
import { unlessOnlyFailed } from './runners/runner.ts';
import { shellWord } from '../../../loop/shell-word.ts';
import { inFolder, localBinary, runFolder, type Surroundings } from './surroundings.ts';

const FINDINGS: Metric = { name: 'findings', direction: 'lower' };
const ESLINT_CONFIG = /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|json|ya?ml))?)$/;

/** The findings of ESLint or ruff in the target, where the project is set up for it. */
export async function linters(around: Surroundings): Promise<readonly ScorerOffer[]> {
  const found = around.language === 'javascript' ? await eslint(around) : around.language === 'python' ? await ruff(around) : undefined;
  if (found === undefined) return [];
  const { name, folder, command } = found;
  return [{
    scorer: unlessOnlyFailed(`${command} ${shellWord(inFolder(folder, around.target))}`),
    folder,
    why: `${readingOf(name, basename(around.target), FINDINGS)}; less code has fewer of them, so let tests be a gate beside it`,
    metric: FINDINGS,
  }];
}

interface Linter {
  readonly name: string;
  readonly folder: string;
  /** Without the file that it looks at. */
  readonly command: string;
}

/** Without a configuration it ends with an error. */
async function eslint(around: Surroundings): Promise<Linter | undefined> {
  const configures = async (above: string): Promise<boolean> =>
    (await hasFile(around, above, ESLINT_CONFIG)) || around.manifests.some((manifest) => manifest.folder === above && manifest.keys.has('eslintConfig'));
  const folder = await runFolder(around, around.target, configures);
  const named = (await configures(folder)) ? { folder, words: '' } : configInScript(around);
  const program = named === undefined ? undefined : await localBinary(around, named.folder, 'eslint');
  return named === undefined || program === undefined ? undefined : { name: 'ESLint', folder: named.folder, command: `${shellWord(program)}${named.words} -f json` };
}

/** A configuration that only a script of package.json names. */
function configInScript({ manifests }: Surroundings): { readonly folder: string; readonly words: string } | undefined {
  for (const { folder, scripts } of manifests)
    for (const script of scripts.values())
      for (const { program, args } of readCommands(script) ?? []) {
        const at = program === 'eslint' ? args.findIndex((word) => /^(?:-c|--config)(?:=|$)/.test(word)) : -1;
        const file = at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1]);
        if (file !== undefined) return { folder, words: ` --config ${shellWord(file)}` };
      }
  return undefined;
}

/** The .venv's where it has one, else the one on the PATH, if a file of the project speaks of it. */
async function ruff(around: Surroundings): Promise<Linter | undefined> {
  const folder = await runFolder(around, around.target, async (above) => (await ruffSettings(around, above)) !== undefined);
  const settings = await ruffSettings(around, folder);
  const venv = await venvOf(around);
  const installed = venv !== undefined && (await isFile(join(venv, 'ruff'))) ? shellWord(inFolder(folder, join(venv, 'ruff'))) : undefined;
  if (installed === undefined && settings === undefined && !(await asksFor(around, 'ruff')) && !(await asksFor(around, 'ruff-pre-commit'))) return undefined;
  // A setting may tell it to write over what it looks at, and to be silent about the rest.
  const keeps = /^\s*fix(?:-only)?\s*=\s*true\b/m.test(settings ?? '') ? ' --no-fix --no-fix-only' : '';
  return { name: 'ruff', folder, command: `${installed ?? 'ruff'} check --no-cache${keeps} --ignore-noqa --output-format json` };
}

/** Its settings in one folder. */
async function ruffSettings({ files }: Surroundings, folder: string): Promise<string | undefined> {
  for (const name of ['.ruff.toml', 'ruff.toml']) {
    const text = await files.read(join(folder, name));
    if (text !== undefined) return text;
  }
  const project = await files.read(join(folder, 'pyproject.toml'));
  return project !== undefined && /^\s*\[tool\.ruff[\].]/m.test(project) ? project : undefined;
}
