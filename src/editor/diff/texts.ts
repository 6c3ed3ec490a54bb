import { createHash } from 'node:crypto';
import type { BlobId } from '../../records.ts';
import type { L10n } from '../l10n.ts';
import type { RunSource, RunView } from '../run-source.ts';
import { compose, type Inline } from './inline.ts';
import { recall, Recent } from './recent.ts';

/** So many texts lie in memory, the last used ones. */
const KEPT_TEXTS = 40;
/** After a reload the editor asks for its documents before the engine has told its runs. */
const PATIENCE_MS = 20_000;

/** The texts of attempts, by their ids. An id never means another text, so nothing that is kept here grows old. */
export class Texts {
  private readonly runs: RunSource;
  private readonly l10n: L10n;
  private readonly onMissing: () => void;
  private readonly texts = new Recent<Promise<string>>(KEPT_TEXTS);
  private readonly inlines = new Recent<Promise<Inline>>(KEPT_TEXTS / 2);
  private readonly snapshots = new Recent<string>(KEPT_TEXTS);

  /** `onMissing` is called when a run is asked for that isn't known yet. */
  constructor(runs: RunSource, l10n: L10n, onMissing: () => void) {
    this.runs = runs;
    this.l10n = l10n;
    this.onMissing = onMissing;
  }

  /** Rejects with a sentence where the text is missing. */
  text(run: string, blob: BlobId): Promise<string> {
    const snapshot = this.snapshots.get(blob);
    if (snapshot !== undefined) return Promise.resolve(snapshot);
    return recall(this.texts, blob, async () => {
      await this.known(run, (view) => view);
      return this.runs.text(run, blob);
    });
  }

  /** Both texts in one column. */
  inline(run: string, parent: BlobId, candidate: BlobId): Promise<Inline> {
    return recall(this.inlines, `${parent}..${candidate}`, async () => {
      const [before, after] = await Promise.all([this.text(run, parent), this.text(run, candidate)]);
      return compose(before, after);
    });
  }

  /** Remembers what a file holds now, under the id that a blob of this text has. */
  snapshot(text: string): BlobId {
    const id = createHash('sha256').update(text).digest('hex');
    this.snapshots.set(id, text);
    return id;
  }

  /** A text that `snapshot` was given in this window, while it is remembered. */
  remembered(blob: BlobId): string | undefined {
    return this.snapshots.get(blob);
  }

  /** What `pick` finds in the run, as soon as it does. Rejects where that doesn't come in time. */
  async known<T>(run: string, pick: (view: RunView) => T | undefined): Promise<T> {
    const look = (): T | undefined => {
      const view = this.runs.view(run);
      return view === undefined ? undefined : pick(view);
    };
    const now = look();
    if (now !== undefined) return now;
    if (this.runs.view(run) === undefined) this.onMissing();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const late = setTimeout(() => reject(new Error(this.l10n.t('Nothing is known of run {0} in this window. Open the folder that it belongs to.', run))), PATIENCE_MS);
    const listening = this.runs.onDidChange(() => {
      const found = look();
      if (found !== undefined) resolve(found);
    });
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      listening.dispose();
    }
  }
}
