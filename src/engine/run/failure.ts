import type { EndReason } from '../../records.ts';
import { HumanError } from '../../errors.ts';
import { oneLine } from '../../loop/one-line.ts';
import { ProposerError } from '../proposers/proposer.ts';

/** A system's message holds paths, which can be of any length. */
const MAX_WHY_CHARS = 300;

/** Why a run broke off, for the ledger. */
export function failureSentence(error: unknown, signal: AbortSignal): { readonly reason: EndReason; readonly sentence: string } {
  if (signal.aborted) return { reason: 'stopped', sentence: 'Ended: it was stopped.' };
  if (error instanceof ProposerError) {
    if (error.reason === 'nothing-left') return { reason: 'nothing-left', sentence: `Ended: ${error.message}` };
    return { reason: 'proposer-failed', sentence: `Ended: no proposal came. ${error.message}` };
  }
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return { reason: 'storage', sentence: 'Ended: the disk is full. Free some space and start again; what was written is kept.' };
  if (typeof (error as NodeJS.ErrnoException).syscall === 'string')
    return { reason: 'storage', sentence: `Ended: Ratchet's own files could not be used any more (${oneLine(error instanceof Error ? error.message : String(error), MAX_WHY_CHARS)}).` };
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof HumanError) return { reason: error.reason === 'disk-full' ? 'storage' : 'refused', sentence: `Ended: ${why}` };
  return { reason: 'failed', sentence: `Ended by a fault of Ratchet: ${why}` };
}
