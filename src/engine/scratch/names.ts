/** Rebuilt by tools at will. A stale one could be measured in place of the candidate, so the scorer never sees them. */
const CACHES = new Set([
  '__pycache__', '.cache', '.vite', '.vite-temp', '.vitest', '.parcel-cache', '.turbo', '.nx', '.eslintcache', '.stylelintcache',
  '.pytest_cache', '.mypy_cache', '.ruff_cache', '.hypothesis', '.ipynb_checkpoints',
  '.nyc_output', '.gradle', '.DS_Store',
]);
const CACHE_ENDS = ['.pyc', '.pyo', '.tsbuildinfo'];

/** Built from sources. Only an ignored folder of such a name is one: `build/` may well be source where it is tracked. */
const OUTPUTS = new Set([
  'dist', 'build', 'out', 'target', 'obj', '.next', '.nuxt', '.output', '.svelte-kit', '.angular', 'storybook-static', 'coverage',
  '.coverage', 'htmlcov',
]);

/** Folders that are large by habit: seen live instead of copied, where no ignore rule says so. */
const HEAVY = new Set([
  'data', 'dataset', 'datasets', 'checkpoints', 'weights', 'wandb', 'mlruns', 'venv', '.venv', 'env', '.conda', '.tox', '.nox',
  '__pypackages__', 'bower_components', 'Pods', '.yarn', '.pnpm-store',
]);

/** Ratchet's own data, secrets, and git's folder, which gets a stand-in. */
export function isNeverSeen(name: string): boolean {
  return name === '.ratchet' || name === '.git' || name.toLowerCase().startsWith('.env');
}

/**
 * Whether a path names one of some files, on a disk that may ignore case: git can know a file by another case than the
 * disk does, and a listing of the disk then shows the one or the other.
 */
export function namesOneOf(files: readonly string[], ignoresCase: boolean): (path: string) => boolean {
  const fold = (path: string): string => (ignoresCase ? path.normalize('NFC').toLowerCase() : path);
  const folded = new Set(files.map(fold));
  return (path) => folded.has(fold(path));
}

/** A cache by its name, wherever it lies. */
export function isCache(name: string): boolean {
  return CACHES.has(name) || CACHE_ENDS.some((end) => name.endsWith(end));
}

/** Whether any part of a `/`-separated path is a cache. */
export function isInCache(path: string): boolean {
  return path.split('/').some(isCache);
}

/** Whether a `/`-separated path lies in a repository's `.git`, for which a stand-in is made. */
export function isStandIn(path: string): boolean {
  return path.split('/').includes('.git');
}

/** A build output by its name, given that it is ignored. */
export function isOutput(name: string): boolean {
  return OUTPUTS.has(name);
}

/** Large by habit, where there is no git to say what is ignored. */
export function isHeavy(name: string): boolean {
  return HEAVY.has(name);
}

/** The last part of a `/`-separated path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** All parents of a `/`-separated relative path, nearest first, without ''. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) parents.push(path.slice(0, cut));
  return parents;
}
