import { StringDecoder } from 'node:string_decoder';

/**
 * What one stream printed: the first and the last half of `maxBytes`, the rest only counted. Memory grows with what
 * comes and never over `maxBytes`, however small the pieces are.
 */
export class BoundedOutput {
  readonly #maxBytes: number;
  readonly #headBytes: number;
  readonly #decoder = new StringDecoder('utf8');
  /** The head, then a ring that the tail is written round. */
  #kept = Buffer.alloc(0);
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = Math.max(2, maxBytes);
    this.#headBytes = Math.floor(this.#maxBytes / 2);
  }

  /** Takes the next bytes and gives them as text; a character torn between two chunks comes whole with the second. */
  push(chunk: Buffer): string {
    this.#keep(chunk);
    return this.#decoder.write(chunk);
  }

  /** What is left of a torn character when nothing more comes. */
  rest(): string {
    return this.#decoder.end();
  }

  get droppedBytes(): number {
    return Math.max(0, this.#total - this.#maxBytes);
  }

  /** Bytes that are not UTF-8 read as U+FFFD. Where bytes were left out, one line says how many, without a line break of its own: a torn line must not read as a whole one. */
  text(): string {
    if (this.droppedBytes === 0) return this.#kept.toString('utf8', 0, this.#total);
    const head = this.#kept.subarray(0, this.#headBytes);
    const oldest = this.#ringOffset(this.#total);
    const tail = Buffer.concat([this.#kept.subarray(oldest, this.#maxBytes), this.#kept.subarray(this.#headBytes, oldest)]);
    return `${head.toString('utf8')}[… ${String(this.droppedBytes)} bytes left out …]${tail.toString('utf8')}`;
  }

  #keep(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      const at = this.#total < this.#maxBytes ? this.#total : this.#ringOffset(this.#total);
      const length = Math.min(chunk.length - from, this.#maxBytes - at);
      this.#makeRoom(at + length);
      chunk.copy(this.#kept, at, from, from + length);
      from += length;
      this.#total += length;
    }
  }

  #ringOffset(position: number): number {
    return this.#headBytes + (position - this.#headBytes) % (this.#maxBytes - this.#headBytes);
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#kept.length) return;
    const larger = Buffer.alloc(Math.min(this.#maxBytes, Math.max(bytes, 2 * this.#kept.length, 4_096)));
    this.#kept.copy(larger);
    this.#kept = larger;
  }
}
