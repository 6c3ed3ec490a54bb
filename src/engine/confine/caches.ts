import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isWithin } from '../../wire/root.ts';
import { isSystem } from './system.ts';

/** Caches and data of tools below a home folder, without the places where they keep tokens. */
const IN_HOME = [
  '.cache/autoresearch', '.cache/nanochat', '.cache/huggingface/hub', '.cache/huggingface/datasets', '.cache/torch', '.cache/uv', '.cache/deno', '.cache/go-build',
  '.cache/ms-playwright', '.cache/Cypress', '.cache/puppeteer', '.cache/whisper', '.cache/clip', '.cache/kagglehub', '.triton/cache', '.keras/datasets',
  'nltk_data', 'scikit_learn_data', '.cargo/registry', '.cargo/git', '.m2/repository', '.gradle/caches', '.nuget/packages',
];

/** Variables that name such a folder, and the parts of it that are shown. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  HF_HOME: ['hub', 'datasets'], HF_HUB_CACHE: [''], HF_DATASETS_CACHE: [''], TORCH_HOME: [''], UV_CACHE_DIR: [''], TRITON_CACHE_DIR: [''], TORCHINDUCTOR_CACHE_DIR: [''],
  NLTK_DATA: [''], PLAYWRIGHT_BROWSERS_PATH: [''], GOMODCACHE: [''], GOCACHE: [''], DENO_DIR: [''],
};

/**
 * Folders of tools outside of the workspace that a confined scorer sees as they are, and of which it writes its own
 * private version: without them a model or a package would have to come over the network again.
 */
export function toolCaches(env: Readonly<Record<string, string | undefined>>, home: string | undefined, top: string): readonly string[] {
  const named = Object.entries(NAMED).flatMap(([name, parts]) => {
    const folder = env[name];
    return folder === undefined || !isAbsolute(folder) ? [] : parts.map((part) => join(folder, part));
  });
  const all = [...named, ...(home === undefined ? [] : IN_HOME.map((path) => join(home, path)))];
  const apart = [...new Set(all)].filter((folder) => existsSync(folder) && !isSystem(folder) && !isWithin(top, folder) && !isWithin(folder, top) && !(home !== undefined && isWithin(folder, home)));
  return apart.filter((folder) => !apart.some((other) => other !== folder && isWithin(other, folder)));
}

/** Whether a path lies in one of those below a home folder. */
export function isCacheOf(path: string, home: string | undefined): boolean {
  return home !== undefined && IN_HOME.some((name) => isWithin(join(home, name), path));
}
