import type { LedgerEvent } from '../../records.ts';
import type { StartPage } from '../../protocol.ts';
import { HumanError } from '../../errors.ts';
import { keyFor, keysFromEnvironment } from '../../engine/proposers/keys.ts';
import { attemptOf, fold, type RunState } from '../../loop/ledger.ts';
import type { EngineClient } from '../../wire/client.ts';
import { follow } from '../../wire/follow.ts';
import { askOf, type RunFlags } from '../ask.ts';
import { isConfirmed, rememberConfirmed } from '../confirmed.ts';
import { engineOf } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { attemptLine, runLine } from '../render.ts';
import { placeOfTarget, type Place } from '../root.ts';
import { startPage } from '../start-page.ts';
import type { Terminal } from '../terminal.ts';
import { championPatch } from './history.ts';

export interface StartFlags extends RunFlags {
  readonly detach?: boolean;
}

/** `ratchet run FILE`: starts a run and follows it to its end; with --detach leaves it to the engine. */
export async function runCommand(terminal: Terminal, file: string, flags: StartFlags): Promise<number> {
  const place = await placeOfTarget(terminal, file);
  const ask = askOf(terminal, place.target, flags);
  const client = await engineOf(place);
  try {
    const page = await client.request('ratchet/page', ask);
    if (page.plan === undefined) throw new HumanError('bad-use', problemText(page));
    if (flags.json !== true) terminal.err(startPage(page));
    if (!(await mayStart(terminal, page, place, flags))) return EXIT.refused;

    const apiKey = page.plan.proposer.kind === 'openai' ? keyFor(page.plan.proposer.baseUrl, keysFromEnvironment(terminal.env)) : undefined;
    const { run } = await client.request('ratchet/start', { ...ask, detached: flags.detach === true, ...(apiKey === undefined ? {} : { apiKey }) });
    if (flags.detach === true) {
      terminal.out(flags.json === true ? `${JSON.stringify({ run })}\n` : `${run}\nIt goes on without this terminal. Watch it with: ratchet show ${run}   Stop it with: ratchet stop ${run}\n`);
      return EXIT.done;
    }
    const { state, interrupted } = await watch(terminal, client, run, flags.json === true);
    if (interrupted) return EXIT.interrupted;
    if (flags.json !== true) {
      const patch = await championPatch(place, state);
      terminal.out(`\n${runLine(state)}\n${state.end?.sentence ?? ''}\n${patch === '' ? '' : `\n${patch}\nYour file is unchanged. Take it with: ratchet accept ${run}\n`}`);
    }
    return exitOfRun(state);
  } finally {
    client.close();
  }
}

/** A command that nobody at this terminal wrote is shown and confirmed once per text. */
async function mayStart(terminal: Terminal, page: StartPage, place: Place, flags: StartFlags): Promise<boolean> {
  if (flags.yes === true || page.source !== 'program') return true;
  const text = `${page.folder ?? ''}\n${page.command ?? ''}`;
  if (await isConfirmed(place.runtime, text)) return true;
  if (!terminal.interactive || flags.json === true)
    throw new HumanError('bad-use', `${page.why ?? ''}: ${page.command ?? ''}. Nobody has confirmed that command yet: look at it, then add --yes, or name it with --score.`);
  if (!(await terminal.confirm('Start?'))) return false;
  await rememberConfirmed(place.runtime, text);
  return true;
}

/** Follows a run to its end. Ctrl-C and hang-up stop it; its processes are gone when this resolves. */
async function watch(terminal: Terminal, client: EngineClient, run: string, json: boolean): Promise<{ readonly state: RunState; readonly interrupted: boolean }> {
  let state: RunState | undefined;
  let interrupted = false;
  const ended = Promise.withResolvers<void>();
  const interrupt = (): void => {
    if (interrupted) return;
    interrupted = true;
    client.request('ratchet/stop', { run }).then(() => ended.resolve(), () => ended.resolve());
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
  const onEvent = (event: LedgerEvent): void => {
    state = fold(state, event);
    if (json) terminal.out(`${JSON.stringify(event)}\n`);
    else if (event.type === 'judged' && state !== undefined) {
      const attempt = attemptOf(state, event.attempt);
      if (attempt !== undefined) terminal.out(`${attemptLine(attempt, state, terminal)}\n`);
    }
    if (event.type === 'run-ended') ended.resolve();
  };
  try {
    await follow(client, run, onEvent);
    await Promise.race([ended.promise, client.closed]);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt).off('SIGHUP', interrupt);
  }
  if (state === undefined || (state.end === undefined && !interrupted)) throw new HumanError('busy', `The engine ended before run ${run} did. Its record is kept: ratchet show ${run}`);
  return { state, interrupted };
}

function exitOfRun(state: RunState): number {
  if (state.champion > 0) return EXIT.done;
  switch (state.end?.reason) {
    case 'baseline-failed':
    case 'canary':
    case 'proposer-failed':
      return EXIT.refused;
    case 'failed':
      return EXIT.fault;
    default:
      return EXIT.noImprovement;
  }
}

function problemText(page: StartPage): string {
  const offers = page.offers.map((offer) => `  --score ${JSON.stringify(offer.scorer)}   (${offer.why}, in ${offer.folder})`);
  const varied = page.literals === undefined ? [] : [`  --proposer literals could vary ${page.literals}.`];
  const wantsScorer = page.problems.some((problem) => problem.key === 'scorer');
  const wantsProposer = page.problems.some((problem) => problem.key === 'proposer');
  return [
    ...page.problems.map((problem) => problem.message),
    ...(wantsScorer && offers.length > 0 ? ['Found beside the file:', ...offers] : []),
    ...(wantsProposer ? varied : []),
  ].join('\n');
}

