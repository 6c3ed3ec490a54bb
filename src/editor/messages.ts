import { window } from 'vscode';
import { plainMessage } from '../loop/visible.ts';

/** The editor's notices, in which what they quote stays text. */
export const messages = {
  info: (text: string, ...items: readonly string[]): Thenable<string | undefined> => window.showInformationMessage(plainMessage(text), ...items),
  warn: (text: string, ...items: readonly string[]): Thenable<string | undefined> => window.showWarningMessage(plainMessage(text), ...items),
  error: (text: string, ...items: readonly string[]): Thenable<string | undefined> => window.showErrorMessage(plainMessage(text), ...items),
};
