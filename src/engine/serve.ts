import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  createMessageConnection, ErrorCodes, ResponseError, SocketMessageWriter, TextDocumentSyncKind, type CancellationToken, type MessageConnection,
} from 'vscode-languageserver-protocol/node';
import * as v from 'valibot';
import { HUMAN_ERROR_CODE, METHOD_NOT_FOUND, type HelloReply, type Notifications, type Requests, type ScorerAsk, type ScorerDraft } from '../protocol.ts';
import { HumanError, machineError } from '../errors.ts';
import { readHello, readParams } from './door/params.ts';
import { BoundedReader } from './door/reader.ts';
import { refusalLog } from './door/refusals.ts';
import { sameToken } from './door/token.ts';
import type { Session } from './session.ts';

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
  /** How long a connection may take to shake hands; ten seconds by default. */
  readonly handshakeMs?: number;
}

interface Client {
  readonly wire: MessageConnection;
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
  /** Writes down what it was refused. */
  readonly refused: (why: string) => void;
  /** Of notifications that are not yet out, roughly. */
  unsentBytes: number;
}

/** A client that reads so slowly (a hung window, a terminal that was suspended) is spared what is only of the moment. */
const SLOW_BYTES = 256 * 1024;
/** One that stopped reading is let go: it can come back and watch again, and nothing is lost meanwhile. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A text of the largest target, as JSON at its worst, and an environment. */
const MOST_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Of one that has not shaken hands: what an editor says of itself. */
const MOST_HELLO_BYTES = 256 * 1024;
/** So many connections may be about to shake hands; one more, and the oldest of them goes. */
const MOST_STRANGERS = 256;
const HANDSHAKE_MS = 10_000;

/** The engine's door: a language server for any number of clients at once. A connection that closes is one client less, no more. */
export class Door {
  readonly server: Server;
  private readonly service: Service;
  private readonly clients = new Set<Client>();
  /** Also of those that have not shaken hands. */
  private readonly sockets = new Set<Socket>();
  /** Those alone, the oldest first. */
  private readonly strangers = new Set<Socket>();

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
    const refused = refusalLog(this.service.log);
    const reader = new BoundedReader(socket, () => (client.greeted ? MOST_MESSAGE_BYTES : MOST_HELLO_BYTES));
    const writer = new SocketMessageWriter(socket);
    const wire = createMessageConnection(reader, writer, { error: refused, warn: refused, info: () => undefined, log: () => undefined });
    const client: Client = { wire, socket, watched: new Set(), owned: new Set(), texts: new Map(), gone: new AbortController(), greeted: false, refused, unsentBytes: 0 };
    // What doesn't speak the protocol is dropped; the engine lives on.
    wire.onError(([error]) => {
      if (!socket.destroyed) refused(`A connection was ended. It sent ${error.message}.`);
      socket.destroy();
    });
    socket.on('error', () => undefined);
    this.sockets.add(socket);
    this.awaitHello(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.strangers.delete(socket);
      reader.dispose();
      writer.dispose();
      this.farewell(client);
    });
    this.shakeHands(client, socket);
    this.answer(client);
    this.follow(client);
    wire.listen();
  }

  /** Whoever says nothing takes the place of nobody else, and not for long. */
  private awaitHello(socket: Socket): void {
    const late = setTimeout(() => {
      if (this.strangers.has(socket)) socket.destroy();
    }, this.service.handshakeMs ?? HANDSHAKE_MS);
    socket.once('close', () => clearTimeout(late));
    this.strangers.add(socket);
    const [oldest] = this.strangers;
    if (this.strangers.size > MOST_STRANGERS) oldest?.destroy();
  }

  private farewell(client: Client): void {
    const counted = this.clients.delete(client);
    client.gone.abort();
    for (const run of client.owned) this.service.session.stop(run).catch(() => undefined);
    client.wire.dispose();
    if (counted) this.service.onClients(this.clients.size);
  }

  private shakeHands(client: Client, socket: Socket): void {
    client.wire.onRequest('initialize', (given: unknown) => {
      const hello = readHello(given);
      if (!hello.ok || !sameToken(hello.params.token, this.service.token)) {
        // It may stay connected for a moment, but it is nobody: all that it asks is refused.
        client.refused(hello.ok ? 'A client with a wrong token was refused.' : `A client was refused: ${hello.why}.`);
        throw new ResponseError(HUMAN_ERROR_CODE, 'This engine belongs to somebody else, or was started anew: the token is wrong.');
      }
      this.strangers.delete(socket);
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
      client.wire.onRequest(method, async (given: unknown, token: CancellationToken) => {
        if (!client.greeted) throw new ResponseError(HUMAN_ERROR_CODE, 'Shake hands first.');
        const read = readParams(method, given);
        if (!read.ok) {
          client.refused(`${method} was refused: ${read.why}.`);
          throw new ResponseError(ErrorCodes.InvalidParams, `The engine can't use what it was asked: ${read.why}.`);
        }
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        try {
          return await handler(read.params, abort.signal);
        } catch (error) {
          const human = error instanceof HumanError ? error : machineError(error as NodeJS.ErrnoException);
          if (human !== undefined) throw new ResponseError(HUMAN_ERROR_CODE, human.message, { reason: human.reason });
          this.service.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
          throw error;
        }
      });
    };
    client.wire.onRequest((method) => {
      client.refused(`${method} was refused: this engine knows no such request.`);
      throw new ResponseError(METHOD_NOT_FOUND, 'This engine knows no such request.');
    });
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

  private follow(client: Client): void {
    const { texts } = client;
    const on = <T>(method: string, schema: v.GenericSchema<unknown, T>, handler: (params: T) => void): void => {
      client.wire.onNotification(method, (given: unknown) => {
        const read = v.safeParse(schema, given);
        if (read.success && client.greeted) handler(read.output);
        else client.refused(`${method} was refused.`);
      });
    };
    const textDocument = v.object({ uri: v.string() });
    on('textDocument/didOpen', v.object({ textDocument: v.object({ uri: v.string(), text: v.string() }) }), ({ textDocument: { uri, text } }) => void texts.set(pathOf(uri), text));
    on('textDocument/didChange', v.object({ textDocument, contentChanges: v.array(v.object({ text: v.string() })) }), (params) => {
      texts.set(pathOf(params.textDocument.uri), params.contentChanges.at(-1)?.text ?? '');
    });
    client.wire.onNotification((method) => {
      // The protocol lets whoever doesn't know one of these pass it over.
      if (method !== 'initialized' && !method.startsWith('$/')) client.refused(`${method} was refused: this engine knows no such notification.`);
    });
    on('textDocument/didClose', v.object({ textDocument }), (params) => void texts.delete(pathOf(params.textDocument.uri)));
  }

  private async holdsUnsaved(path: string): Promise<boolean> {
    const held = [...this.clients].map((client) => client.texts.get(path)).filter((text) => text !== undefined);
    if (held.length === 0) return false;
    const onDisk = withoutMark(await readFile(path, 'utf8').catch(() => ''));
    return held.some((text) => withoutMark(text) !== onDisk);
  }
}

function pathOf(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  let path = uri;
  try {
    path = fileURLToPath(uri);
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
