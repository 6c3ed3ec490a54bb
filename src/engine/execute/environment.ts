/** What a scorer is told. Paths absolute. */
export interface ScorerVariables {
  /** The candidate, as the scorer sees it. */
  readonly target: string;
  /** A file that the scorer may write its result to. */
  readonly result: string;
  readonly seed: number;
  readonly slot: number;
  /** Seconds; absent where the script has no budget. */
  readonly budgetS?: number;
}

/** Whole parts of a name, between underscores and the like, that say it holds a secret: GITHUB_PAT, KEY_FILE, SSH_AUTH_SOCK. */
const SECRET_PARTS = new Set(['KEY', 'KEYS', 'PAT', 'AUTH', 'PWD']);
/** Ends of parts that say the same: PGPASSWORD, _authToken. Ends only, as TOKENIZERS_PARALLELISM is no secret. */
const SECRET_ENDS = /(?:APIKEY|ACCESSKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?$/;

/** Left behind by the program that started the engine; they would change what the scorer's own tools do. */
const LEFTOVERS = [
  /^ELECTRON_/, /^VSCODE_/, /^NODE_OPTIONS$/, /^NODE_CHANNEL_/, /^RATCHET_/,
  /^NPM_LIFECYCLE_/, /^NPM_PACKAGE_/, /^NPM_COMMAND$/, /^NPM_(?:NODE_)?EXECPATH$/,
  // npm sets these for its children, and a nested npm would work in the wrong folder. What a person configured stays.
  /^NPM_CONFIG_(?:LOCAL|GLOBAL)_PREFIX$/,
];

/**
 * The clean environment of a scorer: without keys, tokens and passwords, without what the editor, npm or an outer run
 * left behind, and with what the scorer is told.
 */
export function scorerEnvironment(base: Readonly<Record<string, string | undefined>>, variables: ScorerVariables): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !isSecret(name) && !isLeftover(name)) environment[name] = value;
  }
  return {
    ...environment,
    RATCHET_TARGET: variables.target,
    RATCHET_RESULT: variables.result,
    RATCHET_SEED: String(variables.seed),
    RATCHET_SLOT: String(variables.slot),
    ...(variables.budgetS === undefined ? {} : { RATCHET_BUDGET_S: String(variables.budgetS) }),
  };
}

function isSecret(name: string): boolean {
  const upper = name.toUpperCase();
  if (upper.startsWith('AWS_')) return true;
  const parts = upper.split(/[^A-Z0-9]+/);
  // PWD alone is the working folder; MYSQL_PWD is not.
  return upper !== 'PWD' && parts.some((part) => SECRET_PARTS.has(part) || SECRET_ENDS.test(part));
}

function isLeftover(name: string): boolean {
  return LEFTOVERS.some((pattern) => pattern.test(name.toUpperCase()));
}
