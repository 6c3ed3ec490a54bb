/** Why what came over a connection is no message. The connection ends with it: what follows can't be told apart any more. */
export class NoMessage extends Error {}

/** More than the two short lines of a header. */
const MOST_HEAD_BYTES = 1024;
const HEAD_END = '\r\n\r\n';

/**
 * Cuts what a connection brings into bodies of messages: a header with `Content-Length`, an empty line, and so many
 * bytes. Holds no more than one body and a header, however the bytes come.
 */
export class Frames {
  /** Asked anew for each message. */
  readonly #mostBytes: () => number;
  #head = Buffer.alloc(0);
  #parts: Buffer[] = [];
  /** Of the body, or undefined while the header is read. */
  #missing: number | undefined;

  constructor(mostBytes: () => number) {
    this.#mostBytes = mostBytes;
  }

  /** The bodies that are whole with these bytes, one by one. Throws NoMessage. */
  *push(chunk: Buffer): Generator<Buffer> {
    for (let rest = chunk; rest.length > 0;) {
      rest = this.#missing === undefined ? this.#readHead(rest) : this.#readBody(rest, this.#missing);
      if (this.#missing !== 0) continue;
      const body = Buffer.concat(this.#parts);
      this.#parts = [];
      this.#missing = undefined;
      yield body;
    }
  }

  #readHead(bytes: Buffer): Buffer {
    const before = this.#head.length;
    const head = Buffer.concat([this.#head, bytes.subarray(0, MOST_HEAD_BYTES)]);
    const end = head.indexOf(HEAD_END);
    if (end < 0 && head.length >= MOST_HEAD_BYTES) throw new NoMessage('no header of a message');
    if (end < 0) {
      this.#head = head;
      return bytes.subarray(MOST_HEAD_BYTES);
    }
    this.#missing = this.#lengthIn(head.toString('latin1', 0, end));
    this.#head = Buffer.alloc(0);
    return bytes.subarray(end + HEAD_END.length - before);
  }

  #lengthIn(head: string): number {
    const lengths = head.split('\r\n').flatMap((line) => /^content-length: *(\d{1,15}) *$/i.exec(line)?.[1] ?? []);
    if (lengths.length !== 1) throw new NoMessage('a header without one length of the message');
    const length = Number(lengths[0]);
    const most = this.#mostBytes();
    if (length > most) throw new NoMessage(`a message of ${String(length)} bytes, where ${String(most)} are allowed`);
    if (length === 0) throw new NoMessage('a message of no bytes');
    return length;
  }

  #readBody(bytes: Buffer, missing: number): Buffer {
    const part = bytes.subarray(0, missing);
    this.#parts.push(part);
    this.#missing = missing - part.length;
    return bytes.subarray(part.length);
  }
}
