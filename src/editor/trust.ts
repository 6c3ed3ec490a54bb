import { l10n, workspace } from 'vscode';
import { Refusal } from './errors.ts';

/** Throws where the workspace isn't trusted: a run starts commands that the workspace may have brought. */
export function requireTrust(): void {
  if (workspace.isTrusted) return;
  throw new Refusal(l10n.t('A run starts commands that this folder may have brought, so it needs your trust first. Nothing was started.'), {
    title: l10n.t('Manage Workspace Trust'),
    command: 'workbench.trust.manage',
  });
}
