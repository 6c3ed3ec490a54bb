import { workspace, type Uri } from 'vscode';
import { SETTINGS } from '../contributions.ts';
import { OPTIONS, readChoices, type Choices, type OptionInfo, type Problem } from '../loop/options.ts';

/** What the person's settings say about runs on one file. */
export interface Settings {
  readonly choices: Choices;
  readonly problems: readonly Problem[];
  readonly baseUrl: string | undefined;
}

/** Reads the settings as they are for a file. The engine never reads them: they go with the question. */
export function readSettings(resource: Uri): Settings {
  const configuration = workspace.getConfiguration(undefined, resource);
  const baseUrl = configuration.get<unknown>(SETTINGS.baseUrl);
  return {
    ...choicesOf((setting) => configuration.get<unknown>(setting)),
    baseUrl: typeof baseUrl === 'string' && baseUrl.trim() !== '' ? baseUrl.trim() : undefined,
  };
}

function choicesOf(read: (setting: string) => unknown): Pick<Settings, 'choices' | 'problems'> {
  const entries: Record<string, unknown> = {};
  for (const [key, info] of Object.entries<OptionInfo>(OPTIONS)) {
    const value = info.setting === undefined ? undefined : read(info.setting);
    if (value !== undefined && value !== null && value !== '') entries[key] = value;
  }
  return readChoices(entries);
}
