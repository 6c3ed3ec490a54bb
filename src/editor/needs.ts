import { commands, l10n, Uri } from 'vscode';
import { join } from 'node:path';
import { allowedWords } from '../loop/allow.ts';
import { COMMANDS } from '../contributions.ts';
import type { RunView } from './run-source.ts';
import type { Runs } from './runs.ts';
import { messages } from './messages.ts';

/** The question of a start file that fails only when it is confined. The answer is remembered for the file, and its start page opens again. */
export async function askNeeds(runs: Runs, { run, root, state }: RunView): Promise<void> {
  const { end, plan } = state ?? {};
  if (plan === undefined || end?.needs === undefined) return;
  const [allow, open, details] = [l10n.t('Allow These'), l10n.t('Run Without Confinement'), l10n.t('Details')];
  const { needs } = end;
  const said = needs.length === 0 ? l10n.t('Your scorer works with your rights and fails when it is confined.') : l10n.t('Your scorer needs: {0}.', allowedWords(needs));
  const picked = await messages.warn(l10n.t('{0} — {1}', plan.target, said), ...(needs.length === 0 ? [open, details] : [allow, open, details]));
  if (picked === details) return void (await commands.executeCommand(COMMANDS.showOutput, { run, attempt: 0 }));
  if (picked !== allow && picked !== open) return;
  const link = await runs.engine(run).open();
  await link.request('ratchet/allow', { target: plan.target, ...(picked === allow ? { allow: needs } : { sandbox: 'off' }) });
  await commands.executeCommand(COMMANDS.autoresearch, Uri.file(join(root, plan.target)));
}
