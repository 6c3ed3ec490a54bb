import type { Socket } from 'node:net';
import { AbstractMessageReader, type DataCallback, type Disposable, type MessageReader } from 'vscode-languageserver-protocol/node';
import { Frames } from './frames.ts';
import { messageIn } from './message.ts';

/**
 * Reads messages from a socket and holds each to its bounds. The library's own reader takes what it gets: it keeps a
 * message of any length in memory, and a header that never ends. What is no message is told as an error, once.
 */
export class BoundedReader extends AbstractMessageReader implements MessageReader {
  readonly #socket: Socket;
  readonly #frames: Frames;

  constructor(socket: Socket, mostBytes: () => number) {
    super();
    this.#socket = socket;
    this.#frames = new Frames(mostBytes);
  }

  listen(callback: DataCallback): Disposable {
    const socket = this.#socket;
    const onData = (chunk: Buffer): void => {
      try {
        for (const body of this.#frames.push(chunk)) callback(messageIn(body));
      } catch (error) {
        socket.off('data', onData);
        this.fireError(error);
      }
    };
    socket.on('data', onData).once('close', () => this.fireClose());
    return { dispose: () => void socket.off('data', onData) };
  }
}
