import { l10n, type LogOutputChannel } from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';
import {
  DidChangeTextDocumentNotification, DidCloseTextDocumentNotification, DidOpenTextDocumentNotification, TextDocumentSyncKind, type CancellationToken,
} from 'vscode-languageserver-protocol/node';
import { PROTOCOL_VERSION, type Hello, type HelloReply, type Notifications, type Requests } from '../../protocol.ts';
import type { EngineClient } from '../../wire/client.ts';
import type { Connection } from '../../wire/connect.ts';
import { Refusal } from '../errors.ts';
import { filterOf } from './selector.ts';

/** The connection of this window to one engine. */
export interface EngineLink extends EngineClient {
  /** From now on the engine is told the text of this file (absolute path) while the editor holds it. */
  sync(path: string): void;
}

type Handlers = { readonly [N in keyof Notifications]: Set<(value: Notifications[N]) => void> };

/** Opens a language client over a socket. Rejects where the engine refuses. */
export async function openLink(connection: Connection, build: string, log: LogOutputChannel): Promise<EngineLink> {
  const { socket } = connection;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const hello: Hello = { token: connection.token, protocol: PROTOCOL_VERSION, build, client: 'editor' };
  const client = new LanguageClient('ratchet', 'Ratchet', () => Promise.resolve({ reader: socket, writer: socket, detached: true }), {
    documentSelector: [{ scheme: 'file', pattern: '**/program.md' }, { scheme: 'file', pattern: '**/*.program.md' }],
    initializationOptions: hello,
    initializationFailedHandler: () => false,
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // Who holds the link decides what a lost engine means.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
  });
  const handlers: Handlers = { 'ratchet/event': new Set(), 'ratchet/activity': new Set(), 'ratchet/check': new Set(), 'ratchet/run': new Set() };
  const pass = <N extends keyof Notifications>(name: N): void => {
    client.onNotification(name, (value: Notifications[N]) => {
      for (const handler of handlers[name]) handler(value);
    });
  };
  pass('ratchet/event');
  pass('ratchet/activity');
  pass('ratchet/check');
  pass('ratchet/run');
  await client.start();
  // A connection that closes leaves its requests without an answer: they must not wait for one.
  const gone = closed.then(() => Promise.reject(new Refusal(l10n.t('The engine ended before it answered. Try again: a new one starts by itself.'))));
  gone.catch(() => undefined);
  return {
    // The engine's own answer, of a version that was compared.
    engine: client.initializeResult?.capabilities.experimental as HelloReply,
    closed,
    // A token that is undefined would be sent as a second parameter.
    request: <M extends keyof Requests>(method: M, params: Requests[M]['params'], token?: CancellationToken) => Promise.race([
      token === undefined ? client.sendRequest<Requests[M]['result']>(method, params) : client.sendRequest<Requests[M]['result']>(method, params, token),
      gone,
    ]),
    notify: (method, params) => void client.sendNotification(method, params).catch(() => undefined),
    on: (name, handler) => {
      handlers[name].add(handler);
      return { dispose: () => void handlers[name].delete(handler) };
    },
    sync: (path) => syncFile(client, path),
    close: () => {
      // The engine takes `exit` as one client less.
      client.stop().catch(() => undefined).finally(() => socket.destroy());
    },
  };
}

/** The selector of a language client is fixed at its start; targets become known later. */
function syncFile(client: LanguageClient, path: string): void {
  const documentSelector = [filterOf(path)];
  client.getFeature(DidOpenTextDocumentNotification.method).register({ id: `open:${path}`, registerOptions: { documentSelector } });
  client.getFeature(DidChangeTextDocumentNotification.method).register({ id: `change:${path}`, registerOptions: { documentSelector, syncKind: TextDocumentSyncKind.Full } });
  client.getFeature(DidCloseTextDocumentNotification.method).register({ id: `close:${path}`, registerOptions: { documentSelector } });
}
