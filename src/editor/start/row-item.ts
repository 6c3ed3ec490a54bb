import type { Choice } from '../dialogs.ts';
import type { Row } from './rows.ts';

/** A row as a picker shows it. */
export function rowItem<T>(row: Row, value: T, alwaysShow = false): Choice<T> {
  return { label: `$(${row.icon}) ${row.label}`, description: row.description, ...(row.detail === undefined ? {} : { detail: row.detail }), value, alwaysShow };
}
