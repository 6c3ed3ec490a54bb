/** What `vscode.l10n` is to texts that are made without the editor: `{0}` stands for the first argument. */
export interface L10n {
  t(message: string, ...args: (string | number | boolean)[]): string;
}
