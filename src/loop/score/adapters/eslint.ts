import { isObject, objectsIn, own, readJson } from '../json.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';

/**
 * The JSON of `eslint -f json`: `[{filePath, messages: [{ruleId, severity, fatal?}], suppressedMessages?}]`. `findings`
 * counts errors, warnings and what a comment in the code silences, each as 1: a comment more is no finding less. `errors`,
 * `warnings`, `suppressed` and `files` stand beside it. A file that can't be parsed, or that is passed over, has few
 * findings for no merit: that is no result.
 */
export function eslint(text: string): Report {
  const json = readJson(text)?.value;
  if (!Array.isArray(json) || !json.every((file) => isObject(file) && Array.isArray(own(file, 'messages')))) return unreadable('The report is not one of `eslint -f json`.');
  const files = objectsIn(json);
  if (files.length === 0) return unreadable('The report names no file: nothing was linted.');

  const figures = new Map([['findings', 0], ['errors', 0], ['warnings', 0], ['suppressed', 0], ['files', files.length]]);
  const count = (name: string): unknown => figures.set(name, (figures.get(name) ?? 0) + 1).set('findings', (figures.get('findings') ?? 0) + 1);
  for (const file of files) {
    for (const message of objectsIn(own(file, 'messages'))) {
      const said = String(own(message, 'message'));
      if (own(message, 'fatal') === true) return unreadable(`ESLint could not read ${nameOf(file)} (${said}), so its findings say nothing.`);
      if (own(message, 'ruleId') === null && said.startsWith('File ignored')) return unreadable(`ESLint passes over ${nameOf(file)}: ${said}`);
      count(own(message, 'severity') === 2 ? 'errors' : 'warnings');
    }
    for (const message of objectsIn(own(file, 'suppressedMessages')))
      if (objectsIn(own(message, 'suppressions')).some((one) => own(one, 'kind') === 'directive')) count('suppressed');
  }
  return { figures, cases: [] };
}

function nameOf(file: Readonly<Record<string, unknown>>): string {
  return String(own(file, 'filePath')).split(/[\\/]/).at(-1) ?? 'a file';
}
