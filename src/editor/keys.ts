import { l10n, type SecretStorage } from 'vscode';
import type { Dialogs } from './dialogs.ts';
import { Refusal } from './errors.ts';
import { environmentKey, keyProblem, maskKey, originOf } from '../model-server.ts';

export interface FoundKey {
  readonly key: string;
  readonly source: 'stored' | 'environment';
}

/** Keys of model servers, by origin: from SecretStorage, else the environment. They go to the engine with a start, and nowhere else. */
export class Keys {
  private readonly secrets: SecretStorage;
  private readonly env: NodeJS.ProcessEnv;

  constructor(secrets: SecretStorage, env: NodeJS.ProcessEnv) {
    this.secrets = secrets;
    this.env = env;
  }

  async find(baseUrl: string): Promise<FoundKey | undefined> {
    const origin = originOf(baseUrl);
    if (origin === undefined) return undefined;
    const stored = await this.secrets.get(secretOf(origin));
    if (stored !== undefined) return { key: stored, source: 'stored' };
    const key = environmentKey(origin, this.env);
    return key === undefined ? undefined : { key, source: 'environment' };
  }

  /** Where a server's key is from, for a row of a page. */
  async words(baseUrl: string): Promise<string> {
    const found = await this.find(baseUrl);
    if (found === undefined) return l10n.t('no key is set');
    return found.source === 'stored' ? l10n.t('with the stored key') : l10n.t('with the key of OPENAI_API_KEY');
  }

  /** Asks for the key of a server and keeps it; an empty answer removes it. False where the person left. */
  async ask(baseUrl: string, dialogs: Dialogs): Promise<boolean> {
    const origin = originOf(baseUrl);
    if (origin === undefined) throw new Refusal(l10n.t('The base URL "{0}" is not a web address: it looks like http://127.0.0.1:11434/v1. Change it in the settings.', baseUrl));
    const stored = await this.secrets.get(secretOf(origin));
    const answer = await dialogs.input({
      title: l10n.t('API Key for {0}', origin),
      prompt: stored === undefined
        ? l10n.t('It is kept in the editor\'s secret storage and sent to this server only.')
        : l10n.t('{0} is stored. A new key replaces it; an empty answer removes it.', maskKey(stored)),
      value: '',
      password: true,
      validate: (text) => sayProblem(keyProblem(text)),
    });
    if (answer === undefined) return false;
    if (answer.trim() === '') await this.secrets.delete(secretOf(origin));
    else await this.secrets.store(secretOf(origin), answer.trim());
    return true;
  }
}

function secretOf(origin: string): string {
  return `ratchet.key:${origin}`;
}

function sayProblem(problem: ReturnType<typeof keyProblem>): string | undefined {
  switch (problem) {
    case 'line-break':
      return l10n.t('The key has a line break in it: copy it again as one line.');
    case 'quotes':
      return l10n.t('The key has a quotation mark in it: set the bare key, without quotes.');
    case 'characters':
      return l10n.t('The key has a space or a special character in it: copy it again from its source.');
    case undefined:
      return undefined;
  }
}
