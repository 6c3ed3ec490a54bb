import { isObject, objectsIn, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';

/** Rules that say that a file was not checked: it has no syntax, or couldn't be opened. */
const NOT_CHECKED = /^(?:invalid-syntax|E999|E902)$/;

/**
 * The JSON of `ruff check --output-format json`: `[{code, filename, message, …}]`. `findings` counts them, each as 1. A file
 * that can't be parsed has other findings for no merit: that is no result.
 */
export function ruff(text: string): Report {
  const json = readJson(text)?.value;
  if (!Array.isArray(json) || !json.every((item) => isObject(item) && typeof own(item, 'filename') === 'string' && Object.hasOwn(item, 'code')))
    return unreadable('The report is not one of `ruff check --output-format json`.');
  const findings = objectsIn(json);
  // Before 0.5 a syntax error had no code.
  const broken = findings.find((finding) => own(finding, 'code') === null || NOT_CHECKED.test(String(own(finding, 'code'))));
  if (broken !== undefined) {
    const file = String(own(broken, 'filename')).split(/[\\/]/).at(-1) ?? 'a file';
    return unreadable(`Ruff could not read ${file} (${String(own(broken, 'message'))}), so its findings say nothing.`);
  }
  return { figures: new Map([['findings', findings.length]]), cases: [] };
}
