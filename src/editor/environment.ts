/** Of the editor's own, and of nobody else's use: it would change what a child process does. */
const LEFTOVERS = /^(ELECTRON_|VSCODE_|NODE_OPTIONS$|NODE_CHANNEL_)/;
/** Keys go to the engine with a start alone. */
const KEYS = /^OPENAI_API_KEY$/;

/** The extension host's environment as an engine may have it. */
export function engineEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && !LEFTOVERS.test(entry[0]) && !KEYS.test(entry[0])),
  );
}
