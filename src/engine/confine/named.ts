import { existsSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { ScorerSpec } from '../../records.ts';
import { isWithin } from '../../wire/root.ts';
import { onPath } from '../tools.ts';
import { isInstalled, type ToolPlaces } from './toolchains.ts';

/** A command, and the folder that it is run in (absolute). */
export interface PlacedSpec {
  readonly spec: ScorerSpec;
  readonly cwd: string;
}

/** What a command leads to. Paths absolute, and there. */
export interface Named {
  /** What its own words name. A person confirmed those. */
  readonly paths: readonly string[];
  /** Programs of environments and toolchains that the scripts it runs name: of these nothing else is opened, for they come with the project. */
  readonly programs: readonly string[];
}

/** Of a script, as much as names its programs. */
const SCRIPT_BYTES = 8192;
const MOST_SCRIPTS = 20;
/** A script may be run by a script. */
const MOST_DEPTH = 3;
/** What these run stands in files that their words don't name. */
const RECIPES: Readonly<Record<string, readonly string[]>> = { make: ['Makefile', 'makefile', 'GNUmakefile'], just: ['justfile'] };

/** Finds what a command names: by absolute paths, by paths from home or its folder, and in the scripts that it runs. */
export async function namedIn({ spec, cwd }: PlacedSpec, places: ToolPlaces): Promise<Named> {
  const { text, words } = wordsOf(spec, places.home ?? places.env['HOME']);
  const scripts = packageScripts(text, cwd, places.top);
  const own = foundIn(words, cwd);
  const scriptWords = scripts.flatMap((script) => wordsIn(script, places.home ?? places.env['HOME']));
  const bare = [...words, ...scriptWords].filter((word) => /^[\w.+-]+$/.test(word));
  const onItsPath = (await Promise.all(bare.map((word) => onPath(word, places.env, process.platform)))).filter((path) => path !== undefined);
  const recipes = bare.flatMap((word) => RECIPES[word] ?? []);
  const led = [...own, ...foundIn([...scriptWords, ...recipes], cwd)];
  const programs = [...led, ...await inScripts(led, cwd, places)].filter((path) => isInstalled(path, places.home));
  return { paths: [...own.filter((path) => !isWithin(places.top, path)), ...onItsPath].filter((path) => !isWithin(path, places.top)), programs: [...new Set(programs)] };
}

/** The programs that scripts name, and scripts that these run. */
async function inScripts(paths: readonly string[], cwd: string, { home, env }: ToolPlaces): Promise<readonly string[]> {
  const read = new Set<string>();
  const found: string[] = [];
  let next = paths;
  for (let depth = 0; depth < MOST_DEPTH; depth++) {
    const now = next.filter((path) => !read.has(path) && !isInstalled(path, home)).slice(0, MOST_SCRIPTS);
    const named: string[] = [];
    for (const path of now) {
      read.add(path);
      named.push(...foundIn(wordsIn(await scriptAt(path), home ?? env['HOME']), cwd));
    }
    found.push(...named);
    next = named;
  }
  return found;
}

/** The beginning of a script; empty where it is none. */
async function scriptAt(path: string): Promise<string> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return '';
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SCRIPT_BYTES), 0, SCRIPT_BYTES, 0);
      const bytes = buffer.subarray(0, bytesRead);
      return bytes.includes(0) ? '' : bytes.toString('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}

/** What `npm test` and `npm run X` run, with what goes before and after. */
function packageScripts(command: string, cwd: string, top: string): readonly string[] {
  const names = [...command.matchAll(/\b(?:npm|pnpm|yarn|bun)\s+(?:(?:run(?:-script)?|-\S+)\s+)*([\w:.-]+)/g)].map(([, name = '']) => (name === 't' ? 'test' : name));
  if (names.length === 0) return [];
  try {
    const { scripts = {} } = JSON.parse(readFileSync(join(nearestPackage(cwd, top), 'package.json'), 'utf8')) as { readonly scripts?: Readonly<Record<string, unknown>> };
    return names.flatMap((name) => [`pre${name}`, name, `post${name}`].map((each) => scripts[each]).filter((script) => typeof script === 'string'));
  } catch {
    return [];
  }
}

function nearestPackage(cwd: string, top: string): string {
  for (let folder = cwd; isWithin(top, folder); folder = dirname(folder)) if (existsSync(join(folder, 'package.json'))) return folder;
  return cwd;
}

function wordsOf(spec: ScorerSpec, home: string | undefined): { readonly text: string; readonly words: readonly string[] } {
  switch (spec.kind) {
    case 'shell':
      return { text: spec.command, words: wordsIn(spec.command, home) };
    case 'argv':
      return { text: spec.argv.join(' '), words: [...spec.argv, ...spec.argv.flatMap((word) => wordsIn(word, home))] };
    case 'self':
      return { text: '', words: spec.python };
    case 'module':
      return { text: '', words: [spec.file] };
  }
}

/** The words of a shell's text, as far as they can be paths. */
function wordsIn(text: string, home: string | undefined): readonly string[] {
  const expanded = home === undefined ? text : text.replaceAll(/\$(?:HOME\b|\{HOME\})/g, home).replaceAll(/(^|[\s"'=:;&|()<>`])~(?=\/)/g, (_, before: string) => `${before}${home}`);
  return [...new Set(expanded.split(/[\s"'=;&|()<>`,[\]{}]+|#!/))].filter((word) => word !== '' && !word.startsWith('-'));
}

/** Those words that are paths of something: from the command's folder, and from those that it goes to. */
function foundIn(words: readonly string[], cwd: string): readonly string[] {
  const goesTo = words.flatMap((word, index) => (words[index - 1] === 'cd' ? [resolve(cwd, word)] : []));
  const paths = words.flatMap((word) => (isAbsolute(word) ? [resolve(word)] : [cwd, ...goesTo].map((folder) => resolve(folder, word))));
  return [...new Set(paths)].filter((path) => existsSync(path));
}
