import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What feeds the machine; undefined where that can't be read, or there is no battery. */
export type PowerSource = 'mains' | 'battery' | undefined;

/** Reads what feeds the machine. Never rejects. */
export type ReadPower = () => Promise<PowerSource>;

/** For this platform; on Windows it isn't read. */
export function powerReader(platform: NodeJS.Platform, sys = '/sys'): ReadPower {
  switch (platform) {
    case 'linux':
      return () => linuxPower(join(sys, 'class/power_supply'));
    case 'darwin':
      return () => new Promise((resolve) => execFile('pmset', ['-g', 'batt'], { timeout: PMSET_MS }, (error, said) => { resolve(error === null ? macPower(said) : undefined); }));
    default:
      return () => Promise.resolve(undefined);
  }
}

const PMSET_MS = 5000;

/** By what `pmset -g batt` prints. */
export function macPower(said: string): PowerSource {
  const source = /drawing from '(\w+)/.exec(said)?.[1];
  return source === 'AC' ? 'mains' : source === 'Battery' ? 'battery' : undefined;
}

/** A battery that is being emptied is what feeds the machine, unless a plug does too. Batteries of mice and the like feed no machine. */
async function linuxPower(folder: string): Promise<PowerSource> {
  const names = await readdir(folder).catch((): string[] => []);
  const supplies = await Promise.all(names.map(async (name) => {
    const [type, scope, online, status] = await Promise.all(['type', 'scope', 'online', 'status'].map((part) => readFile(join(folder, name, part), 'utf8').then((text) => text.trim(), () => '')));
    return { type, scope, online, status };
  }));
  const own = supplies.filter(({ scope }) => scope !== 'Device');
  const batteries = own.filter(({ type }) => type === 'Battery');
  if (own.some(({ type, online }) => type !== 'Battery' && online === '1')) return 'mains';
  if (batteries.some(({ status }) => status === 'Discharging')) return 'battery';
  return batteries.length > 0 ? 'mains' : undefined;
}
