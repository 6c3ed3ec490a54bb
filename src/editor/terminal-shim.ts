/** A file that makes `ratchet` a command. */
export interface Shim {
  readonly name: string;
  readonly text: string;
}

/** What starts the terminal client with this editor's own Node. An Electron is a Node only while it is told to be one. */
export function terminalShim(node: string, script: string, isElectron: boolean, platform: NodeJS.Platform): Shim {
  if (platform === 'win32') {
    const mode = isElectron ? 'set ELECTRON_RUN_AS_NODE=1\r\n' : '';
    return { name: 'ratchet.cmd', text: `@echo off\r\nsetlocal\r\n${mode}"${node}" "${script}" %*\r\n` };
  }
  const mode = isElectron ? 'ELECTRON_RUN_AS_NODE=1 ' : '';
  return { name: 'ratchet', text: `#!/bin/sh\n${mode}exec ${quoted(node)} ${quoted(script)} "$@"\n` };
}

function quoted(word: string): string {
  return `'${word.replaceAll('\'', '\'\\\'\'')}'`;
}
