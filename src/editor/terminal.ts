import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { l10n, type ExtensionContext } from 'vscode';
import { terminalShim } from './terminal-shim.ts';

/** The folder that is put on the terminals' PATH. */
export function terminalFolder(context: ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, 'bin');
}

/** Makes `ratchet` work in the integrated terminal: a small script in a folder of ours, on the terminals' PATH. */
export async function provideTerminalCommand(context: ExtensionContext): Promise<void> {
  const folder = terminalFolder(context);
  const { name, text } = terminalShim(process.execPath, context.asAbsolutePath('dist/cli.js'), process.versions['electron'] !== undefined, process.platform);
  const path = join(folder, name);
  if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) {
    await mkdir(folder, { recursive: true });
    // Another window may run it at this moment.
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, text);
    await chmod(draft, 0o755);
    await rename(draft, path);
  }
  const variables = context.environmentVariableCollection;
  variables.description = l10n.t('Adds the command `ratchet`.');
  variables.prepend('PATH', folder + delimiter);
}
