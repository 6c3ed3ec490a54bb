import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isWithin } from '../../wire/root.ts';
import { environmentOf, interpretersOf, isEnvironment } from './environment-of.ts';
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
 * packages that Python finds by itself, and those of `programs` (absolute paths, through all links to the real one), each of
 * an environment with the whole of it and the Python that it was made by.
 */
export async function toolchains(programs: readonly string[], places: ToolPlaces): Promise<readonly string[]> {
  const { env } = places;
  const { PATH: path = '' } = env;
  const environments = [...activeEnvironments(env), ...programs.map(environmentOf).filter((folder) => folder !== undefined)].flatMap(withReal);
  const real = (await Promise.all([...programs, ...environments.flatMap(interpretersOf)].filter((path) => isAbsolute(path) && isFile(path)).map(hops))).flat().map(dirname);
  const named = path.split(delimiter).filter((folder) => isAbsolute(folder) && !folder.includes('/.vscode'));
  const shown = [...environments, ...userPackages(places), ...[...named, ...real].flatMap((folder) => around(folder, places))];
  return [...new Set(shown.map((folder) => resolve(folder)))].filter((folder) => isNeeded(folder, places) && existsSync(folder));
}

/** Whether a program (absolute path) is one of an environment, or of a toolchain below the home folder. */
export function isInstalled(path: string, home: string | undefined): boolean {
  return environmentOf(path) !== undefined || isKept(path, home);
}

/** Whether a path lies in what is shown of a keeper of toolchains. */
export function isKept(path: string, home: string | undefined): boolean {
  return home !== undefined && Object.values(KEEPERS).flat().some((name) => isWithin(join(home, name), path));
}

/** The environments that a person's shell is in. */
export function activeEnvironments({ VIRTUAL_ENV: venv, CONDA_PREFIX: conda }: ToolPlaces['env']): readonly string[] {
  return [venv, conda].filter((folder): folder is string => folder !== undefined && isAbsolute(folder));
}

/** Where `pip install --user` puts packages: Python looks there whether or not its programs are on the PATH. */
export function userBase({ env, home }: Pick<ToolPlaces, 'env' | 'home'>): string | undefined {
  const base = env['PYTHONUSERBASE'];
  return base !== undefined && isAbsolute(base) ? base : home === undefined ? undefined : join(home, '.local');
}

function userPackages(places: ToolPlaces): readonly string[] {
  const base = userBase(places);
  if (base === undefined) return [];
  const lib = join(base, 'lib');
  return existsSync(lib) ? readdirSync(lib).filter((name) => /^(?:python|pypy)[\d.]+t?$/.test(name)).map((name) => join(lib, name)) : [];
}

function withReal(folder: string): readonly string[] {
  return existsSync(folder) ? [folder, realpathSync(folder)] : [folder];
}

/** A folder that holds the project holds others too; an environment may be made around it. */
function isNeeded(folder: string, { home, top }: ToolPlaces): boolean {
  return !isSystem(folder) && !isWithin(top, folder) && mayBeShown(folder, home) && (!isWithin(folder, top) || isEnvironment(folder));
}

/** A folder of programs, with what was installed together with it. */
function around(folder: string, places: ToolPlaces): readonly string[] {
  const { home } = places;
  const inHome = home !== undefined && isWithin(home, folder) ? relative(home, folder) : undefined;
  const keeper = inHome === undefined ? undefined : Object.keys(KEEPERS).find((name) => inHome === name || inHome.startsWith(`${name}/`));
  if (home !== undefined && keeper !== undefined) return (KEEPERS[keeper] ?? []).map((path) => join(home, path));
  return [wholeOf(folder, places) ?? folder];
}

/** What a program (absolute path) is installed with: its environment, or the folder whose `bin` it lies in. */
export function installedWith(path: string, places: ToolPlaces): string | undefined {
  const environment = environmentOf(path);
  return environment !== undefined && (places.home === undefined || !isWithin(environment, places.home)) ? environment : wholeOf(dirname(path), places);
}

/** What a folder of programs is the `bin` of: not a home folder, nor what holds the project and others. */
function wholeOf(folder: string, { home, top }: ToolPlaces): string | undefined {
  const whole = dirname(folder);
  return isBin(folder) && mayBeShown(whole, home) && (!isWithin(whole, top) || isEnvironment(whole)) ? whole : undefined;
}

function isBin(folder: string): boolean {
  return /^(?:s?bin|condabin|shims|Scripts)$/.test(basename(folder)) && BESIDE_BIN.some((name) => existsSync(join(dirname(folder), name)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
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
