import { l10n, QuickPickItemKind, Uri, window } from 'vscode';
import type { TryResult, StartPage } from '../../protocol.ts';
import { readChoices, type OptionKey } from '../../loop/options.ts';
import { duration } from '../../loop/stop.ts';
import type { Choice, Dialogs } from '../dialogs.ts';
import { choose, chooseScorer, type Draft } from './draft.ts';

/** A question gives the changed draft, or undefined where the person left it. */
export type Answer = Promise<Draft | undefined>;

type ScorerAnswer = { readonly kind: 'found' } | { readonly kind: 'type' } | { readonly kind: 'template' } | { readonly kind: 'offer'; readonly index: number };

/** Which command says how good the file is. `template`: the person wants one to be made. */
export async function askScorer(dialogs: Dialogs, page: StartPage, draft: Draft, title: string): Promise<Draft | 'template' | undefined> {
  const rows: Choice<ScorerAnswer>[] = page.offers.map((offer, index) => ({
    label: `$(terminal) ${typeof offer.scorer === 'string' ? offer.scorer : offer.scorer.join(' ')}`,
    description: offer.why,
    detail: l10n.t('in {0}', offer.folder),
    value: { kind: 'offer', index },
  }));
  if (draft.flags.scorer !== undefined) rows.push({ label: `$(discard) ${l10n.t('As found')}`, description: l10n.t('forget the command that was chosen here'), value: { kind: 'found' } });
  rows.push(
    { label: `$(edit) ${l10n.t('Type a Command…')}`, description: l10n.t('a shell command that prints the score, or the name of a script'), value: { kind: 'type' } },
    { label: `$(new-file) ${l10n.t('Make One from a Template…')}`, description: l10n.t('opens a small scoring script to fill in and save'), value: { kind: 'template' } },
  );
  const answer = await dialogs.pick(rows, { title, placeholder: l10n.t('Which command says how good the file is? None is run yet.') });
  switch (answer?.kind) {
    case undefined:
      return undefined;
    case 'template':
      return 'template';
    case 'found':
      return choose(chooseScorer(draft, undefined, undefined), { metric: undefined, direction: undefined, unit: undefined });
    case 'type': {
      const { scorer } = draft.flags;
      const text = await dialogs.input({
        title,
        prompt: l10n.t('It runs in {0} and sees the candidate in the file\'s place.', page.root),
        placeholder: 'node score.mjs',
        value: typeof scorer === 'string' ? scorer : '',
        validate: (command) => (command.trim() === '' ? l10n.t('Type the command that prints the score.') : undefined),
      });
      return text === undefined ? undefined : chooseScorer(draft, text.trim(), undefined);
    }
    case 'offer': {
      const offer = page.offers[answer.index];
      if (offer === undefined) return undefined;
      const chosen = chooseScorer(draft, typeof offer.scorer === 'string' ? offer.scorer : [...offer.scorer], offer.folder);
      const { metric } = offer;
      return metric === undefined ? chosen : choose(chosen, { metric: metric.name, direction: metric.direction, unit: metric.unit });
    }
  }
}

/** What is measured, and which way is better. Numbers that a try printed are listed. */
export async function askMetric(dialogs: Dialogs, page: StartPage, tried: TryResult | undefined, draft: Draft, title: string): Answer {
  const rows: Choice<string>[] = [
    { label: 'score', description: l10n.t('from 0 to 100, higher is better'), value: 'score' },
    ...(tried?.candidates ?? []).map(({ name, value }) => ({ label: name, description: l10n.t('the try printed {0}', value), value: name })),
    { label: `$(edit) ${l10n.t('Another Name…')}`, description: l10n.t('as the command prints it'), value: '' },
  ];
  const current = draft.flags.metric ?? page.plan?.metric.name;
  if (current !== undefined && rows.every((row) => row.value !== current)) rows.unshift({ label: current, value: current });
  const picked = await dialogs.pick(rows, { title, placeholder: l10n.t('Which value says how good the file is?'), ...(current === undefined ? {} : { active: current }) });
  const metric = picked === '' ? await askName() : picked;
  if (metric === undefined) return undefined;
  if (metric === 'score') return choose(draft, { metric: undefined, direction: undefined, unit: undefined });
  return askDirection(dialogs, choose(draft, { metric, direction: undefined, unit: undefined }), title);

  async function askName(): Promise<string | undefined> {
    const name = await dialogs.input({
      title, prompt: l10n.t('The name of the value, exactly as the command prints it'), value: '',
      validate: (text) => (fits('metric', text.trim()) ? undefined : l10n.t('Type a name on one line.')),
    });
    return name?.trim();
  }
}

async function askDirection(dialogs: Dialogs, draft: Draft, title: string): Answer {
  const direction = await dialogs.pick<'higher' | 'lower'>([
    { label: `$(arrow-down) ${l10n.t('Lower is better')}`, value: 'lower' },
    { label: `$(arrow-up) ${l10n.t('Higher is better')}`, value: 'higher' },
  ], { title, placeholder: l10n.t('Which way is {0} better?', draft.flags.metric ?? 'score') });
  if (direction === undefined) return undefined;
  const unit = await dialogs.input({ title, prompt: l10n.t('Unit for the screens, such as ms; may stay empty'), value: '' });
  return unit === undefined ? undefined : choose(draft, { direction, unit: unit.trim() === '' ? undefined : unit.trim() });
}

const STOP_KEYS = ['attempts', 'hours', 'until', 'patience', 'tokens'] as const;
type StopKey = (typeof STOP_KEYS)[number];

/** When the run ends by itself. */
export async function askStop(dialogs: Dialogs, draft: Draft, title: string): Answer {
  const names: Readonly<Record<StopKey, string>> = {
    attempts: l10n.t('After a number of attempts…'),
    hours: l10n.t('After some hours…'),
    until: l10n.t('At a time of day…'),
    patience: l10n.t('After attempts in a row without an improvement…'),
    tokens: l10n.t('After a number of the model\'s tokens…'),
  };
  const key = await dialogs.pick<StopKey | 'default'>([
    { label: l10n.t('By how long one run takes'), description: l10n.t('the default: takes back what was chosen here'), value: 'default' },
    { label: '', kind: QuickPickItemKind.Separator, value: 'default' },
    ...STOP_KEYS.map((value) => ({ label: names[value], description: draft.flags[value] === undefined ? '' : l10n.t('now {0}', draft.flags[value]), value })),
  ], { title, placeholder: l10n.t('The first rule that holds ends the run') });
  if (key === undefined) return undefined;
  if (key === 'default') return choose(draft, { attempts: undefined, hours: undefined, until: undefined, patience: undefined, tokens: undefined });
  const text = await dialogs.input({
    title: names[key],
    prompt: key === 'until' ? l10n.t('A time such as 08:00; empty takes the rule back') : l10n.t('A number; empty takes the rule back'),
    value: String(draft.flags[key] ?? ''),
    validate: (given) => (given.trim() === '' || fits(key, key === 'until' ? given.trim() : Number(given)) ? undefined : stopHint(key)),
  });
  if (text === undefined) return undefined;
  const given = text.trim();
  return choose(draft, { [key]: given === '' ? undefined : key === 'until' ? given : Number(given) });
}

/** How sure the run makes of what it keeps. */
export async function askConfirm(dialogs: Dialogs, page: StartPage, draft: Draft, title: string): Answer {
  const confirm = await dialogs.pick<'each' | 'night' | 'off'>([
    { label: `$(verified) ${l10n.t('Each, at Once')}`, description: l10n.t('what looks better is run again until that is sure: nothing is kept by luck'), value: 'each' },
    { label: `$(history) ${l10n.t('Together, at the End')}`, description: l10n.t('what looks better is run again in the last quarter: more attempts, and all from one start'), value: 'night' },
    { label: `$(circle-slash) ${l10n.t('Not at All')}`, description: l10n.t('whatever scores better in one run is kept, lucky or not'), value: 'off' },
  ], { title, placeholder: l10n.t('What looks better may have been lucky. When is it run again?'), active: page.plan?.verifier?.confirm ?? 'each' });
  return confirm === undefined ? undefined : choose(draft, { confirm });
}

/** How much the score differs from seed to seed, where only the person knows. */
export async function askNoise(dialogs: Dialogs, page: StartPage, draft: Draft, title: string): Answer {
  const metric = page.plan?.metric;
  const text = await dialogs.input({
    title,
    prompt: l10n.t('Standard deviation of {0} from seed to seed, as you know it from runs with other seeds; empty takes it back', metric?.unit === undefined ? metric?.name ?? 'score' : `${metric.name} (${metric.unit})`),
    value: String(page.plan?.verifier?.noise ?? ''),
    validate: (given) => (given.trim() === '' || fits('noise', Number(given)) ? undefined : l10n.t('It must be a number above 0, such as 0.4.')),
  });
  if (text === undefined) return undefined;
  return choose(draft, { noise: text.trim() === '' ? undefined : Number(text) });
}

/** Whether an option can have this value. */
function fits(key: OptionKey, value: string | number): boolean {
  return readChoices({ [key]: value }).problems.length === 0;
}

function stopHint(key: StopKey): string {
  if (key === 'until') return l10n.t('It must be a time of day such as 08:00.');
  return key === 'hours' ? l10n.t('It must be a number above 0.') : l10n.t('It must be a whole number above 0.');
}

/** Who proposes the changes. Without a model only where there is something to vary. */
export async function askProposer(dialogs: Dialogs, page: StartPage, server: { readonly baseUrl: string; readonly model: string | undefined; readonly key: string }, draft: Draft, title: string): Answer {
  const rows: Choice<'literals' | 'openai' | 'replay'>[] = [
    { label: `$(server) ${l10n.t('A Model')}`, description: server.model === undefined ? server.baseUrl : l10n.t('{0} at {1}', server.model, server.baseUrl), detail: l10n.t('Any OpenAI-compatible server. It sees this file, what the command prints and program.md · {0}', server.key), value: 'openai' },
    { label: `$(folder) ${l10n.t('Replies from a Folder…')}`, description: '001.md, 002.md, …', detail: l10n.t('Answers that were written before, for tests and audits'), value: 'replay' },
  ];
  if (page.literals !== undefined)
    rows.unshift({ label: `$(symbol-numeric) ${l10n.t('The Numbers and Choices in the File')}`, description: page.literals, detail: l10n.t('No model and no key: it searches over the values that are written there'), value: 'literals' });
  const kind = await dialogs.pick(rows, { title, placeholder: l10n.t('Who proposes the changes?') });
  switch (kind) {
    case undefined:
      return undefined;
    case 'literals':
      return choose(draft, { proposer: 'literals' });
    case 'replay': {
      const picked = await window.showOpenDialog({ canSelectFiles: false, canSelectFolders: true, canSelectMany: false, openLabel: l10n.t('Use These Replies'), defaultUri: Uri.file(page.root) });
      const [folder] = picked ?? [];
      return folder === undefined ? undefined : choose(draft, { proposer: `replay:${folder.fsPath}` });
    }
    case 'openai': {
      const model = await dialogs.input({
        title, prompt: l10n.t('Name of the model at {0}', server.baseUrl), value: server.model ?? '',
        validate: (text) => (text.trim() === '' ? l10n.t('Type the model\'s name, as its server knows it.') : undefined),
      });
      return model === undefined ? undefined : choose(draft, { proposer: 'openai', model: model.trim() });
    }
  }
}

/** Says what one try showed where it gave no score. */
export function tryNotice(result: TryResult): string {
  return l10n.t('The try gave no score: {0} It took {1}.', result.why, duration(result.durationMs));
}
