// Plays the cells it is sent, one after the other.
import { parentPort } from 'node:worker_threads';
import { cellOf, type Cell } from './cells.ts';
import { PLAYERS } from './rules.ts';
import { noiseNamed } from './table.ts';

export interface Order {
  readonly player: string;
  readonly noise: string;
  readonly runs: number;
  readonly seed: number;
}

parentPort?.on('message', ({ player, noise, runs, seed }: Order) => {
  const rule = PLAYERS[player];
  if (rule === undefined) throw new Error(`nobody plays as ${player}`);
  parentPort?.postMessage(cellOf(rule, noiseNamed(noise), runs, seed) satisfies Cell);
});
