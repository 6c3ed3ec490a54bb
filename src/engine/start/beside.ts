import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunPlan } from '../../records.ts';
import type { AlsoRun, StartPage } from '../../protocol.ts';
import { limitWords } from '../../loop/checks/limits.ts';
import { isGlob, matcher } from '../../loop/globs.ts';
import type { Choices, Problem } from '../../loop/options.ts';
import type { FoundCommand, FoundCommands } from '../../loop/plan-beside.ts';
import { watchedFiles } from '../run/watched.ts';
import { isFile } from './offers/files.ts';
import type { ChosenScorer } from './scorer-choice.ts';

/** What the commands besides the scorer are looked for with. */
export interface BesideFacts {
  readonly root: string;
  /** Relative to the root. */
  readonly target: string;
  readonly projectModules: ReadonlySet<string>;
  readonly scorer?: ChosenScorer;
}

type Choose = (choice: string | readonly string[]) => Promise<ChosenScorer>;

/** Finds the commands of gates, stages and holdout, and what is held out. Runs nothing. */
export async function findBeside(
  { gates = [], stages = [], holdout }: Choices, facts: BesideFacts, tools: { readonly python: string; readonly node: string }, choose: Choose, display: (chosen: ChosenScorer) => string,
): Promise<{ readonly beside: FoundCommands; readonly problems: readonly Problem[] }> {
  const found = async (choice: string | readonly string[]): Promise<FoundCommand> => {
    const chosen = await choose(choice);
    return { ...chosen, display: display(chosen) };
  };
  const gate = async (choice: string | readonly string[]): Promise<FoundCommand> => {
    const chosen = run(await choose(choice), facts.root, tools);
    return { ...chosen, display: typeof choice === 'string' ? choice : display(chosen) };
  };
  const commands = { gates: await Promise.all(gates.map(gate)), stages: await Promise.all(stages.map(({ scorer }) => found(scorer))) };
  if (holdout === undefined) return { beside: commands, problems: [] };
  const held = await found(holdout.scorer);
  const heldOut = heldOutBy(holdout.files ?? [], held, [...commands.gates, ...commands.stages], facts);
  const missing = (await Promise.all(heldOut.map(async (file) => (isGlob(file) || (await stat(join(facts.root, file)).catch(() => undefined)) !== undefined ? [] : [file])))).flat();
  const problems = missing.map((file): Problem => ({ key: 'holdout', message: `\`holdout\` names ${file}, which is not there. Write its path from the root of the project.` }));
  problems.push(...(await missedBy(heldOut, [...(facts.scorer === undefined ? [] : [{ ...facts.scorer, called: 'the scorer' }]), ...named(commands.gates, 'gate'), ...named(commands.stages, 'stage')], facts)));
  if (matcher(heldOut)(facts.target)) problems.push({ key: 'holdout', message: `\`holdout\` holds out ${facts.target}, the file that changes. Take it out of \`files\`.` });
  return { beside: { ...commands, holdout: held, heldOut }, problems };
}

interface Called extends ChosenScorer {
  readonly called: string;
}

function named(commands: readonly FoundCommand[], role: 'gate' | 'stage'): readonly Called[] {
  return commands.map((command) => ({ ...command, called: `the ${role} ${command.display}` }));
}

/** A problem for each file that another command than the holdout's needs and wouldn't be shown. */
async function missedBy(heldOut: readonly string[], commands: readonly Called[], { root, target, projectModules }: BesideFacts): Promise<readonly Problem[]> {
  const isHeld = matcher(heldOut);
  const missed = commands.flatMap(({ spec, cwd, called }) => watchedFiles({ scorer: spec, cwd, target }, { root, projectModules }).filter(isHeld).map((file) => ({ file, called })));
  const firsts = missed.filter(({ file }, index) => missed.findIndex((each) => each.file === file) === index);
  // Words of a command may name what it only writes.
  const there = await Promise.all(firsts.map(async (each) => ((await isFile(join(root, each.file))) ? [each] : [])));
  return there.flat().map(({ file, called }) => ({ key: 'holdout', message: `\`holdout\` holds out ${file}, which ${called} needs: it would be missing there. Take it out of \`files\`.` }));
}

/** The files that were named, and those that the holdout's command names and no other command does. */
function heldOutBy(files: readonly string[], holdout: ChosenScorer, others: readonly ChosenScorer[], { root, target, projectModules, scorer }: BesideFacts): readonly string[] {
  const filesOf = ({ spec, cwd }: ChosenScorer): readonly string[] => watchedFiles({ scorer: spec, cwd, target }, { root, projectModules });
  const shared = new Set([...(scorer === undefined ? [] : [scorer]), ...others].flatMap(filesOf));
  const isNamed = matcher(files);
  return [...files, ...filesOf(holdout).filter((file) => !shared.has(file) && !isNamed(file))];
}

/** A gate is run as a program: what a module exports is no matter. */
function run(chosen: ChosenScorer, root: string, { python, node }: { readonly python: string; readonly node: string }): ChosenScorer {
  const { spec } = chosen;
  return spec.kind === 'module' ? { ...chosen, spec: { kind: 'argv', argv: [spec.language === 'python' ? python : node, join(root, spec.file)] } } : chosen;
}

/** The rows of the start page for what runs besides the scorer, and for the limits. */
export function alsoOf({ gates = [], stages = [], holdout, limits = [] }: RunPlan, found: FoundCommands, root: string): Pick<StartPage, 'also' | 'limits'> {
  const row = (role: AlsoRun['role'], { display, cwd }: FoundCommand, why: string, env: Readonly<Record<string, string>> = {}): AlsoRun => ({
    role, command: `${Object.entries(env).map(([name, value]) => `${name}=${value} `).join('')}${display}`, folder: join(root, cwd), why,
  });
  const also = [
    ...found.gates.slice(0, gates.length).map((command) => row('gate', command, 'must pass before a score counts')),
    ...stages.flatMap((stage, index) => {
      const command = found.stages[index];
      return command === undefined ? [] : [row('stage', command, stage.when === 'first' ? 'runs before the scorer' : 'runs last, on what would be kept', stage.env)];
    }),
    ...(holdout === undefined || found.holdout === undefined ? [] : [row('holdout', found.holdout, `runs on what would be kept; only it is shown ${holdout.files.length === 0 ? 'no file of its own' : holdout.files.join(', ')}`)]),
  ];
  return { ...(also.length === 0 ? {} : { also }), ...(limits.length === 0 ? {} : { limits: limits.map(limitWords) }) };
}
