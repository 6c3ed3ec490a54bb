import { existsSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isWithin } from '../../wire/root.ts';
import { mayBeShown } from './reserved.ts';
import { isSystem } from './system.ts';

/** Where a person's programs are looked for. Paths absolute. */
export interface ToolPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
  /** What lies here the slot shows. */
  readonly top: string;
}

/** Keepers of toolchains below a home folder, and what of them is shown: never where they keep tokens. */
const KEEPERS: Readonly<Record<string, readonly string[]>> = {
  '.cargo': ['.cargo/bin', '.rustup'],
  '.rustup': ['.rustup'],
  '.pyenv': ['.pyenv'],
  '.nvm': ['.nvm'],
  '.local/share/fnm': ['.local/share/fnm'],
  '.fnm': ['.fnm'],
  '.volta': ['.volta'],
  '.asdf': ['.asdf', '.tool-versions'],
  '.local/share/mise': ['.local/share/mise'],
  '.rbenv': ['.rbenv'],
  '.bun': ['.bun'],
  '.deno': ['.deno'],
  '.sdkman': ['.sdkman'],
  '.juliaup': ['.juliaup', '.julia'],
  '.julia': ['.julia'],
  '.dotnet': ['.dotnet'],
  '.ghcup': ['.ghcup'],
  '.opam': ['.opam'],
  '.elan': ['.elan'],
  '.nodenv': ['.nodenv'],
  '.proto': ['.proto'],
  '.pixi': ['.pixi'],
  '.conda': ['.conda'],
  '.local/share/uv': ['.local/share/uv'],
  '.local/share/pnpm': ['.local/share/pnpm'],
  '.local/share/virtualenvs': ['.local/share/virtualenvs'],
  '.local/bin': ['.local/bin', '.local/lib', '.local/share/uv', '.local/share/pipx', '.local/pipx'],
  '.virtualenvs': ['.virtualenvs'],
  'go': ['go/bin', 'go/pkg', 'sdk'],
};

/** What a folder of programs has beside it where it is the `bin` of something installed whole. */
const BESIDE_BIN = ['lib', 'lib64', 'libexec', 'conda-meta', 'pyvenv.cfg', 'include'];

/** A link that leads to itself ends somewhere. */
const MOST_HOPS = 40;

/**
 * What must be shown besides the system's folders so that programs run: the folders of the PATH, active environments,
 * and those of `programs` (absolute paths, through all links to the real one).
 */
export async function toolchains(programs: readonly string[], places: ToolPlaces): Promise<readonly string[]> {
  const { env } = places;
  const { VIRTUAL_ENV: venv, CONDA_PREFIX: conda, PATH: path = '' } = env;
  const environments = [venv, conda].filter((folder): folder is string => folder !== undefined && isAbsolute(folder));
  const real = (await Promise.all([...programs, ...environments.map((folder) => join(folder, 'bin', 'python'))].filter(isAbsolute).map(hops))).flat().map(dirname);
  const named = path.split(delimiter).filter((folder) => isAbsolute(folder) && !folder.includes('/.vscode'));
  const shown = [...environments, ...[...named, ...real].flatMap((folder) => around(folder, places))];
  return [...new Set(shown.map((folder) => resolve(folder)))].filter((folder) => isNeeded(folder, places) && existsSync(folder));
}

function isNeeded(folder: string, { home, top }: ToolPlaces): boolean {
  return !isSystem(folder) && !isWithin(top, folder) && mayBeShown(folder, home);
}

/** A folder of programs, with what was installed together with it. */
function around(folder: string, { home }: ToolPlaces): readonly string[] {
  const inHome = home !== undefined && isWithin(home, folder) ? relative(home, folder) : undefined;
  const keeper = inHome === undefined ? undefined : Object.keys(KEEPERS).find((name) => inHome === name || inHome.startsWith(`${name}/`));
  if (home !== undefined && keeper !== undefined) return (KEEPERS[keeper] ?? []).map((path) => join(home, path));
  const whole = dirname(folder);
  const isWhole = /^(?:s?bin|condabin|shims|Scripts)$/.test(basename(folder)) && mayBeShown(whole, home) && BESIDE_BIN.some((name) => existsSync(join(whole, name)));
  return [isWhole ? whole : folder];
}

/** A path and everything that its links lead to. */
async function hops(path: string): Promise<readonly string[]> {
  const seen = [path];
  for (let at = path; seen.length < MOST_HOPS;) {
    const to = await readlink(at).catch(() => undefined);
    if (to === undefined) return seen;
    at = resolve(dirname(at), to);
    seen.push(at);
  }
  return seen;
}
