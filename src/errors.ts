/** Why a person's request can't be done. Match on the reason, never on the text. */
export type HumanReason =
  | 'bad-use' | 'bad-target' | 'no-scorer' | 'no-such-run' | 'no-such-attempt' | 'missing-text'
  | 'linked-store' | 'newer-ledger' | 'read-only' | 'disk-full' | 'busy' | 'conflict' | 'unsaved' | 'untrusted' | 'no-model' | 'changed' | 'no-engine' | 'no-scratch';

/** An error that a person should read: one sentence that says what to do, never with a stack trace. */
export class HumanError extends Error {
  readonly reason: HumanReason;

  constructor(reason: HumanReason, message: string) {
    super(message);
    this.name = 'HumanError';
    this.reason = reason;
  }
}

/** What a disk or a permission refuses to one of our own files, as a person should read it; undefined for any other error. */
export function machineError({ code, path }: NodeJS.ErrnoException): HumanError | undefined {
  if (path === undefined) return undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new HumanError('disk-full', `The disk is full: ${path} can't be written. Free some space and try again.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new HumanError('read-only', `${path} can't be used (${code}). Make it and its folder readable and writable for you.`);
    default:
      return undefined;
  }
}
