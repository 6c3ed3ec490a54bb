import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { createProtocolConnection, ResponseError, SocketMessageReader, SocketMessageWriter } from 'vscode-languageserver-protocol/node';
import type { HumanReason } from '../../src/errors.ts';
import { HUMAN_ERROR_CODE, PROTOCOL_VERSION, type Ask, type Notifications, type Requests, type StartPage } from '../../src/protocol.ts';
import type { LedgerEvent, NewEvent } from '../../src/records.ts';
import { SAMPLE_PLAN } from '../loop/sample-plan.ts';
import type { Lab } from './lab.ts';

type Answers = { readonly [M in keyof Requests]?: (params: Requests[M]['params'], tell: Tell) => Requests[M]['result'] | Promise<Requests[M]['result']> };
type Tell = <N extends keyof Notifications>(name: N, value: Notifications[N]) => Promise<void>;

/**
 * An engine's end of the wire that answers as a test says: for what a real one does only when a disk or a machine
 * fails, or once in a thousand times. `lastWords` follow every event, as they are.
 */
export async function standIn(lab: Lab, answers: Answers, lastWords = ''): Promise<() => void> {
  const runtime = await lab.runtime();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const wire = createProtocolConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
    const tell: Tell = async (name, value) => {
      await wire.sendNotification(name as string, value);
      if (name === 'ratchet/event') socket.write(lastWords);
    };
    wire.onRequest('initialize', () => ({ capabilities: { experimental: { protocol: PROTOCOL_VERSION, build: 'stand-in', root: lab.folder, pid: process.pid } } }));
    const all: Answers = { 'ratchet/retire': () => false, 'ratchet/unsaved': () => false, ...answers };
    for (const [name, answer] of Object.entries(all)) wire.onRequest(name, (params: unknown) => (answer as (params: unknown, tell: Tell) => unknown)(params, tell));
    socket.on('error', () => undefined);
    wire.listen();
  });
  await writeFile(runtime.token, 'token', { mode: 0o600 });
  server.listen(runtime.socket);
  await once(server, 'listening');
  return () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
}

export function refusal(message: string, reason: HumanReason = 'disk-full'): ResponseError<object> {
  return new ResponseError(HUMAN_ERROR_CODE, message, { reason });
}

/** A page with nothing missing. */
export function pageOf(lab: Lab): (ask: Ask) => StartPage {
  return () => ({ plan: SAMPLE_PLAN, problems: [], root: lab.folder, command: 'x', folder: lab.folder, source: 'flag', offers: [], program: '', scratch: 'none', confinement: 'none' });
}

export function numbered(run: string, events: readonly NewEvent[]): readonly LedgerEvent[] {
  return events.map((event, seq) => ({ v: 1, run, seq, at: '2026-01-01T00:00:00.000Z', ...event }));
}
