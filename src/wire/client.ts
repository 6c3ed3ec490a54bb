import {
  createProtocolConnection, SocketMessageReader, SocketMessageWriter, type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { PROTOCOL_VERSION, type Hello, type HelloReply, type Notifications, type Requests } from '../protocol.ts';
import type { Connection } from './connect.ts';

/** A typed connection to an engine, for clients that aren't a language client. */
export interface EngineClient {
  readonly engine: HelloReply;
  request<M extends keyof Requests>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']>;
  on<N extends keyof Notifications>(name: N, handler: (value: Notifications[N]) => void): void;
  /** Resolves when the connection is gone, whoever closed it. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Shakes hands over an open socket. Rejects where the engine refuses. */
export async function openClient(connection: Connection, build: string, client: Hello['client']): Promise<EngineClient> {
  const { socket } = connection;
  const wire = createProtocolConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  wire.listen();
  const hello: Hello = { token: connection.token, protocol: PROTOCOL_VERSION, build, client };
  const answer = await wire.sendRequest<{ readonly capabilities: { readonly experimental: HelloReply } }>('initialize', {
    processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: hello,
  });
  await wire.sendNotification('initialized', {});
  return { ...typed(wire), engine: answer.capabilities.experimental, closed, close: () => socket.destroy() };
}

function typed(wire: ProtocolConnection): Pick<EngineClient, 'request' | 'on'> {
  return {
    request: (method, params) => wire.sendRequest(method, params),
    on: (name, handler) => void wire.onNotification(name, handler),
  };
}
