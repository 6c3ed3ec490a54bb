import { HUMAN_ERROR_CODE } from '../protocol.ts';
import { HumanError, machineError, type HumanReason } from '../errors.ts';
import { ProposerError } from '../engine/proposers/proposer.ts';

/** A person's error, also where it came over the wire; undefined for a fault of ours. */
export function humanError(error: unknown): HumanError | undefined {
  if (error instanceof HumanError) return error;
  // A key or a base URL that can't be used.
  if (error instanceof ProposerError) return new HumanError('no-model', error.message);
  if (!(error instanceof Error)) return undefined;
  if ((error as { readonly code?: unknown }).code !== HUMAN_ERROR_CODE) return machineError(error);
  const { data } = error as { readonly data?: { readonly reason?: HumanReason } };
  return new HumanError(data?.reason ?? 'bad-use', error.message);
}
