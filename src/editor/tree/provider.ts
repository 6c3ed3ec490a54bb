import {
  env, EventEmitter, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, type Disposable, type LogOutputChannel, type TreeDataProvider,
} from 'vscode';
import { COMMANDS } from '../../contributions.ts';
import { attemptOf, textOf, type AttemptState, type RunState } from '../../loop/ledger.ts';
import { hunksOf, type Hunk } from '../diff/inline.ts';
import type { Texts } from '../diff/texts.ts';
import type { L10n } from '../l10n.ts';
import type { RunChange, RunSource, RunView } from '../run-source.ts';
import { nodeId, Nodes, type TreeNode } from './nodes.ts';
import { listed } from './order.ts';
import { Pace, SYSTEM_TIMERS } from './pace.ts';
import { attemptRow, hunkRow, runRow, type Row, type Speech } from './rows.ts';
import { visible } from '../../loop/visible.ts';

/** At most five refreshes a second, with room for a timer that comes early. */
const GAP_MS = 220;

/** The tree of runs, attempts and hunks. It redraws the rows that say something new, and none while it is hidden. */
export class RunsTree implements TreeDataProvider<TreeNode>, Disposable {
  private readonly runs: RunSource;
  private readonly texts: Texts;
  private readonly log: LogOutputChannel;
  private readonly speech: Speech;
  private readonly nodes = new Nodes();
  private readonly fires = new EventEmitter<TreeNode | TreeNode[] | undefined>();
  private readonly pace = new Pace(() => this.refresh(), GAP_MS, true, SYSTEM_TIMERS);
  private readonly listening: Disposable;
  /** What may have changed since the last refresh: runs, and their attempts. */
  private readonly touched = new Map<string, Set<number>>();
  /** What the editor drew last: of each row, and of each list of rows. */
  private readonly drawn = new Map<string, string>();
  private readonly drawnLists = new Map<string, string>();
  private readonly hunks = new Map<string, readonly Hunk[]>();
  readonly onDidChangeTreeData = this.fires.event;

  constructor(runs: RunSource, texts: Texts, log: LogOutputChannel, l10n: L10n) {
    this.runs = runs;
    this.texts = texts;
    this.log = log;
    // Made at the first need: it takes longer than all else of the activation.
    let format: Intl.DateTimeFormat | undefined;
    const clock = (iso: string): string => (format ??= new Intl.DateTimeFormat(env.language, { dateStyle: 'medium', timeStyle: 'short' })).format(new Date(iso));
    this.speech = { t: (message, ...args) => l10n.t(message, ...args), clock };
    this.listening = runs.onDidChange((change) => this.touch(change));
  }

  dispose(): void {
    this.pace.stop();
    this.listening.dispose();
    this.fires.dispose();
  }

  /** Rows that changed while the tree was hidden are drawn when it shows again. */
  setVisible(visible: boolean): void {
    this.pace.hold(!visible);
  }

  /** The row of an attempt, or of a run: what `reveal` takes. */
  node(run: string, attempt?: number): TreeNode {
    return attempt === undefined ? this.nodes.run(run) : this.nodes.attempt(run, attempt);
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.nodes.parent(node);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node === undefined) {
      this.drawnLists.set('', this.listOfRuns());
      return this.runs.runs.map(({ run }) => this.nodes.run(run));
    }
    const state = this.runs.view(node.run)?.state;
    if (state === undefined || node.kind === 'hunk') return [];
    if (node.kind === 'run') {
      this.drawnLists.set(node.run, listOfAttempts(state));
      return listed(state).map(({ number }) => this.nodes.attempt(node.run, number));
    }
    const attempt = attemptOf(state, node.attempt);
    if (attempt?.candidate === undefined) return [];
    const hunks = await this.hunksOf(state, attempt, attempt.candidate);
    this.hunks.set(nodeId(node), hunks);
    return hunks.map((_, index) => this.nodes.hunk(node.run, node.attempt, index));
  }

  getTreeItem(node: TreeNode): TreeItem {
    const row = this.rowOf(node);
    const item = new TreeItem(visible(row?.label ?? ''), this.stateOf(node));
    item.id = nodeId(node);
    if (row === undefined) return item;
    this.drawn.set(item.id, signature(row));
    item.description = visible(row.description);
    item.iconPath = row.icon.color === undefined ? new ThemeIcon(row.icon.id) : new ThemeIcon(row.icon.id, new ThemeColor(row.icon.color));
    item.tooltip = visible(row.tooltip);
    item.contextValue = row.contextValue;
    item.accessibilityInformation = { label: row.spoken };
    if (this.opens(node)) item.command = { command: COMMANDS.openInlineDiff, title: this.speech.t('Open Inline Diff'), arguments: [{ ...node, preserveFocus: true }] };
    return item;
  }

  private async hunksOf(state: RunState, { number, parent = 0 }: AttemptState, candidate: string): Promise<readonly Hunk[]> {
    try {
      return hunksOf(await this.texts.inline(state.id, textOf(state, parent), candidate));
    } catch (error) {
      this.log.warn(`[tree] the hunks of attempt ${number} of ${state.id}: ${String(error)}`);
      return [];
    }
  }

  private rowOf(node: TreeNode): Row | undefined {
    const view = this.runs.view(node.run);
    if (view === undefined) return undefined;
    switch (node.kind) {
      case 'run':
        return runRow(view, this.speech);
      case 'attempt': {
        const attempt = view.state === undefined ? undefined : attemptOf(view.state, node.attempt);
        return attempt === undefined || view.state === undefined ? undefined : attemptRow({ ...view, state: view.state }, attempt, this.speech);
      }
      case 'hunk': {
        const hunk = this.hunks.get(nodeId(this.nodes.attempt(node.run, node.attempt)))?.[node.hunk];
        return hunk === undefined ? undefined : hunkRow(hunk, this.speech);
      }
    }
  }

  private stateOf(node: TreeNode): TreeItemCollapsibleState {
    if (node.kind === 'run') return this.runs.runs[0]?.run === node.run ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
    const attempt = this.attemptOf(node);
    return node.kind === 'hunk' || attempt?.candidate === undefined || attempt.number === 0 ? TreeItemCollapsibleState.None : TreeItemCollapsibleState.Collapsed;
  }

  /** Whether a click has something to show. */
  private opens(node: TreeNode): boolean {
    const attempt = this.attemptOf(node);
    return attempt !== undefined && (attempt.number === 0 || attempt.candidate !== undefined || attempt.reply !== undefined);
  }

  private attemptOf(node: TreeNode): AttemptState | undefined {
    const state = this.runs.view(node.run)?.state;
    return state === undefined || node.kind === 'run' ? undefined : attemptOf(state, node.attempt);
  }

  private touch({ run, attempt }: RunChange): void {
    if (run !== undefined) {
      const attempts = this.touched.get(run) ?? new Set();
      this.touched.set(run, attempts);
      if (attempt !== undefined) attempts.add(attempt);
    }
    this.pace.ask();
  }

  /** Tells the editor which rows say something new. The whole tree is named only where the list of runs is another. */
  private refresh(): void {
    const touched = [...this.touched];
    this.touched.clear();
    if (this.drawnLists.get('') !== this.listOfRuns()) {
      this.fires.fire(undefined);
      return;
    }
    const changed = touched.flatMap(([run, attempts]) => {
      const view = this.runs.view(run);
      const node = this.nodes.run(run);
      // A run is drawn with its rows: new ones appear, and the star moves.
      if (this.isNew(node) || (view?.state !== undefined && this.drawnLists.has(run) && this.drawnLists.get(run) !== listOfAttempts(view.state))) return [node];
      // What a run does next changes each row in flight.
      const inFlight = view?.state?.attempts.filter(({ verdict }) => verdict === undefined).map(({ number }) => number) ?? [];
      return [...new Set([...attempts, ...inFlight])].map((attempt) => this.nodes.attempt(run, attempt)).filter((row) => this.isNew(row));
    });
    const [first] = changed;
    if (first !== undefined) this.fires.fire(changed.length === 1 ? first : changed);
  }

  /** Whether a row that the editor has drawn says something else now. */
  private isNew(node: TreeNode): boolean {
    const drawn = this.drawn.get(nodeId(node));
    const row = drawn === undefined ? undefined : this.rowOf(node);
    return row !== undefined && drawn !== signature(row);
  }

  private listOfRuns(): string {
    return this.runs.runs.map(({ run }: RunView) => run).join();
  }
}

function listOfAttempts(state: RunState): string {
  return `${state.champion} ${state.attempts.map(({ number }) => number).join()}`;
}

function signature(row: Row): string {
  return JSON.stringify(row);
}
