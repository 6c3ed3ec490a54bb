import { l10n, window } from 'vscode';
import { leftOutBy, whyNotKeepable, whyNotKept } from '../loop/choice.ts';
import { attemptOf } from '../loop/ledger.ts';
import type { Dialogs } from './dialogs.ts';
import type { Subject } from './diff/argument.ts';
import { Refusal } from './errors.ts';
import type { Runs } from './runs.ts';

/** A person makes an attempt the best so far, whatever the verifier said of it. */
export async function keepAnyway({ runs, dialogs }: { readonly runs: Runs; readonly dialogs: Dialogs }, subject: Subject | undefined): Promise<void> {
  const view = runs.runs.find(({ run }) => run === subject?.run);
  const number = subject?.attempt;
  if (view?.state === undefined || number === undefined) throw new Refusal(l10n.t('Choose an attempt in the Ratchet view.'));
  const why = whyNotKeepable(view.state, number);
  if (why !== undefined) throw new Refusal(why);
  const notKept = whyNotKept(view.state, number);
  const reason = notKept === undefined ? (attemptOf(view.state, number)?.evidence?.reason ?? '') : l10n.t('It was not kept: {0}', notKept);
  const lost = leftOutBy(view.state, number);
  const leavesOut = lost.length === 0 ? '' : l10n.t('It does not build on {0}, which the best so far holds: keeping it leaves that out.', lost.map((kept) => `#${kept}`).join(', '));
  const picked = await dialogs.pick([
    { label: `$(pass) ${l10n.t('Keep attempt {0}', number)}`, detail: [reason, leavesOut].filter((part) => part !== '').join(' '), value: true },
    { label: `$(close) ${l10n.t('Leave it')}`, value: false },
  ], { title: notKept === undefined ? l10n.t('Make attempt {0} the best so far, by your word?', number) : l10n.t('Attempt {0} was not kept. Make it the best so far all the same?', number), placeholder: l10n.t('Look at what it changed first.'), active: false });
  if (picked !== true) return;
  const link = await runs.engine(view.run).open();
  const when = await link.request('ratchet/keep', { run: view.run, attempt: number });
  if (when === 'later') window.setStatusBarMessage(l10n.t('Attempt {0} becomes the best so far when the attempt in flight is over.', number), 5000);
}
