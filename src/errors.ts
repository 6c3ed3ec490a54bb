/** Why a person's request can't be done. Match on the reason, never on the text. */
export type HumanReason =
  | 'bad-use' | 'bad-target' | 'no-scorer' | 'no-such-run' | 'no-such-attempt' | 'missing-text'
  | 'linked-store' | 'newer-ledger' | 'read-only' | 'disk-full' | 'busy' | 'conflict' | 'unsaved' | 'untrusted' | 'no-model' | 'no-engine' | 'no-scratch';

/** An error that a person should read: one sentence that says what to do, never with a stack trace. */
export class HumanError extends Error {
  readonly reason: HumanReason;

  constructor(reason: HumanReason, message: string) {
    super(message);
    this.name = 'HumanError';
    this.reason = reason;
  }
}
