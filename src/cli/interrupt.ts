/** A person left: Ctrl-C, an end or a hang-up. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted.');
    this.name = 'Interrupted';
  }
}

/** The signals of a person who leaves, heard instead of died of until `ignore` is called. */
export interface Interrupts {
  readonly signal: AbortSignal;
  readonly ignore: () => void;
}

export function hearInterrupts(): Interrupts {
  const abort = new AbortController();
  const interrupt = (): void => abort.abort(new Interrupted());
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  return {
    signal: abort.signal,
    ignore: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt),
  };
}
