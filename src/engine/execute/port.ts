import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, and above those of well-known services. */
const FIRST_PORT = 20_000;
const PORTS_PER_SLOT = 300;
const MOST_SLOTS = 40;

/**
 * A port on which nobody listens now. No two slots share one: each has a range of its own, and begins in it where
 * `start` says, so that two engines of one machine seldom look at the same port, and a slot gets the same one each time
 * while nobody takes it. Undefined where all are taken.
 */
export async function freePort(slot: number, start = process.pid): Promise<number | undefined> {
  const first = FIRST_PORT + (slot % MOST_SLOTS) * PORTS_PER_SLOT;
  for (let step = 0; step < PORTS_PER_SLOT; step += 1) {
    const port = first + (start + step) % PORTS_PER_SLOT;
    // What listens on the loopback alone doesn't hinder who asks for all addresses, and the other way round.
    // Windows would ask the person about who asks for all addresses.
    if ((process.platform === 'win32' || await isFree(port, undefined)) && (await isFree(port, '127.0.0.1'))) return port;
  }
  return undefined;
}

function isFree(port: number, host: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => { resolve(false); });
    server.listen({ port, ...(host === undefined ? {} : { host }), exclusive: true }, () => { server.close(() => { resolve(true); }); });
  });
}
