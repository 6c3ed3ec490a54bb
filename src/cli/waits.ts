import type { RunActivity } from '../protocol.ts';

/** A wait that is over at once needs no word. */
const SHORT_MS = 500;

/** Tells of waits that last, each once. */
export function tellWaits(tell: (sentence: string) => void): { readonly see: (activity: RunActivity) => void; readonly end: () => void } {
  let said = '';
  let timer: NodeJS.Timeout | undefined;
  return {
    see: (activity) => {
      const sentence = waitSentence(activity) ?? '';
      if (sentence === said) return;
      said = sentence;
      clearTimeout(timer);
      timer = sentence === '' ? undefined : setTimeout(() => tell(sentence), SHORT_MS);
    },
    end: () => clearTimeout(timer),
  };
}

/** What takes long before or between attempts; the attempts themselves tell of their own. */
function waitSentence({ doing, note = '' }: RunActivity): string | undefined {
  switch (doing) {
    case 'queued':
      return 'Waiting for another run to end.';
    case 'baseline':
      return note === '' ? 'Measuring the start file.' : `Measuring the start file: ${note}.`;
    case 'canary':
      return 'Checking that the scorer really loads the file.';
    case 'retrying':
      return `No proposal came, and the model is asked again soon. ${note}`;
    case 'paused':
      return 'Paused: ratchet resume lets it go on.';
    case 'thinking':
    case 'running':
    case 'checking':
    case 'ended':
      return undefined;
  }
}
