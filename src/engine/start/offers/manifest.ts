import { join } from 'node:path';
import type { Files } from './files.ts';

/** What a package.json says that matters here. */
export interface Manifest {
  /** Absolute folder. */
  readonly folder: string;
  readonly scripts: ReadonlyMap<string, string>;
  /** Names of all packages that it depends on. */
  readonly dependencies: ReadonlySet<string>;
  /** Its own keys: "jest" and "mocha" hold settings. */
  readonly keys: ReadonlySet<string>;
}

/** The package.json of a folder; undefined where there is none, or it is no JSON object. */
export async function readManifest(files: Files, folder: string): Promise<Manifest | undefined> {
  const text = await files.read(join(folder, 'package.json'));
  const json = text === undefined ? {} : objectIn(text);
  if (text === undefined || json === undefined) return undefined;
  const scripts = Object.entries(objectOf(json['scripts'])).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) => Object.keys(objectOf(json[key])));
  return { folder, scripts: new Map(scripts), dependencies: new Set(dependencies), keys: new Set(Object.keys(json)) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
}
