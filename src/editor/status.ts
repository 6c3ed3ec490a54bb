import { l10n, StatusBarAlignment, window, type Disposable, type StatusBarItem } from 'vscode';
import { COMMANDS } from '../contributions.ts';
import { mainRun, type Runs } from './runs.ts';
import { statusText } from './status-text.ts';

/** The one status bar item: state, attempt and best score of the run that matters most. A click opens its menu. */
export class Status implements Disposable {
  private readonly runs: Runs;
  private readonly item: StatusBarItem;
  private readonly subscription: Disposable;

  constructor(runs: Runs) {
    this.runs = runs;
    this.item = window.createStatusBarItem('ratchet.status', StatusBarAlignment.Left, 0);
    this.item.name = l10n.t('Ratchet');
    this.item.command = COMMANDS.menu;
    this.subscription = runs.onDidChange(() => this.show());
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }

  /** What the item shows, for tests. */
  get text(): string {
    return this.item.text;
  }

  private show(): void {
    const view = mainRun(this.runs.runs);
    if (view === undefined) {
      this.item.hide();
      return;
    }
    const { text, tooltip, spoken } = statusText(view, l10n);
    // Setting an equal text would still cross to the window.
    if (this.item.text !== text) this.item.text = text;
    if (this.item.tooltip !== tooltip) this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: spoken };
    this.item.show();
  }
}
