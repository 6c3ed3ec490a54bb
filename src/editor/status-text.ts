import { formatChange, formatScore } from '../loop/format.ts';
import { standingScores, type RunState } from '../loop/ledger.ts';
import type { L10n } from './l10n.ts';
import type { RunView } from './run-source.ts';
import { openText } from './tally-text.ts';

/** What the status bar item says. */
export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** For screen readers: words only. */
  readonly spoken: string;
}

/** State, attempt and best score of a run in a few characters. */
export function statusText(view: RunView, l10n: L10n): StatusText {
  // Where nothing was kept, the best is the start file: no news at the end.
  const best = view.activity.doing === 'ended' && view.state?.champion === 0 ? '' : bestText(view.state, l10n);
  const [icon, words] = doingText(view, l10n);
  const short = [words, best].filter((part) => part !== '').join(' · ');
  const long = [
    l10n.t('Ratchet: {0}', view.state?.plan.target ?? view.run),
    view.problem ?? view.state?.end?.sentence ?? activityText(view, l10n),
    view.activity.pausing === true ? l10n.t('Pauses after this attempt.') : '',
    changeText(view.state, l10n),
    ...(view.state === undefined ? [] : openText(view.state, l10n)),
    view.activity.note ?? '',
  ];
  return { text: `$(${icon}) ${short}`, tooltip: long.filter((part) => part !== '').join('\n'), spoken: l10n.t('Ratchet: {0}', short) };
}

/** What a run is doing, as a sentence. */
export function activityText({ activity, state }: RunView, l10n: L10n): string {
  const attempt = activity.attempt ?? state?.attempts.at(-1)?.number ?? 0;
  switch (activity.doing) {
    case 'queued':
      return l10n.t('Waiting for another run to end.');
    case 'baseline':
      return l10n.t('Measuring the start file.');
    case 'canary':
      return l10n.t('Checking that the command really loads the file.');
    case 'thinking':
      return l10n.t('Attempt {0}: waiting for a proposal.', attempt);
    case 'running':
      return l10n.t('Attempt {0}: running the command.', attempt);
    case 'checking':
      return l10n.t('Attempt {0}: it looks better, and is run again to make sure.', attempt);
    case 'retrying':
      return l10n.t('Attempt {0}: no proposal came, and the model is asked again soon.', attempt);
    case 'paused':
      return l10n.t('Paused.');
    case 'ended':
      return l10n.t('Not running.');
  }
}

/** A codicon's name and the words beside it. */
function doingText({ activity, state }: RunView, l10n: L10n): readonly [string, string] {
  switch (activity.doing) {
    case 'queued':
      return ['clock', l10n.t('queued')];
    case 'baseline':
      return ['sync~spin', l10n.t('start file')];
    case 'canary':
      return ['sync~spin', l10n.t('check')];
    case 'retrying':
      return ['clock', l10n.t('waits for the model')];
    case 'thinking':
    case 'running':
    case 'checking':
      return ['sync~spin', `#${activity.attempt ?? state?.attempts.at(-1)?.number ?? 0}`];
    case 'paused':
      return ['debug-pause', l10n.t('paused')];
    case 'ended': {
      if ((state?.champion ?? 0) > 0) return ['check', ''];
      const open = state === undefined ? [] : openText(state, l10n);
      return open.length > 0 ? ['bell-dot', open.join(', ')] : ['circle-slash', l10n.t('no improvement')];
    }
  }
}

function bestText(state: RunState | undefined, l10n: L10n): string {
  const best = state === undefined ? undefined : standingScores(state).best;
  return state === undefined || best === undefined ? '' : l10n.t('best {0}', formatScore(best, state.plan.metric));
}

function changeText(state: RunState | undefined, l10n: L10n): string {
  if (state === undefined || state.champion === 0) return '';
  const { from, best } = standingScores(state);
  return from === undefined || best === undefined ? '' : l10n.t('Best so far: attempt {0}, {1}', state.champion, formatChange(from, best, state.plan.metric));
}
