import { EventEmitter, window, type Disposable, type InputBox, type QuickPick, type QuickPickItem } from 'vscode';
import { plainMessage } from '../loop/visible.ts';

/** A row that stands for a value. */
export interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

export interface InputOptions {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Why the text won't do, or undefined. */
  readonly validate?: (text: string) => string | undefined;
}

export interface PickOptions<T> {
  readonly title: string;
  readonly placeholder: string;
  /** The row that is chosen where the person just presses Enter. */
  readonly active?: T;
}

/** The editor's own pickers and input boxes. They stay open when the person looks elsewhere. */
export class Dialogs implements Disposable {
  private readonly shown = new EventEmitter<QuickPick<Choice<unknown>> | InputBox>();
  /** Fires with each picker and input box as it is shown. */
  readonly onDidShow = this.shown.event;

  dispose(): void {
    this.shown.dispose();
  }

  /** The value of the chosen row; undefined where the person left. Separators are rows whose kind says so. */
  async pick<T>(rows: readonly Choice<T>[], options: PickOptions<T>): Promise<T | undefined> {
    const picker = window.createQuickPick<Choice<T>>();
    picker.title = options.title;
    picker.placeholder = options.placeholder;
    picker.ignoreFocusOut = true;
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    picker.items = rows;
    picker.activeItems = rows.filter((row) => options.active !== undefined && row.value === options.active);
    return this.answer<T>(picker, (accept) => picker.onDidAccept(() => {
      const [row] = picker.selectedItems;
      if (row !== undefined) accept(row.value);
    }));
  }

  /** The text that the person confirmed; undefined where the person left. */
  async input(options: InputOptions): Promise<string | undefined> {
    const box = window.createInputBox();
    box.title = options.title;
    box.prompt = plainMessage(options.prompt);
    box.value = options.value;
    box.placeholder = options.placeholder;
    box.password = options.password === true;
    box.ignoreFocusOut = true;
    const problemOf = (text: string): string | undefined => {
      const problem = options.validate?.(text);
      return problem === undefined ? undefined : plainMessage(problem);
    };
    box.onDidChangeValue((text) => (box.validationMessage = problemOf(text)));
    return this.answer<string>(box, (accept) => box.onDidAccept(() => {
      box.validationMessage = problemOf(box.value);
      if (box.validationMessage === undefined) accept(box.value);
    }));
  }

  private async answer<T>(widget: QuickPick<Choice<T>> | InputBox, listen: (accept: (value: T) => void) => Disposable): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    listen(resolve);
    widget.onDidHide(() => resolve(undefined));
    widget.show();
    this.shown.fire(widget);
    try {
      return await promise;
    } finally {
      widget.dispose();
    }
  }
}
