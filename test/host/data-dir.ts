/** What an editor keeps between its starts: settings and installed extensions, in a folder of its own. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { ProvisionedEditor } from './provision.ts';
import { runTool } from './tool.ts';

/** What every test wants of an editor: no questions, no network, no surprises. */
const TEST_SETTINGS = {
  'security.workspace.trust.enabled': false,
  // In a browser it is on by default, and hides whether we save.
  'files.autoSave': 'off',
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
};

/** Makes an empty data folder with the settings that every test wants and `settings` on top of them. The caller removes it. */
export function newDataDir(settings: Readonly<Record<string, unknown>> = {}): string {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'ratchet-editor-'));
  const user = path.join(dataDir, 'data', 'User');
  fs.mkdirSync(user, { recursive: true });
  fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ ...TEST_SETTINGS, ...settings }, undefined, 2));
  return dataDir;
}

/** Installs a packed extension, as a person would from a file. */
export async function installVsix(editor: ProvisionedEditor, vsix: string, dataDir: string): Promise<void> {
  const args = [editor.serverMain, '--install-extension', vsix, '--server-data-dir', dataDir, '--accept-server-license-terms'];
  await runTool(editor.node, args, { env: { EXTENSIONS_GALLERY: '{}' } });
}

/** Lists the folder of an extension's source among the installed ones, so that the editor runs it from there. */
export function installFromSource(source: string, dataDir: string): void {
  const manifest = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8')) as { publisher: string; name: string; version: string };
  const list = path.join(dataDir, 'extensions', 'extensions.json');
  fs.mkdirSync(path.dirname(list), { recursive: true });
  const installed = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) as unknown[] : [];
  installed.push({
    identifier: { id: `${manifest.publisher}.${manifest.name}` },
    version: manifest.version,
    location: { $mid: 1, path: source, scheme: 'file' },
    metadata: {},
  });
  fs.writeFileSync(list, JSON.stringify(installed));
}
