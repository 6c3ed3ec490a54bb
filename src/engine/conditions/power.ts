import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What feeds the machine; undefined where that can't be read, or there is no battery. */
export type PowerSource = 'mains' | 'battery' | undefined;

/** What makes a machine slow for a while, as far as its system tells. */
export interface Power {
  readonly source?: PowerSource;
  /** How often its processors were slowed down for their heat, since its start. */
  readonly throttles?: number;
}

/** Reads it. Never rejects. */
export type ReadPower = () => Promise<Power>;

/** For this platform: heat on Linux with Intel's processors alone, and on Windows nothing. */
export function powerReader(platform: NodeJS.Platform, sys = '/sys'): ReadPower {
  switch (platform) {
    case 'linux':
      return async () => {
        const [source, throttles] = await Promise.all([linuxPower(join(sys, 'class/power_supply')), linuxThrottles(join(sys, 'devices/system/cpu'))]);
        return { source, ...(throttles === undefined ? {} : { throttles }) };
      };
    case 'darwin':
      return () => new Promise((resolve) => execFile('pmset', ['-g', 'batt'], { timeout: PMSET_MS }, (error, said) => { resolve(error === null ? { source: macPower(said) } : {}); }));
    default:
      return () => Promise.resolve({});
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

async function linuxThrottles(folder: string): Promise<number | undefined> {
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => /^cpu\d+$/.test(name));
  const counts = await Promise.all(names.flatMap((name) => ['core', 'package'].map((part) => readFile(join(folder, name, 'thermal_throttle', `${part}_throttle_count`), 'utf8').then(Number, () => NaN))));
  const told = counts.filter((count) => Number.isFinite(count));
  return told.length === 0 ? undefined : told.reduce((sum: number, count) => sum + count, 0);
}
