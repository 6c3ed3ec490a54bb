import treeSitter from '@vscode/tree-sitter-wasm';
import type { Language as Grammar, Parser, TreeCursor } from '@vscode/tree-sitter-wasm';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES } from '../loop/syntax.ts';
import type { Language, SyntaxNode, SyntaxTree } from '../loop/syntax.ts';

/** The parsers of all languages that we know, ready to be called without waiting. */
export interface Parsers {
  /** Never throws on bad code: `hasError` says so. The tree is a copy in plain data, nothing is left to free. */
  parse(language: Language, text: string): SyntaxTree;
}

/** The files that `loadParsers` wants to find in its folder. */
export const PARSER_ASSETS: readonly string[] = ['tree-sitter.wasm', ...LANGUAGES.map((language) => `tree-sitter-${language}.wasm`)];

/** Options of the emscripten module, which the package's types leave out: the bytes spare it the search for its file. */
type ModuleOptions = Parameters<typeof Parser.init>[0] & { readonly wasmBinary: Uint8Array };

/**
 * Reads the runtime and the grammars into memory; the folder is not needed afterwards.
 * Rejects with the file system's error when a file is missing.
 */
export async function loadParsers(assetFolder: string): Promise<Parsers> {
  const [runtime, ...grammarBytes] = await Promise.all(PARSER_ASSETS.map((name) => readFile(join(assetFolder, name))));
  if (runtime === undefined) throw new Error('unreachable: there is always a runtime');
  const options: ModuleOptions = { wasmBinary: runtime, locateFile: (file) => join(assetFolder, file) };
  await treeSitter.Parser.init(options);
  const grammars = new Map<Language, LoadedGrammar>();
  // One after the other: they share one table of functions, which loading in parallel would race for.
  for (const [i, language] of LANGUAGES.entries()) {
    const grammar = await treeSitter.Language.load(grammarBytes[i] ?? new Uint8Array());
    grammars.set(language, { parser: new treeSitter.Parser().setLanguage(grammar), ...kindsOf(grammar) });
  }
  const known = new RecentTrees();
  return {
    parse: (language, text) =>
      known.get(language, text, () => {
        const loaded = grammars.get(language);
        if (loaded === undefined) throw new Error(`No parser for ${language}.`);
        return parse(language, loaded, text);
      }),
  };
}

/** How many texts are asked about in turn: parent and candidate of an attempt, and the attempts around it. */
const RECENT = 6;

/** The trees of the last texts: each stage of an attempt asks for the same two. */
class RecentTrees {
  readonly #trees = new Map<string, SyntaxTree>();

  get(language: Language, text: string, make: () => SyntaxTree): SyntaxTree {
    const key = `${language}\0${text}`;
    const tree = this.#trees.get(key) ?? make();
    this.#trees.delete(key);
    this.#trees.set(key, tree);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > RECENT && oldest !== undefined) this.#trees.delete(oldest);
    return tree;
  }
}

interface LoadedGrammar {
  readonly parser: Parser;
  /** By type id: looked up once, since each question to the parser costs more than the answer. */
  readonly typeNames: readonly string[];
  readonly typeIsNamed: readonly boolean[];
  readonly fieldNames: readonly (string | null)[];
}

function kindsOf(grammar: Grammar): Omit<LoadedGrammar, 'parser'> {
  return {
    typeNames: grammar.types,
    typeIsNamed: grammar.types.map((_, id) => grammar.nodeTypeIsNamed(id)),
    fieldNames: grammar.fields,
  };
}

function parse(language: Language, grammar: LoadedGrammar, text: string): SyntaxTree {
  // A call that threw would otherwise be continued by the next one.
  grammar.parser.reset();
  const tree = grammar.parser.parse(text);
  if (tree === null) throw new Error(`The parser for ${language} gave no tree.`);
  try {
    const cursor = tree.walk();
    try {
      const nodes = copyNodes(cursor, grammar);
      const root = nodes[0];
      if (root === undefined) throw new Error(`The parser for ${language} gave an empty tree.`);
      return { language, text, root, nodes, hasError: tree.rootNode.hasError };
    } finally {
      cursor.delete();
    }
  } finally {
    tree.delete();
  }
}

interface NodeBeingCopied extends SyntaxNode {
  readonly children: SyntaxNode[];
}

/** Walks without recursion: a long sum is a deep tree. */
function copyNodes(cursor: TreeCursor, grammar: LoadedGrammar): readonly SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const copy = (parent: NodeBeingCopied | undefined): NodeBeingCopied => {
    const typeId = cursor.nodeTypeId;
    const start = cursor.startIndex;
    const end = cursor.endIndex;
    const node: NodeBeingCopied = {
      type: grammar.typeNames[typeId] ?? 'ERROR',
      named: grammar.typeIsNamed[typeId] ?? true,
      missing: start === end && cursor.nodeIsMissing,
      field: parent === undefined ? undefined : grammar.fieldNames[cursor.currentFieldId] ?? undefined,
      start,
      end,
      parent,
      children: [],
    };
    parent?.children.push(node);
    nodes.push(node);
    return node;
  };
  const open: NodeBeingCopied[] = [copy(undefined)];
  for (let parent = open.at(-1); parent !== undefined; parent = open.at(-1)) {
    if (parent.children.length === 0 && cursor.gotoFirstChild()) {
      open.push(copy(parent));
      continue;
    }
    open.pop();
    if (cursor.gotoNextSibling()) open.push(copy(open.at(-1)));
    else cursor.gotoParent();
  }
  return nodes;
}
