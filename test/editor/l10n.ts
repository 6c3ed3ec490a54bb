import type { L10n } from '../../src/editor/l10n.ts';

/** English, as an editor without a translation gives it. */
export const english: L10n = {
  t: (message, ...args) => message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole)),
};
