import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandPlan, RunPlan } from '../../records.ts';
import { DEFAULT_BASE_URL, type ResumeAsk, type StartPage } from '../../protocol.ts';
import { opens, readAllowed } from '../../loop/allow.ts';
import type { RunState } from '../../loop/ledger.ts';
import { readChoices, type Choices, type Problem } from '../../loop/options.ts';
import type { FoundCommand } from '../../loop/plan-beside.ts';
import { originOf } from '../../model-server.ts';
import { HumanError } from '../../errors.ts';
import { isWithin } from '../../wire/root.ts';
import { confinementOf, confinementOnPage, missingAllowed } from '../confine/confinement.ts';
import { withDefaults } from '../execute/limits.ts';
import { scorerCommand } from '../scorer.ts';
import { findNode, findPython } from '../tools.ts';
import { alsoOf } from './beside.ts';
import { needsTypes, type Prepared, type World } from './prepare.ts';
import { nextClock, programNow } from './program-now.ts';
import { projectModulesOf } from './project-modules.ts';

/**
 * Finds out what a run that goes on would run, by the plan in its ledger: program.md may say something else by now, and
 * steers it as it would have. What no ledger holds comes with the question. `text`: the run's start file. Runs nothing of the
 * project but `node --version`. Rejects with HumanError where the target is gone.
 */
export async function prepareAgain({ id, plan, given, startedAt }: RunState, text: string, ask: ResumeAsk, world: World): Promise<Prepared> {
  const target = await realpath(join(world.root, plan.target)).catch(() => {
    throw new HumanError('bad-target', `${plan.target} is gone, and run ${id} is about it. Put the file back, and resume again.`);
  });
  // A ledger may have come with the workspace.
  if (!isWithin(world.root, target)) throw new HumanError('bad-target', `${target} is outside of ${world.root}.`);
  const python = ask.python ?? (await findPython({ root: world.root, folder: dirname(target) }, ask.env)).path;
  const node = await findNode(ask.env, needsTypes(typescriptIn(plan), target));
  const tools = { python, node: node.path, nodeEnv: node.env };
  const probe = world.confinement ?? { kind: 'none', how: 'none: the scorer runs with your rights' };
  const top = await realpath(world.top);
  const confinement = await confinementOf({ plan, probe, top, root: await realpath(world.root), tools, env: ask.env });
  const command = (spec: CommandPlan['spec']): string => scorerCommand(spec, { root: world.root, target, inside: (inside) => inside }, tools, process.platform).display;
  const found = ({ spec, cwd }: CommandPlan): FoundCommand => ({ spec, cwd, display: command(spec) });
  const { gates = [], stages = [], holdout } = plan;
  const beside = { gates: gates.map(found), stages: stages.map(found), ...(holdout === undefined ? {} : { holdout: found(holdout), heldOut: holdout.files }) };
  const problems = [...modelProblem(plan, ask.baseUrl), ...confinementProblems(plan, probe.kind === 'none' ? probe.how : undefined, ask.env)];
  const page: StartPage = {
    ...(problems.length === 0 ? { plan } : {}),
    problems,
    root: world.root,
    command: command(plan.scorer),
    folder: join(world.root, plan.cwd),
    why: `run ${id} was started with it`,
    source: 'ledger',
    ...alsoOf(plan, beside, world.root),
    offers: [],
    program: join(world.root, plan.program ?? join(dirname(plan.target), 'program.md')),
    scratch: world.scratch,
    ...confinementOnPage(plan, probe, { top, env: ask.env }),
    resources: withDefaults(plan.resources),
    ...opens(plan),
  };
  const workspace = {
    root: world.root, top: world.top, target,
    ...(plan.cache === undefined ? {} : { carried: plan.cache }), ...(holdout === undefined ? {} : { heldOut: holdout.files }), ...(confinement === undefined ? {} : { privately: confinement.privately, caches: confinement.caches }),
  };
  const said = givenBy(plan, given);
  // `until: 08:00` stays the morning after the run's start.
  const asked = new Date(startedAt);
  return {
    page, text, workspace, ...(confinement === undefined ? {} : { confinement }), tools, projectModules: await projectModulesOf(target), given: said,
    readProgram: () => programNow(plan.program === undefined ? undefined : join(world.root, plan.program), said, { nextClock: (hours, minutes) => nextClock(asked, hours, minutes) }),
  };
}

/** A model is asked where the person asks one today: what a ledger names may have come with the workspace. */
function modelProblem({ proposer }: RunPlan, baseUrl = DEFAULT_BASE_URL): readonly Problem[] {
  if (proposer.kind !== 'openai' || originOf(proposer.baseUrl) === originOf(baseUrl)) return [];
  return [{ key: 'model', message: `This run asked the model ${proposer.model} at ${proposer.baseUrl}, and yours is at ${baseUrl} now. Set it as it was (OPENAI_BASE_URL, or the setting ratchet.model.baseUrl), or start a new run.` }];
}

function confinementProblems({ sandbox, allow = [] }: RunPlan, whyNot: string | undefined, env: ResumeAsk['env']): readonly Problem[] {
  const missing = missingAllowed(readAllowed(allow), env);
  return [
    ...(missing === undefined ? [] : [{ key: 'allow', message: `The run was allowed ${missing}, which isn't there any more. Make it, or start a new run.` }]),
    ...(sandbox === 'required' && whyNot !== undefined ? [{ key: 'sandbox', message: `This run requires confinement, which is ${whyNot}.` }] : []),
  ];
}

/** Of a ledger from before flags were written down the rules that held stand in for settings. */
function givenBy({ stop: { attempts, hours, patience, tokens, targetScore } }: RunPlan, given: RunState['given']): { readonly flags: Choices; readonly settings: Choices } {
  if (given === undefined) return { flags: {}, settings: readChoices({ attempts, hours, patience, tokens, target_score: targetScore }).choices };
  return { flags: readChoices(given.flags).choices, settings: readChoices(given.settings).choices };
}

/** A word of the scorer by which Node's age matters. */
function typescriptIn({ scorer }: RunPlan): string | readonly string[] {
  switch (scorer.kind) {
    case 'shell':
      return scorer.command;
    case 'argv':
      return scorer.argv;
    case 'module':
      return scorer.file;
    case 'self':
      return [];
  }
}
