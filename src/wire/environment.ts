/** Whole parts of a name, between underscores and the like, that say it holds a secret: GITHUB_PAT, KEY_FILE, SSH_AUTH_SOCK. */
const SECRET_PARTS = new Set(['KEY', 'KEYS', 'PAT', 'AUTH', 'PWD', 'PASS', 'PGPASSFILE']);
/** Ends of parts that say the same: PGPASSWORD, _authToken. Ends only, as TOKENIZERS_PARALLELISM is no secret. */
const SECRET_ENDS = /(?:APIKEY|ACCESSKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?$/;

/** The editor's and Node's own; they would change what a child process does. */
const EDITOR_LEFTOVERS = /^(?:ELECTRON_|VSCODE_|NODE_OPTIONS$|NODE_CHANNEL_)/;

/** Whether the variable's name says that it holds a key, a token or a password. */
export function isSecret(name: string): boolean {
  const upper = name.toUpperCase();
  if (upper.startsWith('AWS_')) return true;
  const parts = upper.split(/[^A-Z0-9]+/);
  // PWD alone is the working folder; MYSQL_PWD is not.
  return upper !== 'PWD' && parts.some((part) => SECRET_PARTS.has(part) || SECRET_ENDS.test(part));
}

export function isEditorLeftover(name: string): boolean {
  return EDITOR_LEFTOVERS.test(name.toUpperCase());
}

/**
 * A client's environment as an engine may have it, for its own life and for its scorers: without secrets, as an engine
 * outlives its client and a key goes to it with a start alone, and without what the editor left behind.
 */
export function engineEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && !isSecret(entry[0]) && !isEditorLeftover(entry[0])),
  );
}
