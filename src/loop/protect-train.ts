import { markRebinding } from './protect-rebind.ts';
import { isSeedCall, isSeedName } from './seed-names.ts';
import { descendantsOf, fieldOf } from './syntax.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';
import { markClock } from './train-clock.ts';
import { EVALUATION_NAME, Script, TRAIN_REASONS } from './train-script.ts';

export { TRAIN_REASONS } from './train-script.ts';

/** Values of the summary by which an attempt is judged: what they are made from is protected with them. */
const METRIC_LINE = /\bval_bpb\s*:/;
const CLOCK_LINE = /\b(?:training_seconds|total_seconds)\s*:/;
const MEMORY_LINE = /\bpeak_vram_mb\s*:/;

/**
 * The lines of a training script by which it is measured, with the reason: imports of other project files, the
 * evaluation, the summary, seeds, all that reads or writes the training clock, and whatever would give these another
 * meaning. Follows names, not text: `dt` in another function is another name.
 */
export function trainLines(tree: SyntaxTree, projectModules: ReadonlySet<string>): ReadonlyMap<number, string> {
  const script = new Script(tree);
  const summary = markSummary(script);
  const imported = markImports(script, projectModules);
  markEvaluation(script, imported, summary.metricNames);
  markMemory(script, summary.memoryNames);
  markSeeds(script);
  markClock(script, summary.clockNames);
  markRebinding(script, imported, projectModules);
  return script.lines;
}

/** The print of the metric and the prints right before and after it; gives the names that the judged values come from. */
function markSummary(script: Script): { metricNames: Set<string>; clockNames: Set<string>; memoryNames: Set<string> } {
  const found = { metricNames: new Set<string>(), clockNames: new Set<string>(), memoryNames: new Set<string>() };
  for (const call of script.tree.nodes.filter((node) => isPrint(node) && METRIC_LINE.test(script.text(node)))) {
    const callee = script.callee(call);
    const statement = call.parent;
    const siblings = statement?.parent?.children.filter((node) => node.type !== 'comment') ?? [];
    const isAlike = (node: SyntaxNode | undefined): boolean => {
      const inner = node?.type === 'expression_statement' ? node.children[0] : undefined;
      return inner?.type === 'call' && script.callee(inner) === callee;
    };
    const at = siblings.findIndex((node) => node === statement);
    let from = at;
    let to = at;
    while (isAlike(siblings[from - 1])) from--;
    while (isAlike(siblings[to + 1])) to++;
    for (const print of siblings.slice(from, to + 1)) {
      script.markAll(print, TRAIN_REASONS.summary);
      const text = script.text(print);
      const names = METRIC_LINE.test(text) ? found.metricNames
        : CLOCK_LINE.test(text) ? found.clockNames
          : MEMORY_LINE.test(text) ? found.memoryNames : undefined;
      const args = print.children[0] === undefined ? undefined : fieldOf(print.children[0], 'arguments');
      if (names === undefined || args === undefined) continue;
      for (const { key } of script.valuesIn(args)) names.add(key);
      markFunctions(script, args);
    }
  }
  return found;
}

/** What the printed memory is made from. */
function markMemory(script: Script, keys: Iterable<string>): void {
  for (const key of keys) {
    for (const write of script.names.writesOf(key)) {
      script.mark(write.node, TRAIN_REASONS.summary);
      if (write.value !== undefined) markFunctions(script, write.value);
    }
  }
}

/** Functions of the script itself that a summary's value calls. */
function markFunctions(script: Script, value: SyntaxNode): void {
  for (const call of descendantsOf(value)) {
    const definition = call.type === 'call' ? script.names.functionOf(call) : undefined;
    if (definition !== undefined) script.markAll(definition, TRAIN_REASONS.summary);
  }
}

/** A call that is a statement and has a string of its own among its arguments. */
function isPrint(node: SyntaxNode): boolean {
  if (node.type !== 'call' || node.parent?.type !== 'expression_statement') return false;
  const args = fieldOf(node, 'arguments');
  return args?.children.some((arg) => arg.type === 'string' || arg.type === 'concatenated_string' || arg.type === 'binary_operator') ?? false;
}

/** Gives the names under which things of other project files are known here. */
function markImports(script: Script, projectModules: ReadonlySet<string>): ReadonlySet<string> {
  const imported = new Set<string>();
  const isOfProject = (module: SyntaxNode | undefined): boolean =>
    module !== undefined
    && (module.type === 'relative_import' || projectModules.has(script.text(module)) || projectModules.has(script.text(module).split('.')[0] ?? ''));
  for (const node of script.tree.nodes) {
    if (node.type !== 'import_statement' && node.type !== 'import_from_statement') continue;
    const names = node.children.filter((child) => child.field === 'name');
    const ofProject = node.type === 'import_from_statement'
      ? isOfProject(fieldOf(node, 'module_name')) ? names : []
      : names.filter((name) => isOfProject(fieldOf(name, 'name') ?? name));
    if (ofProject.length === 0 && !isOfProject(fieldOf(node, 'module_name'))) continue;
    script.mark(node, TRAIN_REASONS.import);
    for (const name of ofProject) imported.add(script.text(fieldOf(name, 'alias') ?? name));
  }
  return imported;
}

/** Calls of an evaluation, what the metric is made from, and evaluating functions of the script itself. */
function markEvaluation(script: Script, imported: ReadonlySet<string>, metricNames: ReadonlySet<string>): void {
  const calls = (node: SyntaxNode): readonly SyntaxNode[] => descendantsOf(node).filter((inner) => inner.type === 'call');
  const local = new Set<SyntaxNode>();
  const addLocal = (node: SyntaxNode): void => {
    for (const call of calls(node)) {
      const definition = script.names.functionOf(call);
      if (definition === undefined || local.has(definition) || !EVALUATION_NAME.test(script.callee(call))) continue;
      local.add(definition);
      addLocal(definition);
    }
  };
  for (const call of script.tree.nodes.filter((node) => node.type === 'call')) {
    const callee = script.callee(call);
    const isImported = imported.has(callee) || imported.has(callee.split('.')[0] ?? '');
    if (isImported && EVALUATION_NAME.test(callee)) script.mark(call, TRAIN_REASONS.evaluation);
  }
  const followed = new Set<string>();
  const open = [...metricNames];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (followed.has(name)) continue;
    followed.add(name);
    for (const write of script.names.writesOf(name)) {
      script.mark(write.node, TRAIN_REASONS.evaluation);
      if (write.value === undefined) continue;
      addLocal(write.value);
      // What is handed to the evaluation, such as the model, must stay free.
      for (const read of script.valuesIn(write.value)) open.push(read.key);
    }
  }
  for (const call of script.tree.nodes.filter(isPrint)) if (METRIC_LINE.test(script.text(call))) addLocal(call);
  for (const definition of local) {
    script.markAll(definition, TRAIN_REASONS.evaluation);
    for (const call of script.tree.nodes) {
      if (call.type === 'call' && script.names.functionOf(call) === definition) script.mark(call, TRAIN_REASONS.evaluation);
    }
  }
}

function markSeeds(script: Script): void {
  for (const node of script.tree.nodes) {
    if (node.type === 'call' && isSeedCall(script.callee(node))) script.mark(node, TRAIN_REASONS.seed);
  }
  for (const write of script.names.writes) if (isSeedName(write.text)) script.mark(write.node, TRAIN_REASONS.seed);
}
