import {
  createProtocolConnection, ErrorCodes, ResponseError, SocketMessageReader, SocketMessageWriter, type CancellationToken, type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { HumanError } from '../errors.ts';
import { PROTOCOL_VERSION, type Hello, type HelloReply, type Notifications, type Requests } from '../protocol.ts';
import type { Connection } from './connect.ts';

/** A typed connection to an engine, for clients that aren't a language client. */
export interface EngineClient {
  readonly engine: HelloReply;
  /** `token`: asks the engine to break off; it still answers. */
  request<M extends keyof Requests>(method: M, params: Requests[M]['params'], token?: CancellationToken): Promise<Requests[M]['result']>;
  /** A notification of the language-server protocol, such as `textDocument/didOpen`. */
  notify(method: string, params: object): void;
  /** Until it is disposed of. A terminal has one handler for each name. */
  on<N extends keyof Notifications>(name: N, handler: (value: Notifications[N]) => void): { dispose(): void };
  /** Resolves when the connection is gone, whoever closed it. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Shakes hands over an open socket. Rejects where the engine refuses. */
export async function openClient(connection: Connection, build: string, client: Hello['client']): Promise<EngineClient> {
  const { socket } = connection;
  const reader = new SocketMessageReader(socket);
  // Its timer for a message that was begun starts anew for ever: after a close it would keep this process from ending.
  reader.partialMessageTimeout = 0;
  const wire = createProtocolConnection(reader, new SocketMessageWriter(socket));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  wire.listen();
  const hello: Hello = { token: connection.token, protocol: PROTOCOL_VERSION, build, client };
  const speaks = typed(wire, closed, () => socket.destroy());
  try {
    const answer = await speaks.ask('initialize', { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: hello });
    const { capabilities } = answer as { readonly capabilities: { readonly experimental: HelloReply } };
    speaks.notify('initialized', {});
    return { request: speaks.ask, notify: speaks.notify, on: speaks.on, engine: capabilities.experimental, closed, close: () => socket.destroy() };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

interface Typed extends Pick<EngineClient, 'notify' | 'on'> {
  readonly ask: <R>(method: string, params: object, token?: CancellationToken) => Promise<R>;
}

function typed(wire: ProtocolConnection, closed: Promise<void>, hangUp: () => void): Typed {
  // A connection that closes leaves its requests without an answer: they must not wait for one.
  const gone = closed.then(() => Promise.reject(new HumanError('busy', 'The engine ended. Try again: a new one starts by itself.')));
  gone.catch(() => undefined);
  return {
    // A token that is undefined would be sent as a second parameter.
    ask: async (method, params, token) => {
      try {
        return await Promise.race([token === undefined ? wire.sendRequest<never>(method, params) : wire.sendRequest<never>(method, params, token), gone]);
      } catch (error) {
        if (!(error instanceof ResponseError) || error.code !== ErrorCodes.MessageWriteError) throw error;
        // It could not be sent: the other end is closing.
        hangUp();
        return gone;
      }
    },
    // An engine that ends at that moment needs no more news; who waits for it learns of its end by `closed`.
    notify: (method, params) => void wire.sendNotification(method, params).catch(() => undefined),
    on: (name, handler) => wire.onNotification(name, handler),
  };
}
