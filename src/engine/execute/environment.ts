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

/** What programs of all kinds look up, and none of it says where a person's keys, sockets or servers are. */
const FOR_TOOLS = [
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_.*|TERM|COLORTERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR.*|TZ|TZDIR|CI|HOSTNAME|EDITOR|PAGER)$/,
  /^(?:VIRTUAL_ENV|CONDA_.*|PYENV_.*|NVM_.*|FNM_.*|VOLTA_HOME|ASDF_.*|MISE_.*|RUSTUP_.*|RUST_.*|RUSTFLAGS|CARGO_.*|GO[A-Z0-9]*|JAVA_.*|JDK_.*|DOTNET_.*|JULIA_.*|R_.*|GUIX_.*|NIX_.*)$/,
  /^PYTHON(?!STARTUP$|INSPECT$|BREAKPOINT$)/,
  /^(?:NODE_ENV|NODE_PATH|NODE_NO_WARNINGS|DENO_.*|BUN_.*|TS_NODE_.*|BROWSERSLIST.*|JEST_.*|VITEST_.*|MOCHA_.*|PYTEST_.*|COVERAGE_.*|HYPOTHESIS_.*)$/,
  /^(?:LD_LIBRARY_PATH|LIBRARY_PATH|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|PKG_CONFIG_PATH|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|MAKEFLAGS|CMAKE_.*)$/,
  /^(?:CUDA|CUDNN|NVIDIA|NCCL|HIP|ROCR|ROCM|HSA|OMP|KMP|MKL|OPENBLAS|BLIS|NUMEXPR|VECLIB|TORCH|PYTORCH|TORCHINDUCTOR|TRITON|HF|TRANSFORMERS|TOKENIZERS|DATASETS|JAX|XLA|TF|KERAS|NUMBA|SKLEARN|NLTK|WANDB|MPL|MPLBACKEND|UV|POLARS|RAY)(?:_.*)?$/,
];

/**
 * The clean environment of a scorer: without keys, tokens and passwords, without what the editor, npm or an outer run
 * left behind, and with what the scorer is told. Of a confined one nothing else passes but what tools are known to want, and
 * `passes`.
 */
export function scorerEnvironment(
  base: Readonly<Record<string, string | undefined>>, variables: ScorerVariables, passes?: readonly string[],
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || isSecret(name) || isLeftover(name)) continue;
    if (passes === undefined || passes.includes(name) || (isForTools(name) && !holdsLogin(value))) environment[name] = value;
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

function isForTools(name: string): boolean {
  return FOR_TOOLS.some((pattern) => pattern.test(name));
}

/** An address with a name and a password in it. */
function holdsLogin(value: string): boolean {
  return /:\/\/[^/\s@]+:[^/\s@]*@/.test(value);
}

function isLeftover(name: string): boolean {
  return isEditorLeftover(name) || LEFTOVERS.some((pattern) => pattern.test(name.toUpperCase()));
}
