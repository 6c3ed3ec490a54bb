import { realpath } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { DEFAULT_BASE_URL, type Ask, type StartPage } from '../../protocol.ts';
import { liveChoices, type Choices, type Problem } from '../../loop/options.ts';
import { makePlan, mergeChoices } from '../../loop/plan.ts';
import { opens, readAllowed } from '../../loop/allow.ts';
import { matcher } from '../../loop/globs.ts';
import { markerProblem } from '../../loop/protect-markers.ts';
import { readProgram, type Program } from '../../loop/program.ts';
import { seedsItselfInside } from '../../loop/random-stream.ts';
import { seedProblem } from '../../loop/seed-problem.ts';
import { describeLiterals, findLiterals } from '../../search/literals.ts';
import { HumanError } from '../../errors.ts';
import { confinementOf, confinementOnPage, missingAllowed, type Confinement } from '../confine/confinement.ts';
import type { ConfinementProbe } from '../confine/probe.ts';
import { withDefaults } from '../execute/limits.ts';
import type { Parsers } from '../parsers.ts';
import { protectionOf, treeOf } from '../code.ts';
import type { ProgramNow } from '../run/context.ts';
import type { Workspace } from '../scratch/slot.ts';
import { scorerCommand, type ScorerCommand, type ScorerTools } from '../scorer.ts';
import type { AllowedAnswers, Answer } from '../../wire/allowed.ts';
import { toolFolderOf } from '../../wire/landing.ts';
import { isWithin } from '../../wire/root.ts';
import { foldersUp } from '../folders.ts';
import { findNode, findPython, type PythonTool } from '../tools.ts';
import { findTrainPython } from '../train-python.ts';
import { alsoOf, findBeside } from './beside.ts';
import { readContextFile } from './context-files.ts';
import { findOffers } from './offers.ts';
import { findProgram, PROGRAM, readProgramText } from './program-file.ts';
import { nextClock, programNow } from './program-now.ts';
import { projectModulesOf } from './project-modules.ts';
import { chooseScorer, slashes, type ChosenScorer } from './scorer-choice.ts';
import { readTarget } from './target.ts';

/** What the world looks like to one root's engine. */
export interface World {
  readonly root: string;
  readonly top: string;
  readonly parsers: Parsers;
  readonly now: () => Date;
  /** What scratch can do here, for the start page. */
  readonly scratch: string;
  /** What confinement can start here; absent where it was never looked for. */
  readonly confinement?: ConfinementProbe;
  /** What a person allowed before. */
  readonly answers?: AllowedAnswers;
}

/** A question answered: the page for people, and what a run needs beside the plan. */
export interface Prepared {
  readonly page: StartPage;
  readonly text: string;
  readonly workspace: Workspace;
  readonly tools: ScorerTools;
  /** Absent where commands run with the person's rights. */
  readonly confinement?: Confinement;
  readonly projectModules: ReadonlySet<string>;
  /** What flags and settings say of the live keys. */
  readonly given: { readonly flags: Choices; readonly settings: Choices };
  readonly readProgram: () => Promise<ProgramNow | undefined>;
}

/**
 * Finds out what would be run, and what is missing. Writes nothing and runs nothing of the project: only
 * `node --version`, of the Node on the PATH. Rejects with HumanError where the target can't be one.
 */
export async function prepare(ask: Ask, world: World): Promise<Prepared> {
  const asked = world.now();
  const text = await readTarget(ask.target, ask.text);
  const target = await realpath(ask.target);
  const path = slashes(relative(world.root, target));
  if (!isWithin(world.root, target)) throw new HumanError('bad-target', `${target} is outside of ${world.root}.`);
  const tool = toolFolderOf(relative(world.root, target));
  if (tool !== undefined) throw new HumanError('bad-target', `${target} lies in a ${tool} folder. Choose a file of your own.`);

  const programPath = ask.program ?? (await findProgram(target));
  const programText = programPath === undefined ? undefined : await readProgramText(programPath);
  const program = programText === undefined ? NO_PROGRAM : readProgram(programText);
  const choices = withAnswer(ask.flags, mergeChoices(ask.flags, program.choices, ask.settings), await world.answers?.of(path) ?? {});
  const { confinement: confining = NOT_PROBED } = world;
  // The name decides, unless a person gives a scorer or asks for the metric of a train.py.
  const trainPy = basename(target) === 'train.py' || (choices.metric === 'val_bpb' && extname(target) === '.py');

  const python: PythonTool = ask.python === undefined ? await findPython({ root: world.root, folder: dirname(target) }, ask.env) : { path: ask.python, why: 'the interpreter chosen in the editor' };
  const train = trainPy ? await findTrainPython(text, python, { root: world.root, folder: dirname(target) }, ask.env) : undefined;
  const node = await findNode(ask.env, needsTypes(choices.scorer, target));
  const tools = { python: python.path, node: node.path, nodeEnv: node.env };
  const problems: Problem[] = program.problems.map((problem) => ({ ...problem, message: `${slashes(relative(world.root, programPath ?? ''))}:${problem.line}: ${problem.message}` }));
  const chosen = await chosenScorer();
  const projectModules = await projectModulesOf(target);
  const found = await findBeside(choices, { root: world.root, target: path, projectModules, ...(chosen === undefined ? {} : { scorer: chosen }) }, { python: tools.python, node: tools.node }, (choice) => chooseCommand(choice), (each) => commandOf(each).display);
  problems.push(...found.problems);
  const { beside } = found;
  for (const file of await Promise.all((choices.context ?? []).map((name) => readContextFile(world.root, name, beside.heldOut)))) if (!file.ok) problems.push({ key: 'context', message: file.problem });
  for (const words of choices.protect ?? []) if (!text.includes(words)) problems.push({ key: 'protect', message: `\`protect\` names ${JSON.stringify(words)}, which stands nowhere in ${basename(target)}. Write it as it stands there, or take it out.` });
  const markers = markerProblem(text);
  if (markers !== undefined) problems.push({ key: 'protect', message: `${basename(target)}: ${markers}` });

  if (matcher(choices.cache ?? [])(path)) problems.push({ key: 'cache', message: `\`cache\` names ${path}, the file that changes. Name folders of caches alone.` });
  const missing = missingAllowed(readAllowed(choices.allow ?? []), ask.env);
  if (missing !== undefined) problems.push({ key: 'allow', message: `\`allow\` names ${missing}, which isn't there. Make it, or take it out.` });
  if (choices.sandbox === 'required' && confining.kind === 'none') problems.push({ key: 'sandbox', message: `\`sandbox\` is required, and confinement is ${confining.how}. Or run it with your rights: --sandbox off.` });

  const tree = treeOf(text, path, world.parsers);
  const noSeed = choices.seed === undefined ? undefined : seedProblem(text, tree, choices.seed, { program: programPath === undefined ? PROGRAM : basename(programPath), target: basename(target) });
  if (noSeed !== undefined) problems.push({ key: 'seed', message: noSeed });

  const facts = {
    target: path,
    trainPy,
    baseUrl: ask.baseUrl ?? DEFAULT_BASE_URL,
    seed: ask.seed ?? 1,
    nowMs: asked.getTime(),
    // Also for a program that is read again: `until: 08:00` stays this morning's, whenever its line is read.
    nextClock: (hours: number, minutes: number) => nextClock(asked, hours, minutes),
    ...(chosen === undefined ? {} : { scorer: chosen }),
    beside,
    ...(programPath === undefined ? {} : { program: slashes(relative(world.root, programPath)) }),
  };
  const planned = makePlan(choices, facts);
  // Of front matter that can't be read nothing is known: what seems missing may well stand there.
  if (!planned.ok && !program.problems.some(({ key }) => key === undefined)) problems.push(...planned.problems);
  const varied = findLiterals(text, tree, protectionOf(text, planned.ok ? planned.plan : { target: path, protect: choices.protect ?? [], trainPy }, world.parsers, projectModules));
  if (planned.ok && planned.plan.proposer.kind === 'literals' && varied.length === 0)
    problems.push({ key: 'proposer', message: 'There is no number or choice in this file to vary. Choose another way to propose changes.' });
  const top = await realpath(world.top);
  const page: StartPage = {
    ...(planned.ok && problems.length === 0 ? { plan: planned.plan } : {}),
    problems,
    root: world.root,
    ...(chosen === undefined ? {} : shown(chosen)),
    ...(planned.ok ? alsoOf(planned.plan, beside, world.root) : {}),
    offers: choices.scorer === undefined && !trainPy ? await findOffers(world.root, target) : [],
    ...(varied.length === 0 ? {} : { literals: describeLiterals(varied) }),
    ...(seedsItselfInside(text, tree, trainPy, choices.seed) ? { seededInside: true } : {}),
    program: programPath ?? join(dirname(target), PROGRAM),
    scratch: world.scratch,
    ...confinementOnPage(choices, confining, { top, env: ask.env }),
    ...(planned.ok ? { resources: withDefaults(planned.plan.resources) } : {}),
    ...opened(program, ask.flags),
  };
  const confinement = planned.ok ? await confinementOf({ plan: planned.plan, probe: confining, top, root: await realpath(world.root), tools, env: ask.env }) : undefined;
  const workspace = {
    root: world.root, top: world.top, target,
    ...(choices.cache === undefined ? {} : { carried: choices.cache }), ...(beside.heldOut === undefined ? {} : { heldOut: beside.heldOut }), ...(confinement === undefined ? {} : { privately: confinement.privately, caches: confinement.caches }),
  };
  return { page, text, workspace, ...(confinement === undefined ? {} : { confinement }), tools, projectModules, given: { flags: liveChoices(ask.flags), settings: liveChoices(ask.settings) }, readProgram: () => programNow(programPath, ask, facts) };

  async function chosenScorer(): Promise<ChosenScorer | undefined> {
    if (choices.scorer !== undefined) return chooseCommand(choices.scorer, ask.folder);
    return train === undefined ? undefined : { spec: { kind: 'self', python: train.argv }, cwd: slashes(relative(world.root, dirname(target))) };
  }

  /** `folder`: the one that a person chose for the scorer on the page. */
  async function chooseCommand(choice: string | readonly string[], folder?: string): Promise<ChosenScorer> {
    const others = [...(programPath === undefined ? [] : [dirname(programPath)]), ...foldersUp(dirname(target), world.root)];
    return chooseScorer(choice, world.root, { others, ...(folder === undefined ? {} : { chosen: folder }) }, tools);
  }

  function commandOf({ spec }: ChosenScorer): ScorerCommand {
    return scorerCommand(spec, { root: world.root, target, inside: (inside) => inside }, tools, process.platform);
  }

  function shown({ spec, cwd }: ChosenScorer): Pick<StartPage, 'command' | 'folder' | 'why' | 'source'> {
    const command = commandOf({ spec, cwd });
    const source = choices.scorer === undefined ? 'train.py' : ask.flags.scorer !== undefined ? 'flag' : 'program';
    const why = source === 'train.py' ? 'a train.py is its own scorer' : source === 'flag' ? 'you named it' : `${facts.program ?? 'program.md'} names it`;
    const tool = source === 'train.py' ? train?.why : command.file === tools.node ? node.why : undefined;
    return { command: command.display, folder: join(world.root, cwd), why: tool === undefined ? why : `${why}; ${tool}`, source };
  }
}

/** Whether the scorer's Node must read TypeScript: the scorer is written in it, or the target that it loads. */
export function needsTypes(scorer: string | readonly string[] | undefined, target: string): boolean {
  const words = typeof scorer === 'string' ? scorer.split(/[\s"']+/) : (scorer ?? []);
  return [...words, target].some((word) => /\.[cm]?ts$/.test(word));
}

/** What a person allowed at an earlier question is allowed still, unless a flag says what is. */
function withAnswer(flags: Choices, choices: Choices, answer: Answer): Choices {
  const sandbox = choices.sandbox ?? answer.sandbox;
  const allow = flags.allow ?? [...new Set([...(choices.allow ?? []), ...(answer.allow ?? [])])];
  return { ...choices, ...(sandbox === undefined ? {} : { sandbox }), ...(allow.length === 0 ? {} : { allow }) };
}

/** What program.md opens, and no flag overrules: to be confirmed as its commands are. */
function opened({ choices: { sandbox, allow } }: Program, flags: Choices): Pick<StartPage, 'opens'> {
  return opens({ ...(flags.sandbox === undefined ? { sandbox } : {}), ...(flags.allow === undefined ? { allow } : {}) });
}

const NOT_PROBED: ConfinementProbe = { kind: 'none', how: 'none: the scorer runs with your rights' };

const NO_PROGRAM: Program = { choices: {}, strategy: '', problems: [] };
