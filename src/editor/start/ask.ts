import { ANY_PROPOSER, type Ask, type StartPage } from '../../protocol.ts';
import type { Problem } from '../../loop/options.ts';
import type { EngineLink } from '../connection/link.ts';
import { engineEnvironment } from '../../wire/environment.ts';
import { baseUrlOf } from '../../model-server.ts';
import { chosenPython } from '../python.ts';
import { readSettings } from '../settings.ts';
import type { Draft } from './draft.ts';
import { unsavedText, type Target } from './target.ts';

/** The question as it stands: the file's text of this moment, what was chosen, the settings, the environment. */
export async function askOf(target: Target, draft: Draft): Promise<Ask> {
  const [text, python] = await Promise.all([unsavedText(target), chosenPython(target.uri)]);
  const settings = readSettings(target.uri);
  return {
    target: target.path,
    flags: draft.flags,
    settings: settings.choices,
    env: engineEnvironment(process.env),
    baseUrl: baseUrlOf(settings.baseUrl, process.env),
    ...(text === undefined ? {} : { text }),
    ...(draft.folder === undefined ? {} : { folder: draft.folder }),
    ...(python === undefined ? {} : { python }),
  };
}

/** The start page, and what keeps a run from starting. */
export interface AskedPage {
  readonly page: StartPage;
  /** Empty where the run can start. */
  readonly problems: readonly Problem[];
  /** False while nobody said who proposes; `page.plan` then stands on a proposer that is put in for the question alone. */
  readonly proposerChosen: boolean;
  /** Whether the question held text that isn't saved. */
  readonly unsaved: boolean;
}

/** Asks for the start page, complete but for who proposes where only that is missing. */
export async function askPage(link: EngineLink, ask: Ask): Promise<AskedPage> {
  const page = await link.request('ratchet/page', ask);
  const unsaved = ask.text !== undefined;
  const proposer = page.problems.find((problem) => problem.key === 'proposer' || problem.key === 'model');
  if (proposer === undefined) return { page, problems: page.problems, proposerChosen: true, unsaved };
  const rest = await link.request('ratchet/page', { ...ask, flags: { ...ask.flags, proposer: ANY_PROPOSER } });
  return { page: rest, problems: [...rest.problems, proposer], proposerChosen: false, unsaved };
}
