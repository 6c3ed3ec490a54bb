import { access } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { HumanError } from '../../errors.ts';
import type { ScorerAsk, ScorerDraft } from '../../protocol.ts';
import { quoted, sampleArguments } from '../../loop/new-scorer/arguments.ts';
import { cursorAt, fill, type Values } from '../../loop/new-scorer/fill.ts';
import { callableFunctions, shellFunctions, type CallableFunction } from '../../loop/new-scorer/functions.ts';
import { KINDS, scriptNames } from '../../loop/new-scorer/kinds.ts';
import { languagesFor, scriptLanguageOf, type ScriptLanguage } from '../../loop/new-scorer/names.ts';
import { languageOf } from '../../loop/syntax.ts';
import type { Parsers } from '../parsers.ts';
import { buildLine, commandFolder, copyName, lintLine, programLine, shellOf, testLine } from './new-scorer/commands.ts';
import type { Templates } from './new-scorer/templates.ts';
import { inFolder, lookAround, type Surroundings } from './offers/surroundings.ts';
import { shellWord } from '../../loop/shell-word.ts';
import { slashes } from './scorer-choice.ts';
import { readTarget } from './target.ts';

/** What a new script is made from. */
export interface ScorerMaker {
  /** Absolute. */
  readonly root: string;
  readonly parsers: Parsers;
  readonly templates: Templates;
}

/**
 * A scoring script for a target, filled in with what is known about it. Writes nothing and runs nothing. Rejects with
 * HumanError where the target can't be read, or can't be measured so.
 */
export async function newScorer(ask: ScorerAsk, { root, parsers, templates }: ScorerMaker): Promise<ScorerDraft> {
  const { target, kind } = ask;
  const text = await readTarget(target, ask.text);
  const language = chosenLanguage(ask);
  const around = await lookAround(root, target);
  if (around === undefined) throw new HumanError('bad-target', `${target} doesn't lie in ${root}. Name a file inside it.`);
  const folder = dirname(ask.script ?? target);
  const called = kind === 'function' || kind === 'checks' ? functionsOf(text, around, parsers, language) : [];
  const [first] = called;
  if (first === undefined && (kind === 'function' || (kind === 'checks' && language !== 'shell'))) {
    const instead = kind === 'function' ? 'time a command: --kind command' : 'check it by commands: --kind checks --language shell';
    throw new HumanError('bad-use', `${basename(target)} has no function that a script can call. ${language === 'javascript' ? 'Export one' : 'Write one at its top level'}, or ${instead}`);
  }

  const copied = kind === 'function' && ask.compare === true ? { name: copyName(target), text } : undefined;
  const { values, notes } = await measured(ask, around, folder, language);
  const filled = fill(templates(kind, language), language, {
    ...values,
    TARGET: quoted(inFolder(folder, target), language),
    ...(first === undefined ? {} : valuesOf(first, language)),
    ...(copied === undefined ? {} : { ORIGINAL: quoted(inFolder(folder, join(dirname(target), copied.name)), language) }),
  });
  const { metric, compared, edit } = KINDS[kind];
  const name = ask.script === undefined ? await freeName(folder, scriptNames(kind, language, basename(target, extname(target)))) : basename(ask.script);
  const script = shellWord(slashes(relative(root, join(folder, name))));
  return {
    path: join(folder, name),
    text: filled,
    cursor: cursorAt(filled, language, edit),
    metric: copied === undefined ? metric : (compared ?? metric),
    scorer: language === 'shell' ? `${scriptLanguageOf(target) === 'shell' ? shellOf(text, target) : 'sh'} ${script}` : script,
    ...(copied === undefined ? {} : { copy: { path: join(dirname(target), copied.name), text: copied.text } }),
    notes: [...notes, ...whatIsCalled(kind, called)],
  };
}

/** The calls that a person should look over. */
function whatIsCalled(kind: ScorerAsk['kind'], [first, ...others]: readonly CallableFunction[]): readonly string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` Also there: ${others.map(({ name }) => name).join(', ')}; FUNCTION says which.`;
  return [kind === 'function' ? `It calls ${first.name} with arguments that are only a guess: put in what it is really given.${more}` : `It calls ${first.name}.${more}`];
}

function chosenLanguage({ target, kind, language }: ScorerAsk): ScriptLanguage {
  const possible = languagesFor(kind, target);
  const [natural] = possible;
  const name = basename(target);
  if (natural === undefined) throw new HumanError('bad-use', `No script can call into ${name}. Time a command instead: --kind command`);
  if (language !== undefined && !possible.includes(language)) {
    const why = kind === 'memory' ? 'Node can\'t see the memory of another program' : `it calls into ${name}`;
    throw new HumanError('bad-use', `A script for ${kind} can't be written in ${language} here: ${why}. Use --language ${possible.join(' or ')}`);
  }
  const chosen = language ?? natural;
  if (chosen === 'javascript' && (kind === 'function' || kind === 'checks') && /x$/.test(extname(target)))
    throw new HumanError('bad-use', `Node can't load ${name}, which may hold JSX. Measure it by its tests instead: --kind tests`);
  return chosen;
}

function functionsOf(text: string, { target }: Surroundings, parsers: Parsers, language: ScriptLanguage): readonly CallableFunction[] {
  const grammar = languageOf(target);
  if (language !== scriptLanguageOf(target)) return [];
  return grammar === undefined ? shellFunctions(text) : callableFunctions(parsers.parse(grammar, text));
}

function valuesOf(called: CallableFunction, language: ScriptLanguage): Values {
  const given = sampleArguments(called, language);
  const name = { FUNCTION: quoted(called.name, language) };
  if (language === 'shell') return { ...name, input: given };
  return { ...name, input: `[${given}]`, make_input: `[${given}]` };
}

const LINTERS = {
  javascript: 'Install ESLint in the project, and try again.',
  python: 'Install ruff, flake8 or pyflakes, and try again.',
  shell: 'Install shellcheck, and try again.',
  other: 'Only those of JavaScript, TypeScript, Python and shell are known. Measure its size instead: --kind size',
} as const;

/** The constants for the commands of a script, and what a person should know about them. */
async function measured(ask: ScorerAsk, around: Surroundings, folder: string, language: ScriptLanguage): Promise<{ readonly values: Values; readonly notes: readonly string[] }> {
  const { kind } = ask;
  if (kind === 'function') return { values: {}, notes: [] };
  // Only the shell's has it.
  if (kind === 'checks') return { values: { LOADS: quoted((await programLine(around, folder)) ?? '', language) }, notes: [] };
  const name = basename(around.target);
  const tests = await testLine(around);
  const where = tests?.folder ?? commandFolder(around);
  const place = { FOLDER: quoted(inFolder(folder, where) || '.', language) };
  if (kind === 'tests') {
    if (tests === undefined) throw new HumanError('bad-use', `No tests of ${name} were found that can be run. Write cases of your own: --kind checks`);
    if (tests.junit === undefined) throw new HumanError('bad-use', `No script is needed: the report of your tests is read as it is. Use them as the scorer: --score ${shellWord(tests.command)}`);
    return { values: { ...place, COMMAND: quoted(tests.command, language), REPORT: quoted(tests.junit, language) }, notes: [] };
  }
  const program = await programLine(around, where);
  const check = tests?.gate ?? program ?? '';
  const notes = check === '' ? [`How ${name} is checked isn't known: write CHECK.`] : [];
  const values = { ...place, CHECK: quoted(check, language) };
  const known = async (line: Promise<string | undefined>, sentence: string): Promise<string> => {
    const found = await line;
    if (found === undefined) throw new HumanError('bad-use', sentence);
    return quoted(found, language);
  };
  switch (kind) {
    case 'lint':
      return { values: { ...values, COMMAND: await known(lintLine(around, where, ask.env), `No linter for ${name} was found. ${LINTERS[scriptLanguageOf(name) ?? 'other']}`) }, notes };
    case 'size':
      return { values: { ...values, BUILD: quoted((await buildLine(around, where)) ?? '', language) }, notes };
    case 'command':
    case 'memory': {
      const started = program ?? tests?.gate;
      return { values: { ...values, COMMAND: await known(Promise.resolve(started), `How ${name} is started isn't known. Name a file that can be run by itself, or measure its size: --kind size`) }, notes };
    }
    case 'mix': {
      const bytes = Buffer.byteLength(ask.text ?? (await around.files.read(around.target)) ?? '');
      const start = language === 'javascript' ? `{ bytes: ${bytes}, ms: 100 }` : `{"bytes": ${bytes}, "ms": 100}`;
      return { values: { ...values, ...(program === undefined ? {} : { COMMAND: quoted(program, language) }), START: start, START_BYTES: String(bytes) }, notes };
    }
  }
}

async function freeName(folder: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const isFree = await access(join(folder, name)).then(() => false, () => true);
    if (isFree) return name;
  }
  throw new HumanError('bad-use', `${folder} is full of scoring scripts already. Remove one, or name a file.`);
}
