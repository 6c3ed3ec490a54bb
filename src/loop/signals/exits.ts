import { fieldOf } from '../syntax.ts';
import type { SyntaxTree } from '../syntax.ts';
import type { AddedCode } from './added-code.ts';
import { linesNamed } from './sides.ts';
import type { EditSides, Signal } from './sides.ts';
import { isInMainGuard, type Use } from './uses.ts';

const EXIT_CALL = /^(?:sys\.exit|exit|quit|os\.(?:_exit|abort|kill|killpg)|atexit\.register|SystemExit|signal\.raise_signal|process\.(?:exit|abort|kill|reallyExit)|Deno\.exit)$/;
const ON_EXIT = /^process\.(?:on|once|addListener)$/;
const EXIT_CODE = /^process\.exitCode$/;
/** Ends of a program in languages without a parser. */
const EXIT_TEXT = /(?:\b|_)(?:os\.Exit|_exit|exit|abort|quick_exit|process::exit|System\.exit|Environment\.Exit|die)\s*!?\(/;

/**
 * The edit ends the program, or hooks its end, in a file where nothing did. Not meant: `sys.exit(main())` of a file that is
 * run by itself, where the exit code is what the program says.
 */
export function exitsEarly(sides: EditSides, code: AddedCode): readonly Signal[] {
  const { beforeTree, afterTree } = sides;
  if (beforeTree === undefined || afterTree === undefined) {
    const added = code.added.filter(({ text }) => EXIT_TEXT.test(text));
    return EXIT_TEXT.test(sides.before) ? [] : signal(added.map(({ line }) => line), 'the program');
  }
  if (exitsIn(beforeTree, code.usesBefore).length > 0) return [];
  const added = exitsIn(afterTree, code.usesAfter).filter(({ node }) => code.isAdded(node));
  return signal(added.map(({ node }) => code.lineOf(node)), added[0]?.name ?? '');
}

function exitsIn(tree: SyntaxTree, uses: readonly Use[]): readonly Use[] {
  return uses.filter(({ how, name, node }) => {
    if (how === 'write') return EXIT_CODE.test(name);
    if (how === 'read') return name === 'SystemExit' && node.parent?.type === 'raise_statement';
    if (how !== 'call') return false;
    if (ON_EXIT.test(name)) return /exit/i.test(tree.text.slice(node.start, node.end).slice(0, 60));
    return EXIT_CALL.test(name) && !(isInMainGuard(tree, node) && fieldOf(node, 'arguments')?.children.some(({ type }) => /^call/.test(type)) === true);
  });
}

function signal(lines: readonly number[], name: string): readonly Signal[] {
  return lines.length === 0 ? [] : [{ code: 'exits-early', reason: `${linesNamed(lines)} can end ${name === 'the program' ? name : `the program (${name})`}, and nothing in the file could before.` }];
}
