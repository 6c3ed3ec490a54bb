import type { RunState } from '../loop/ledger.ts';
import { tallyOf } from '../loop/tally.ts';
import type { L10n } from './l10n.ts';

/** A run's attempts, counted: "1 of 6 kept", and what is still to be decided, a part each. */
export function tallyText(state: RunState, l10n: L10n): readonly string[] {
  const { kept, tried, settlesLater } = tallyOf(state);
  return [
    l10n.t('{0} of {1} kept', kept, tried),
    settlesLater === 0 ? '' : l10n.t('{0} to be settled', settlesLater),
    ...openText(state, l10n),
  ].filter((part) => part !== '');
}

/** What a run leaves to the person. */
export function openText(state: RunState, l10n: L10n): readonly string[] {
  const { waits, unsettled } = tallyOf(state);
  return [
    waits === 0 ? '' : waits === 1 ? l10n.t('1 waits for your word') : l10n.t('{0} wait for your word', waits),
    unsettled === 0 ? '' : l10n.t('{0} not settled', unsettled),
  ].filter((part) => part !== '');
}
