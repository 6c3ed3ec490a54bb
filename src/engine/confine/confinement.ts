import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readAllowed, type Allowed } from '../../loop/allow.ts';
import type { StartPage } from '../../protocol.ts';
import type { RunPlan } from '../../records.ts';
import { isWithin } from '../../wire/root.ts';
import type { ScorerTools } from '../scorer.ts';
import type { Confined } from './bubblewrap.ts';
import { toolCaches } from './caches.ts';
import { editablePlaces } from './editable.ts';
import { environmentOf } from './environment-of.ts';
import type { Mount } from './mount.ts';
import { namedIn, type PlacedSpec } from './named.ts';
import type { ConfinementProbe } from './probe.ts';
import { mayBeShown } from './reserved.ts';
import { isSystem, systemMounts } from './system.ts';
import { activeEnvironments, installedWith, toolchains, userBase, type ToolPlaces } from './toolchains.ts';

/** How a run's commands are confined. */
export interface Confinement {
  readonly confined: Confined;
  /** Folders outside of the workspace that are seen as they are, and of which the slot keeps what is written. */
  readonly privately: readonly string[];
  /** The same of tools' caches. */
  readonly caches: readonly string[];
  /** Names of variables that pass besides those that are no secret for anybody. */
  readonly passes: readonly string[];
  /** One sentence on what holds. */
  readonly how: string;
  /** The same with these words of `allow` more. */
  readonly allowing: (words: readonly string[]) => Promise<Confinement>;
}

/** What the confinement of one run is made from. Paths absolute. */
export interface ConfinementFacts {
  readonly plan: Pick<RunPlan, 'sandbox' | 'allow' | 'scorer' | 'cwd' | 'gates' | 'stages' | 'holdout'>;
  readonly probe: ConfinementProbe;
  /** Real path of what the slot shows. */
  readonly top: string;
  /** Of the project: what the plan's folders are relative to. */
  readonly root: string;
  readonly tools: ScorerTools;
  readonly env: Readonly<Record<string, string>>;
}

type Confining = Extract<ConfinementProbe, { kind: 'bubblewrap' }>;

/** Variables that say how the network is reached. */
const FOR_NETWORK = [
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]),
  'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'PIP_INDEX_URL', 'PIP_CERT', 'npm_config_registry',
];

/** Undefined where the commands run with the person's rights: they said so, or nothing can start here. */
export async function confinementOf(facts: ConfinementFacts): Promise<Confinement | undefined> {
  const { plan, probe } = facts;
  return plan.sandbox === 'off' || probe.kind === 'none' ? undefined : confine(facts, probe, plan.allow ?? []);
}

async function confine(facts: ConfinementFacts, probe: Confining, allow: readonly string[]): Promise<Confinement> {
  const { top, tools, env } = facts;
  const home = homeOf(env, top);
  const allowed = readAllowed(allow);
  const places = { env, home, top };
  const isElsewhere = (path: string): boolean => !isSystem(path) && !isWithin(top, path);
  const given = allowed.read.map((path) => fromHome(path, env));
  const named = await Promise.all(specsOf(facts).map((placed) => namedIn(placed, places)));
  const paths = named.flatMap((each) => each.paths).filter((path) => isElsewhere(path) && mayBeShown(path, home));
  const programs = [tools.node, tools.python, ...paths, ...named.flatMap((each) => each.programs), ...given.filter((path) => installedWith(path, places) !== undefined)];
  // Who names a program of an environment means all of it.
  const environments = [...new Set([...activeEnvironments(env), dirname(dirname(tools.python)), ...programs.map(environmentOf), userBase(places)])].filter((path): path is string => path !== undefined && isAbsolute(path));
  const editable = environments.filter(isElsewhere).flatMap(editablePlaces).filter((path) => isElsewhere(path) && mayBeShown(path, home));
  const shown = [...editable, ...await toolchains(programs, places), ...paths.flatMap((path) => withItsFolder(path, places)), ...given.flatMap((path) => [path, installedWith(path, places) ?? path])];
  const mounts = [...systemMounts(allowed.gpu), ...outermost(shown.filter((path) => existsSync(path)).flatMap((path) => [realpathSync(path), path])).filter((path) => !isSystem(path)).map((path): Mount => ({ kind: 'read', path }))];
  const privately = allowed.write.map((path) => fromHome(path, env)).filter((path) => existsSync(path) && !isWithin(top, path));
  return {
    confined: { bubblewrap: probe.bubblewrap, mounts, net: allowed.net, ipc: allowed.gpu, ...(home === undefined ? {} : { home }) },
    privately,
    caches: toolCaches(env, home, top).filter((folder) => !privately.some((path) => isWithin(path, folder) || isWithin(folder, path))),
    passes: [...allowed.env, ...(allowed.net ? FOR_NETWORK : [])],
    how: probe.how,
    allowing: (words) => confine(facts, probe, [...new Set([...allow, ...words])]),
  };
}

/** What the start page says of it: one sentence, in short before its first colon, and what is given beyond. */
export function confinementOnPage(
  { sandbox, allow = [] }: { readonly sandbox?: RunPlan['sandbox'] | undefined; readonly allow?: readonly string[] | undefined }, probe: ConfinementProbe, { top, env }: Pick<ConfinementFacts, 'top' | 'env'>,
): Pick<StartPage, 'confinement' | 'allowed'> {
  const home = isWithin(top, resolve(env['HOME'] ?? homedir())) ? HOME_SHOWN : '';
  if (sandbox === 'off') return { confinement: `${OFF}${home}` };
  return { confinement: `${probe.how}${home}`, ...(probe.kind === 'none' || allow.length === 0 ? {} : { allowed: allow }) };
}

const OFF = 'none, as you said: the scorer runs with your rights';
/** Said before the view is made, which is silent. */
const HOME_SHOWN = '. But the project is your home folder, or holds it: all of it is shown, and a private view of it can take minutes to make. Keep the file in a folder of its own, and run git init there';

/** The folders that `allow` names and that aren't there, as the person named them. */
export function missingAllowed(allowed: Pick<Allowed, 'read' | 'write'>, env: Readonly<Record<string, string>>): string | undefined {
  return [...allowed.read, ...allowed.write].find((path) => !existsSync(fromHome(path, env)));
}

/** A home folder that can be replaced: not one that the workspace holds, or is. */
function homeOf(env: Readonly<Record<string, string>>, top: string): string | undefined {
  const home = resolve(env['HOME'] ?? homedir());
  return isAbsolute(home) && home !== '/' && !isSystem(home) && !isWithin(top, home) ? home : undefined;
}

function fromHome(path: string, env: Readonly<Record<string, string>>): string {
  return path.startsWith('~/') ? join(env['HOME'] ?? homedir(), path.slice(2)) : resolve(path);
}

function specsOf({ plan: { scorer, cwd, gates = [], stages = [], holdout }, root }: ConfinementFacts): readonly PlacedSpec[] {
  return [{ spec: scorer, cwd }, ...gates, ...stages, ...(holdout === undefined ? [] : [holdout])].map(({ spec, cwd: folder }) => ({ spec, cwd: join(root, folder) }));
}

/** A script's neighbours are its own, for it loads them; those of the project itself are other projects. */
function withItsFolder(path: string, { home, top }: Pick<ToolPlaces, 'home' | 'top'>): readonly string[] {
  const folder = dirname(path);
  return statSync(path).isFile() && mayBeShown(folder, home) && !isWithin(folder, top) ? [folder] : [path];
}

/** Without what lies in another of them. */
function outermost(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => !paths.some((other) => other !== path && isWithin(other, path)));
}
