import { extname } from 'node:path';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import { nodeTest } from './node-test.ts';
import { pytest } from './pytest.ts';
import type { Runner } from './runner.ts';
import { ava, tap, tape } from './tap.ts';
import { vitest } from './vitest.ts';

/** What a test file imports, by which its runner is known; runners without a report that is read have none. */
const IMPORTED: readonly (readonly [RegExp, Runner | undefined])[] = [
  [importing('vitest'), vitest], [importing('@jest/globals'), jest], [importing('mocha'), mocha], [importing('node:test'), nodeTest],
  [importing('ava'), ava], [importing('tap'), tap], [importing('tape'), tape],
  [importing('bun:test|@playwright/test|uvu|cypress'), undefined],
];

/** The runner that a test asks for by an import; undefined where it asks for none. */
export function importedRunner(path: string, text: string): { readonly runner: Runner | undefined } | undefined {
  if (extname(path) === '.py') return { runner: pytest };
  const found = IMPORTED.find(([name]) => name.test(text));
  return found === undefined ? undefined : { runner: found[1] };
}

function importing(names: string): RegExp {
  return new RegExp(String.raw`(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](?:${names})['"]`);
}
