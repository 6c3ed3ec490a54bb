import { isEditorLeftover, isSecret } from '../../wire/environment.ts';

/** What a scorer is told. Paths absolute. */
export interface ScorerVariables {
  /** The candidate, as the scorer sees it. */
  readonly target: string;
  /** A file that the scorer may write its result to. */
  readonly result: string;
  readonly seed: number;
  readonly slot: number;
  /** A port that is free for the scorer; absent where none was found. */
  readonly port?: number;
  /** Seconds; absent where the script has no budget. */
  readonly budgetS?: number;
}

/** Left behind by npm or an outer run; they would change what the scorer's own tools do. */
const LEFTOVERS = [
  /^RATCHET_/,
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
    ...(variables.port === undefined ? {} : { PORT: String(variables.port) }),
    ...(variables.budgetS === undefined ? {} : { RATCHET_BUDGET_S: String(variables.budgetS) }),
  };
}

function isLeftover(name: string): boolean {
  return isEditorLeftover(name) || LEFTOVERS.some((pattern) => pattern.test(name.toUpperCase()));
}
