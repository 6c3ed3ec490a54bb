import { commands, l10n, ProgressLocation, window, type LogOutputChannel, type Memento, type Uri } from 'vscode';
import { COMMANDS, VIEWS } from '../../contributions.ts';
import type { Ask, Requests, StartPage as ShownPage, TryResult } from '../../protocol.ts';
import { clockFrom } from '../../loop/clock.ts';
import type { Engines } from '../connection.ts';
import type { EngineLink } from '../connection/link.ts';
import type { Dialogs } from '../dialogs.ts';
import { reasonOf, Refusal, sentenceOf } from '../errors.ts';
import type { Keys } from '../keys.ts';
import { baseUrlOf, isLocal, originOf } from '../../model-server.ts';
import { readSettings } from '../settings.ts';
import { requireTrust } from '../trust.ts';
import { askOf, askPage, type AskedPage } from './ask.ts';
import type { Draft } from './draft.ts';
import { recall, remember } from './memory.ts';
import { askConfirm, askMetric, askNoise, askProposer, askScorer, askStop, tryNotice } from './questions.ts';
import { scriptFor } from './new-scorer.ts';
import { saveProgram } from './save-program.ts';
import { rowItem } from './row-item.ts';
import { missingRows, pageRows, type RowId } from './rows.ts';
import { findTarget, type Target } from './target.ts';
import { messages } from '../messages.ts';
import { plainMessage } from '../../loop/visible.ts';

/** What the start page works with. */
export interface StartDeps {
  readonly engines: Engines;
  readonly dialogs: Dialogs;
  readonly keys: Keys;
  readonly memory: Memento;
  readonly log: LogOutputChannel;
}

/**
 * Autoresearch This File: one page that shows what was found and asks what is missing, until the person starts or
 * leaves. Resolves with the run's id where one was started. Rejects with Refusal where the file can't be a target.
 */
export async function autoresearch(deps: StartDeps, given: Uri | undefined): Promise<string | undefined> {
  requireTrust();
  const target = await findTarget(given);
  return new StartPage(deps, target).show();
}

/** The page of one file while it is open. */
class StartPage {
  private readonly deps: StartDeps;
  private readonly target: Target;
  private readonly title: string;
  private draft: Draft;
  private tried: TryResult | undefined;

  constructor(deps: StartDeps, target: Target) {
    this.deps = deps;
    this.target = target;
    this.title = l10n.t('Autoresearch {0}', target.name);
    this.draft = recall(deps.memory, target.path);
  }

  async show(): Promise<string | undefined> {
    let active: RowId = 'start';
    for (;;) {
      const asked = await this.ask();
      const row = await this.choose(asked, active);
      if (row === undefined) return undefined;
      active = 'start';
      switch (row) {
        case 'start': {
          const missing = missingRows(asked.problems);
          if (asked.problems.length === 0) {
            const run = await this.start(asked).catch((error: unknown) => this.stayIfChanged(error));
            if (run !== undefined) return run;
            break;
          }
          if (missing.length === 0) throw new Refusal(asked.problems.map(({ message }) => message).join(' '));
          if (await this.solve(asked, missing)) return undefined;
          break;
        }
        case 'try':
          if (asked.page.command === undefined) active = 'run';
          else await this.tryOnce(asked).catch((error: unknown) => this.stay(error));
          break;
        case 'change': {
          const [other] = (await window.showOpenDialog({ canSelectMany: false, defaultUri: this.target.uri, openLabel: l10n.t('Improve This File') })) ?? [];
          if (other !== undefined) return autoresearch(this.deps, other);
          break;
        }
        case 'save':
          await this.save(asked).catch((error: unknown) => this.stay(error));
          break;
        case 'problem':
        case 'also':
        case 'files':
        case 'confinement':
        case 'awake':
          active = row;
          break;
        case 'loopable':
          await commands.executeCommand(COMMANDS.check, this.target.uri);
          return undefined;
        case 'run':
        case 'better':
        case 'stop':
        case 'forecast':
        case 'checked':
        case 'noise':
        case 'proposer':
          if (await this.question(asked, row)) return undefined;
          break;
      }
    }
  }

  /** Asks what is missing, in the page's order, each once. True where the page is left. */
  private async solve(asked: AskedPage, missing: readonly RowId[]): Promise<boolean> {
    for (const row of missing) {
      const before = this.draft;
      if (await this.question(asked, row)) return true;
      if (this.draft === before) return false;
    }
    return false;
  }

  /** Asks one thing. True where the page is left for something else. */
  private async question(asked: AskedPage, row: RowId): Promise<boolean> {
    const { dialogs } = this.deps;
    const { page } = asked;
    switch (row) {
      case 'run': {
        const answer = await askScorer(dialogs, page, this.draft, this.title);
        if (answer === 'template') {
          await scriptFor(this.deps, this.target);
          return true;
        }
        if (answer !== undefined) this.tried = undefined;
        await this.take(answer);
        return false;
      }
      case 'better':
        await this.take(await askMetric(dialogs, page, this.tried, this.draft, this.title));
        return false;
      case 'stop':
      case 'forecast':
        await this.take(await askStop(dialogs, this.draft, this.title));
        return false;
      case 'checked':
        await this.take(await askConfirm(dialogs, page, this.draft, this.title));
        return false;
      case 'noise':
        await this.take(await askNoise(dialogs, page, this.draft, this.title));
        return false;
      case 'proposer': {
        const { choices } = readSettings(this.target.uri);
        const baseUrl = this.baseUrl();
        const answer = await askProposer(dialogs, page, { baseUrl, model: this.draft.flags.model ?? choices.model, key: await this.deps.keys.words(baseUrl) }, this.draft, this.title);
        await this.take(answer);
        if (answer?.flags.proposer === 'openai' && (await this.needsKey(baseUrl))) await this.deps.keys.ask(baseUrl, dialogs);
        return false;
      }
      default:
        return false;
    }
  }

  private async take(draft: Draft | undefined): Promise<void> {
    if (draft === undefined) return;
    this.draft = draft;
    await remember(this.deps.memory, this.target.path, draft);
  }

  private async ask(): Promise<AskedPage> {
    return askPage(await this.link(), await askOf(this.target, this.draft));
  }

  private async choose(asked: AskedPage, active: RowId): Promise<RowId | undefined> {
    const rows = pageRows({
      ...asked,
      chosen: Object.keys(this.draft.flags),
      target: this.target.path,
      ...(this.tried === undefined ? {} : { tried: this.tried }),
      key: await this.deps.keys.words(this.baseUrl()),
      nowMs: Date.now(),
      clock: clockFrom(Date.now()),
    }, l10n);
    return this.deps.dialogs.pick(rows.map((row) => rowItem(row, row.id, row.id === 'start')), { title: this.title, placeholder: l10n.t('This is what will happen. Choose a row to change it, or start.'), active });
  }

  private async tryOnce({ page }: AskedPage): Promise<void> {
    const link = await this.link();
    const ask = asSeen(await askOf(this.target, this.draft), page);
    const options = { location: ProgressLocation.Notification, title: plainMessage(l10n.t('Running the command once on {0}', this.target.name)), cancellable: true };
    const result = await window.withProgress(options, (_, token) => link.request('ratchet/try', ask, token));
    this.tried = result;
    this.deps.log.info(`[start] one try: ${result.outcome}; ${result.why}`);
    if (result.score !== undefined) return;
    if (result.output !== '') this.deps.log.info(`[start] it printed:\n${result.output}`);
    if (result.candidates.length > 0) await this.take(await askMetric(this.deps.dialogs, (await this.ask()).page, result, this.draft, tryNotice(result)));
  }

  /** What was chosen stands in program.md from then on, and an edit of it there counts. */
  private async save({ page }: AskedPage): Promise<void> {
    await saveProgram(page.program, this.draft.flags);
    await this.take({ ...this.draft, flags: {} });
  }

  /** A refusal of a try leaves the page open: the next row may solve it. */
  private stay(error: unknown): void {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    void messages.error(sentence);
  }

  /** What changed since the page was shown is shown again, not started. */
  private stayIfChanged(error: unknown): void {
    if (reasonOf(error) !== 'changed') throw error;
    this.stay(error);
  }

  private async start({ page }: AskedPage): Promise<string> {
    const proposer = page.plan?.proposer;
    const apiKey = proposer?.kind === 'openai' ? (await this.deps.keys.find(proposer.baseUrl))?.key : undefined;
    const link = await this.link();
    const params: Requests['ratchet/start']['params'] = { ...asSeen(await askOf(this.target, this.draft), page), detached: true, ...(apiKey === undefined ? {} : { apiKey }) };
    const { run } = await link.request('ratchet/start', params);
    this.deps.log.info(`[start] run ${run}: ${page.command ?? ''} in ${page.folder ?? page.root}`);
    await remember(this.deps.memory, this.target.path, this.draft);
    await commands.executeCommand(`${VIEWS.runs}.focus`, { preserveFocus: true });
    return run;
  }

  private async link(): Promise<EngineLink> {
    return this.deps.engines.of(this.target.root).open();
  }

  private baseUrl(): string {
    return baseUrlOf(readSettings(this.target.uri).baseUrl, process.env);
  }

  private async needsKey(baseUrl: string): Promise<boolean> {
    const origin = originOf(baseUrl);
    return origin !== undefined && !isLocal(origin) && (await this.deps.keys.find(baseUrl)) === undefined;
  }
}

/** The question, to be answered only where it is still about what the page showed. */
function asSeen(ask: Ask, { id }: ShownPage): Ask {
  return id === undefined ? ask : { ...ask, seen: id };
}
