import { basename } from 'node:path';
import { readCommands } from '../command-line.ts';
import type { Surroundings } from '../surroundings.ts';

/** The first file from the target up whose name matches. */
export async function configFile(around: Surroundings, name: RegExp): Promise<string | undefined> {
  for (const folder of around.upward) {
    const file = (await around.files.list(folder)).files.find((each) => name.test(each));
    if (file !== undefined) return basename(file);
  }
  return undefined;
}

export async function hasFile(around: Surroundings, folder: string, name: RegExp): Promise<boolean> {
  return (await around.files.list(folder)).files.some((each) => name.test(each));
}

/** What a package.json says about a runner: its settings, a dependency, a script that starts it. */
export function inManifests(around: Surroundings, runner: string): string | undefined {
  for (const { keys, dependencies } of around.manifests) {
    if (keys.has(runner)) return `package.json configures ${runner}`;
    if (dependencies.has(runner)) return `package.json lists ${runner}`;
  }
  return scriptWith(around, runner, (program) => program === runner);
}

/** The script that starts a program. */
export function scriptWith(around: Surroundings, runner: string, starts: (program: string, args: readonly string[]) => boolean): string | undefined {
  for (const { scripts } of around.manifests)
    for (const [name, line] of scripts)
      if (readCommands(line)?.some(({ program, args }) => starts(program, args))) return `package.json's script \`${name}\` runs ${runner}`;
  return undefined;
}
