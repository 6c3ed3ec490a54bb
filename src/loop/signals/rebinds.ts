import { fieldOf, textOf } from '../syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax.ts';
import type { AddedCode } from './added-code.ts';
import { linesNamed } from './sides.ts';
import type { EditSides, Signal } from './sides.ts';
import { argumentsOf, type Use } from './uses.ts';

/** Calls after which nobody can tell from the text what a name means. */
const CALL = /^(?:(?:builtins\.)?(?:exec|eval|__import__)|importlib\.(?:import_module|reload|__import__)|(?:builtins\.)?(?:setattr|delattr)|object\.__setattr__|type\.__setattr__|(?:globals|locals|vars)\(\)\.\w+|sys\.(?:settrace|setprofile|modules\.\w+)|(?:unittest\.)?mock\.patch(?:\.\w+)?|Function|vm\.\w+|Reflect\.(?:set|defineProperty)|Object\.(?:defineProperty|defineProperties|assign|setPrototypeOf))$/;
/** Those that only count on what belongs to everybody. */
const BY_FIRST_ARGUMENT = /^(?:Reflect|Object)\.|(?:setattr|delattr|__setattr__)$/;
const SCRIPT_GLOBAL = '(?:globalThis|global|window|self|Math|Date|performance|Performance|perf_hooks\\.performance|console|process|JSON|Object|Array|String|Number|Map|Set|Promise|Function|RegExp|Error|Symbol|Reflect|Buffer)';
const SCRIPT_WRITE = new RegExp(`^${SCRIPT_GLOBAL}(?:\\.prototype)?(?:\\.|\\[\\]|$)`);
const PYTHON_WRITE = /^(?:globals\(\)|locals\(\)|vars\(\)|sys\.modules|sys\.(?:__)?std(?:out|err|in)(?:__)?|__builtins__)(?:\[\]|\.)|\.__(?:dict|code|globals|class|defaults)__\b/;
/** Calls that write into the object before them: of a module or a built-in object, nobody's own. */
const INNER_CALL = /\.__dict__\.(?:update|setdefault|pop|clear|__setitem__|__delitem__)$|\.__define[GS]etter__$/;
/** Modules and objects that measure: as a value by themselves they can be written to under any name. */
const HANDED_ON = /^(?:time|timeit|builtins|sys)$/;
const SCRIPT_HANDED_ON = /^(?:performance|(?:globalThis|global)\[\])$/;
const MODULE = /^(?:ctypes|_ctypes|cffi|builtins|unittest\.mock)$/;

/**
 * The edit could give another meaning to what others use: code from text, writes of names that are computed, of modules and of
 * built-in objects. A person must look, for no parser can follow it. `setattr(self, …)` and whatever else is done to the
 * file's own objects isn't meant.
 */
export function rebinds(sides: EditSides, code: AddedCode): readonly Signal[] {
  const { beforeTree, afterTree } = sides;
  if (beforeTree === undefined || afterTree === undefined) return [];
  const before = rebindingIn(beforeTree, code.usesBefore).map(({ name }) => name);
  const after = rebindingIn(afterTree, code.usesAfter);
  const count = (names: readonly string[], name: string): number => names.filter((each) => each === name).length;
  const names = after.map(({ name }) => name);
  const added = after.filter(({ name, node }) => code.isAdded(node) && count(names, name) > count(before, name));
  const [first] = added;
  if (first === undefined) return [];
  const lines = new Set(added.map(({ node }) => code.lineOf(node)));
  return [{
    code: 'rebinds',
    reason: `${linesNamed(lines)} ${lines.size === 1 ? 'uses' : 'use'} ${first.name.replaceAll('[]', '[…]')}, which can change what other code means.`,
  }];
}

function rebindingIn(tree: SyntaxTree, uses: readonly Use[]): readonly Use[] {
  const imported = new Set(uses.filter(({ how }) => how === 'import').map(({ name }) => name.split('.')[0] ?? ''));
  return [...equalToAll(tree), ...uses.filter(({ how, name, node }) => {
    if (how === 'import') return MODULE.test(name);
    if (how === 'write') return tree.language === 'python' ? (PYTHON_WRITE.test(name) && !name.startsWith('~self')) || isOfModule(name, imported) : SCRIPT_WRITE.test(name) && !OWN_WRITE.test(name);
    if (how === 'read') return tree.language === 'python' ? /^sys\.modules\b/.test(name) || (imported.has(name) && HANDED_ON.test(name) && isValue(node)) : SCRIPT_HANDED_ON.test(name) && isValue(node);
    if (how === 'call' && INNER_CALL.test(name)) return tree.language === 'python' ? imported.has(name.split('.')[0] ?? '') : SCRIPT_WRITE.test(name);
    if (how !== 'call' || !CALL.test(name)) return false;
    if (!BY_FIRST_ARGUMENT.test(name)) return true;
    const [first] = argumentsOf(node);
    const on = uses.find((use) => use.node === first)?.name ?? '';
    return tree.language === 'python' ? !on.startsWith('~') : SCRIPT_WRITE.test(on);
  })];
}

/** Methods by which a value is equal to whatever it is compared with, so that each check of a scorer passes. */
function equalToAll(tree: SyntaxTree): readonly Use[] {
  if (tree.language !== 'python') return [];
  return tree.nodes.flatMap((node): readonly Use[] => {
    const name = node.type === 'function_definition' ? textOf(tree, fieldOf(node, 'name') ?? node) : '';
    const body = fieldOf(node, 'body');
    const does = body === undefined ? '' : textOf(tree, body);
    const isEqual = (name === '__eq__' && does === 'return True') || (name === '__ne__' && does === 'return False');
    return isEqual ? [{ how: 'write', name, node }] : [];
  });
}

/** Whether a node is handed to something as it is, as in `patch(time)` or `[performance]`; not so in `typeof performance`. */
function isValue({ parent, field }: SyntaxNode): boolean {
  if (parent === undefined) return false;
  return /^(?:argument_list|arguments|list|tuple|array|expression_list|return_statement)$/.test(parent.type)
    || (/^(?:assignment|assignment_expression)$/.test(parent.type) && field === 'right')
    || (/^(?:pair|keyword_argument|variable_declarator|default_parameter|assignment_pattern)$/.test(parent.type) && (field === 'value' || field === 'right'));
}

/** What programs set of themselves every day; `exitCode` has its own signal. */
const OWN_WRITE = /^(?:process\.(?:exitCode|title|env)|Error\.stackTraceLimit)\b/;

/** `time.time = …`, `torch.Tensor.item = …`; a setting of a library, such as `torch.backends.cudnn.benchmark = …`, is deeper. */
function isOfModule(name: string, imported: ReadonlySet<string>): boolean {
  const [module, attribute, ...deeper] = name.split('.');
  return imported.has(module ?? '') && attribute !== undefined && !attribute.includes('[') && (deeper.length === 0 || deeper.length === 1 && /^[A-Z]/.test(attribute) || deeper.slice(0, -1).some((part) => /^[A-Z]/.test(part)));
}
