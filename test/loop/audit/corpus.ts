import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loadParsers, type Parsers } from '../../../src/engine/parsers.ts';
import { languageOf } from '../../../src/loop/syntax.ts';

/** The parsers of a test, from the package's own grammars. */
export function testParsers(): Promise<Parsers> {
  return loadParsers(dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm')));
}

const TOP = join(import.meta.dirname, '..', '..', '..');

/** Real files of every language with a parser: the project's own, its examples and templates, and some of its tools'. */
export function corpus(): readonly { readonly path: string; readonly text: string }[] {
  const folders = ['src/loop', 'src/engine/scratch', 'examples', 'media/scorers', 'node_modules/mocha/lib/reporters'];
  return folders.flatMap((folder) => readdirSync(join(TOP, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && languageOf(entry.name) !== undefined)
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => text.length < 20_000);
}
