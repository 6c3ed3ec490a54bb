import { commands, l10n, type Disposable } from 'vscode';
import { COMMANDS, VIEWS } from '../contributions.ts';
import { askNeeds } from './needs.ts';
import type { RunView } from './run-source.ts';
import { isActive, type Runs } from './runs.ts';
import { messages } from './messages.ts';

/** Tells once of each mistake in a program.md that a run goes on without. */
export function tellProgramProblems(runs: Runs): Disposable {
  const told = new Map<string, string>();
  return runs.onDidChange(({ run }) => {
    for (const view of run === undefined ? runs.runs : [runs.view(run)]) {
      const problem = view?.state?.programProblem;
      if (view === undefined || problem === undefined || !isActive(view) || told.get(view.run) === problem) continue;
      told.set(view.run, problem);
      void messages.warn(problem);
    }
  });
}

/** Tells once how a run ended that this window saw going on. */
export function tellEnds(runs: Runs): Disposable {
  const going = new Set<string>();
  return runs.onDidChange(({ run }) => {
    for (const view of run === undefined ? runs.runs : [runs.view(run)]) {
      if (view === undefined) continue;
      if (view.state?.end === undefined) {
        if (isActive(view)) going.add(view.run);
      } else if (going.delete(view.run)) void (view.state.end.needs === undefined ? tellEnd(view) : askNeeds(runs, view));
    }
  });
}

async function tellEnd({ run, state }: RunView): Promise<void> {
  if (state?.end === undefined) return;
  const [show, accept] = [l10n.t('Show'), l10n.t('Accept…')];
  const improved = state.champion > 0;
  // Who stopped it knows, and has nothing to do.
  if (state.end.reason === 'stopped' && !improved) return;
  const sentence = l10n.t('{0} — {1}', state.plan.target, state.end.sentence);
  const picked = await messages.info(sentence, ...(improved ? [show, accept] : [show]));
  if (picked === accept) await commands.executeCommand(COMMANDS.accept, { run });
  else if (picked === show) await (improved ? commands.executeCommand(COMMANDS.openBest, { run }) : commands.executeCommand(`${VIEWS.runs}.focus`));
}
