import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Order } from './cell-worker.ts';
import type { Cell } from './cells.ts';

/** Plays all cells, each core one at a time; in the order of `orders`. */
export async function play(orders: readonly Order[]): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  const left = [...orders.entries()];
  await Promise.all(Array.from({ length: Math.min(orders.length, availableParallelism()) }, async () => {
    const worker = new Worker(new URL('./cell-worker.ts', import.meta.url));
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, order] = next;
      worker.postMessage(order);
      const [cell] = (await once(worker, 'message')) as [Cell];
      cells[index] = cell;
    }
    await worker.terminate();
  }));
  return cells;
}
