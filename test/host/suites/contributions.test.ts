import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS, VIEWS } from '../../../src/contributions.ts';
import { TEST_API } from '../../../src/editor/test-api.ts';
import { testApi } from './support.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('what the extension contributes', () => {
  before(testApi);

  it('registers each declared command, and no other', async () => {
    const manifest = vscode.extensions.getExtension('ratchet.ratchet')?.packageJSON as Manifest;
    const declared = manifest.contributes.commands.map(({ command }) => command);
    // The editor makes commands of its own for each view, such as ratchet.runs.focus.
    const isOfView = (id: string): boolean => id.startsWith(`${VIEWS.runs}.`);
    const registered = (await vscode.commands.getCommands(true)).filter((id) => id.startsWith('ratchet.') && !isOfView(id) && id !== TEST_API);
    assert.deepEqual(registered.sort(), [...declared].sort());
    assert.deepEqual([...declared].sort(), Object.values<string>(COMMANDS).sort());
  });

  it('has a default for each setting, and takes no server from a workspace', () => {
    const configuration = vscode.workspace.getConfiguration();
    for (const setting of Object.values(SETTINGS)) assert.notEqual(configuration.inspect(setting)?.defaultValue, undefined, setting);
    assert.equal(configuration.get(SETTINGS.baseUrl), '');
  });
});
