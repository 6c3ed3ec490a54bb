import { writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { HumanError } from '../../errors.ts';
import { loadParsers } from '../../engine/parsers.ts';
import { newScorer as make } from '../../engine/start/new-scorer.ts';
import { loadTemplates } from '../../engine/start/new-scorer/templates.ts';
import { shellWord } from '../../loop/shell-word.ts';
import { KINDS } from '../../loop/new-scorer/kinds.ts';
import { readLanguage, SCORER_KINDS, scriptLanguageOf, type ScorerKind, type ScriptLanguage } from '../../loop/new-scorer/names.ts';
import type { ScorerDraft } from '../../protocol.ts';
import { engineEnvironment } from '../../wire/environment.ts';
import { assetsFolder, templatesFolder } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { placeOfTarget } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** The flags of `ratchet new-scorer`. */
export interface NewScorerFlags {
  readonly kind?: string;
  readonly language?: string;
  /** A path; `-` is standard output. */
  readonly out?: string;
}

/** What each kind measures, in the words of a list. */
const MEASURES: Readonly<Record<ScorerKind, string>> = {
  checks: 'cases that you write down, and how many a function gets right',
  tests: 'how many of the project\'s tests pass',
  function: 'the speed of a function, against the file as it is now',
  command: 'the time of a command',
  memory: 'the most memory that a program holds',
  size: 'the size of a bundle, a binary or the file',
  lint: 'findings of a linter',
  mix: 'several of these in one number, weighted',
};

/** `ratchet new-scorer [FILE] --kind K`: writes a scoring script beside the file, or lists the kinds. */
export async function newScorer(terminal: Terminal, file: string | undefined, flags: NewScorerFlags): Promise<number> {
  const kind = kindOf(flags.kind);
  const given = flags.language === undefined ? undefined : languageOf(flags.language);
  if (file === undefined) {
    if (kind !== undefined) throw new HumanError('bad-use', `Which file should the script score? As in: ratchet new-scorer FILE --kind ${kind}`);
    terminal.out(`What a scoring script can measure, as in: ratchet new-scorer FILE --kind checks\n${kindsList()}`);
    return EXIT.done;
  }
  const { root, target } = await placeOfTarget(terminal, file);
  if (kind === undefined) throw new HumanError('bad-use', `What should the script measure? Add --kind and one of these:\n${kindsList()}`);
  const prints = flags.out === '-';
  const script = flags.out === undefined || prints ? undefined : resolve(terminal.cwd, flags.out);
  const language = given ?? (script === undefined ? undefined : scriptLanguageOf(script));
  const [parsers, templates] = await Promise.all([loadParsers(assetsFolder()), loadTemplates(templatesFolder())]);
  const draft = await make({
    target, kind, env: engineEnvironment(terminal.env), compare: !prints, ...(language === undefined ? {} : { language }), ...(script === undefined ? {} : { script }),
  }, { root, parsers, templates });
  if (prints) terminal.out(draft.text);
  else terminal.out(await write(terminal, file, kind, draft));
  return EXIT.done;
}

/** Writes what was made; gives what to tell. */
async function write(terminal: Terminal, file: string, kind: ScorerKind, { path, text, copy, metric, scorer, notes }: ScorerDraft): Promise<string> {
  const near = (place: string): string => relative(terminal.cwd, place) || place;
  if (!(await created(path, text))) throw new HumanError('bad-use', `${near(path)} is there already and stays as it is. Name another file: --out FILE`);
  const copied = copy === undefined ? '' : (await created(copy.path, copy.text))
    ? `Made ${near(copy.path)}, the file as it is now: what it is compared with.\n`
    : `${near(copy.path)} was there already and stays as it is: what it is compared with.\n`;
  const flags = metric.name === 'score' ? '' : ` --metric ${metric.name} --direction ${metric.direction}`;
  const next = `${terminal.self} score ${shellWord(file)} --score ${shellWord(scorer)}${flags}`;
  return `Made ${near(path)}: ${MEASURES[kind]} (${metric.name}, ${metric.direction} is better).\n${copied}${notes.map((note) => `${note}\n`).join('')}What is yours to change stands at its top. Try it:\n    ${next}\n`;
}

/** Writes a new file. False where one is there already. */
async function created(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    switch (code) {
      case 'EEXIST':
        return false;
      case 'ENOENT':
      case 'ENOTDIR':
        throw new HumanError('bad-use', `There is no folder ${dirname(path)}. Make it first, or name another file: --out FILE`);
      case 'EACCES':
      case 'EPERM':
      case 'EROFS':
        throw new HumanError('bad-use', `${dirname(path)} can't be written (${code}). Name a file elsewhere: --out FILE`);
      default:
        throw error;
    }
  }
}

function kindsList(): string {
  return SCORER_KINDS.map((kind) => `  ${kind.padEnd(10)}${MEASURES[kind]} (${KINDS[kind].compared?.name ?? KINDS[kind].metric.name})\n`).join('');
}

function kindOf(name: string | undefined): ScorerKind | undefined {
  const kind = SCORER_KINDS.find((each) => each === name);
  if (name !== undefined && kind === undefined) throw new HumanError('bad-use', `${name} is not something that a script here can measure. --kind is one of ${SCORER_KINDS.join(', ')}.`);
  return kind;
}

function languageOf(name: string): ScriptLanguage {
  const language = readLanguage(name);
  if (language === undefined) throw new HumanError('bad-use', `There are no templates in ${name}. --language is javascript (for TypeScript too), python or shell.`);
  return language;
}
