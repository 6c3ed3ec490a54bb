import { timingSafeEqual } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  createProtocolConnection, ResponseError, SocketMessageReader, SocketMessageWriter, TextDocumentSyncKind, type CancellationToken, type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import * as v from 'valibot';
import { HUMAN_ERROR_CODE, type HelloReply, type Notifications, type Requests, type ScorerAsk, type ScorerDraft } from '../protocol.ts';
import { HumanError, machineError } from '../errors.ts';
import type { Session } from './session.ts';

const hello = v.looseObject({ token: v.string(), protocol: v.number(), build: v.string(), client: v.picklist(['editor', 'terminal']) });

export interface Service {
  readonly session: Session;
  readonly token: string;
  readonly reply: HelloReply;
  readonly newScorer: (ask: ScorerAsk) => Promise<ScorerDraft>;
  /** Called whenever a client came or went. */
  readonly onClients: (count: number) => void;
  /** Called when the engine should end. */
  readonly onRetire: () => void;
  readonly log: (line: string) => void;
}

interface Client {
  readonly wire: ProtocolConnection;
  readonly socket: Socket;
  /** Runs that this client asked to follow. */
  readonly watched: Set<string>;
  /** Runs that end with this connection: a foreground run is its terminal's. */
  readonly owned: Set<string>;
  /** Documents that it holds open, by absolute path. */
  readonly texts: Map<string, string>;
  /** Fires when the connection has closed. */
  readonly gone: AbortController;
  greeted: boolean;
  /** Of notifications that are not yet out, roughly. */
  unsentBytes: number;
}

/** A client that reads so slowly (a hung window, a terminal that was suspended) is spared what is only of the moment. */
const SLOW_BYTES = 256 * 1024;
/** One that stopped reading is let go: it can come back and watch again, and nothing is lost meanwhile. */
const MOST_BYTES = 8 * 1024 * 1024;

/** The engine's door: a language server for any number of clients at once. A connection that closes is one client less, no more. */
export class Door {
  readonly server: Server;
  private readonly service: Service;
  private readonly clients = new Set<Client>();
  /** Also of those that have not shaken hands. */
  private readonly sockets = new Set<Socket>();

  constructor(service: Service) {
    this.service = service;
    this.server = createServer((socket) => this.welcome(socket));
  }

  /** Tells a client that follows the run, or every client where it is about no one run. */
  tell<N extends keyof Notifications>(name: N, value: Notifications[N], run?: string): void {
    const bytes = JSON.stringify(value).length;
    for (const client of this.clients) {
      if (run !== undefined && !client.watched.has(run)) continue;
      if (name === 'ratchet/activity' && client.unsentBytes > SLOW_BYTES) continue;
      this.send(client, name, value, bytes);
    }
  }

  /** The wire sends one message after the other and keeps the rest in memory, so what waits there is counted. */
  private send(client: Client, name: string, value: object, bytes: number): void {
    client.unsentBytes += bytes;
    if (client.unsentBytes > MOST_BYTES) {
      this.service.log(`A client that reads nothing is let go: ${client.unsentBytes} bytes wait for it.`);
      client.socket.destroy();
      return;
    }
    client.wire.sendNotification(name, value).catch(() => undefined).finally(() => (client.unsentBytes -= bytes));
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroySoon();
  }

  private welcome(socket: Socket): void {
    const reader = new SocketMessageReader(socket);
    // A message that was half read would keep its timer going for ever.
    reader.partialMessageTimeout = 0;
    const writer = new SocketMessageWriter(socket);
    const wire = createProtocolConnection(reader, writer, {
      error: (line) => this.service.log(line), warn: (line) => this.service.log(line), info: () => undefined, log: () => undefined,
    });
    const client: Client = { wire, socket, watched: new Set(), owned: new Set(), texts: new Map(), gone: new AbortController(), greeted: false, unsentBytes: 0 };
    // What doesn't speak the protocol is dropped; the engine lives on.
    wire.onError(() => socket.destroy());
    socket.on('error', () => undefined);
    this.sockets.add(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      reader.dispose();
      writer.dispose();
      this.farewell(client);
    });
    this.shakeHands(client, socket);
    this.answer(client);
    this.follow(client);
    wire.listen();
  }

  private farewell(client: Client): void {
    const counted = this.clients.delete(client);
    client.gone.abort();
    for (const run of client.owned) this.service.session.stop(run).catch(() => undefined);
    client.wire.dispose();
    if (counted) this.service.onClients(this.clients.size);
  }

  private shakeHands(client: Client, socket: Socket): void {
    client.wire.onRequest('initialize', (params: { readonly initializationOptions?: unknown }) => {
      const options = v.safeParse(hello, params.initializationOptions);
      if (!options.success || !sameToken(options.output.token, this.service.token)) {
        // It may stay connected, but it is nobody: all that it asks is refused.
        throw new ResponseError(HUMAN_ERROR_CODE, 'This engine belongs to somebody else, or was started anew: the token is wrong.');
      }
      client.greeted = true;
      this.clients.add(client);
      this.service.onClients(this.clients.size);
      return {
        capabilities: {
          textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full },
          experimental: this.service.reply,
        },
        serverInfo: { name: 'ratchet', version: this.service.reply.build },
      };
    });
    client.wire.onRequest('shutdown', () => null);
    // A client's exit is its own: the engine goes on.
    client.wire.onNotification('exit', () => void socket.end());
  }

  private answer(client: Client): void {
    const { session } = this.service;
    const on = <M extends keyof Requests>(method: M, handler: (params: Requests[M]['params'], signal: AbortSignal) => Promise<Requests[M]['result']>): void => {
      client.wire.onRequest(method, async (params: unknown, token: CancellationToken) => {
        if (!client.greeted) throw new ResponseError(HUMAN_ERROR_CODE, 'Shake hands first.');
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        try {
          // Whoever holds the token is trusted to keep to the protocol's types.
          return await handler(params as Requests[M]['params'], abort.signal);
        } catch (error) {
          const human = error instanceof HumanError ? error : machineError(error as NodeJS.ErrnoException);
          if (human !== undefined) throw new ResponseError(HUMAN_ERROR_CODE, human.message, { reason: human.reason });
          this.service.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
          throw error;
        }
      });
    };
    on('ratchet/page', (ask) => session.page(ask));
    on('ratchet/try', (ask, signal) => session.tryOnce(ask, AbortSignal.any([signal, client.gone.signal])));
    on('ratchet/check', (ask, signal) => session.check(ask, AbortSignal.any([signal, client.gone.signal]), (progress) => this.send(client, 'ratchet/check', progress, JSON.stringify(progress).length)));
    on('ratchet/new-scorer', (ask) => this.service.newScorer(ask));
    on('ratchet/start', async ({ apiKey, detached, ...ask }) => {
      const run = await session.start(ask, apiKey);
      await this.own(client, run, detached);
      return { run };
    });
    on('ratchet/runs', () => session.runs());
    on('ratchet/watch', async ({ run }) => {
      // First watched, then read: an event may come twice, but none is missed.
      client.watched.add(run);
      const events = await session.events(run);
      this.tell('ratchet/activity', session.activity(run), run);
      return events;
    });
    on('ratchet/text', ({ blob }) => session.store.blob(blob));
    on('ratchet/stop', async ({ run }) => {
      await session.stop(run);
      return null;
    });
    on('ratchet/pause', ({ run }) => {
      session.pause(run);
      return Promise.resolve(null);
    });
    on('ratchet/resume', ({ run }) => {
      session.resume(run);
      return Promise.resolve(null);
    });
    on('ratchet/resume-page', (ask) => session.resumePage(ask));
    on('ratchet/resume-ended', async ({ apiKey, detached, ...ask }) => {
      const resumed = await session.resumeEnded(ask, apiKey);
      await this.own(client, resumed.run, detached);
      return resumed;
    });
    on('ratchet/accepted', async ({ run, attempt, text }) => {
      await session.accepted(run, attempt, text);
      return null;
    });
    on('ratchet/keep', ({ run, attempt }) => session.keep(run, attempt));
    on('ratchet/allow', async ({ target, ...answer }) => {
      await session.allow(target, answer);
      return null;
    });
    on('ratchet/retire', () => {
      const goes = session.isIdle;
      if (goes) this.service.onRetire();
      return Promise.resolve(goes);
    });
    on('ratchet/unsaved', ({ path }) => this.holdsUnsaved(path));
  }

  /** A foreground run is its terminal's. */
  private async own(client: Client, run: string, detached: boolean): Promise<void> {
    if (detached) return;
    client.owned.add(run);
    // Its terminal left while the run was being started.
    if (client.gone.signal.aborted) await this.service.session.stop(run);
  }

  private follow({ wire, texts }: Client): void {
    const opened = v.object({ textDocument: v.object({ uri: v.string(), text: v.string() }) });
    const changed = v.object({ textDocument: v.object({ uri: v.string() }), contentChanges: v.array(v.object({ text: v.string() })) });
    const closed = v.object({ textDocument: v.object({ uri: v.string() }) });
    wire.onNotification('textDocument/didOpen', (params: unknown) => {
      const { textDocument } = v.parse(opened, params);
      texts.set(pathOf(textDocument.uri), textDocument.text);
    });
    wire.onNotification('textDocument/didChange', (params: unknown) => {
      const { textDocument, contentChanges } = v.parse(changed, params);
      texts.set(pathOf(textDocument.uri), contentChanges.at(-1)?.text ?? '');
    });
    wire.onNotification('textDocument/didClose', (params: unknown) => {
      texts.delete(pathOf(v.parse(closed, params).textDocument.uri));
    });
  }

  private async holdsUnsaved(path: string): Promise<boolean> {
    const held = [...this.clients].map((client) => client.texts.get(path)).filter((text) => text !== undefined);
    if (held.length === 0) return false;
    const onDisk = withoutMark(await readFile(path, 'utf8').catch(() => ''));
    return held.some((text) => withoutMark(text) !== onDisk);
  }
}

function sameToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function pathOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  const path = fileURLToPath(uri);
  try {
    // A terminal asks by the real path.
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Editors hold a file's text without its byte-order mark. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
