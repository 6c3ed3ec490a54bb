import type { Outcome } from '../../records.ts';

/** Something telling in what a run of the scorer printed. */
export const SIGNS = {
  /** It passed the canary's words on: it loaded the file. */
  canary: /ratchet canary/,
  /** It wanted input, or a terminal. */
  input: /EOFError|EOF when reading a line|end of file while reading|not a (?:tty|terminal)|inappropriate ioctl for device|\/dev\/tty\b|ERR_TTY_INIT_FAILED|setRawMode is not a function|requires? an? (?:interactive )?(?:tty|terminal)|raw mode is not supported/i,
  /** It says that it read a result that was kept. */
  cache: /FULL TURBO|cache hit, (?:replaying|suppressing)|\[(?:local|remote) cache\]|existing outputs match the cache|read the output from the cache|\(cached\)|\bfrom (?:the )?cache\b/i,
  /** It waits for files to change. */
  watch: /watching for (?:file )?changes|waiting for (?:file )?changes|press (?:h|q|a) to|watch usage|watch mode/i,
} as const;
export type Sign = keyof typeof SIGNS;

/** One run of the scorer in a check: plain data, kept from one check to the next. */
export interface Sample {
  /** Counts the runs of a check: which came before which. */
  readonly order: number;
  readonly outcome: Outcome;
  readonly score?: number;
  readonly durationMs: number;
  readonly seed: number;
  /** Where the score was read, or why there is none. */
  readonly why: string;
  /** How many values of the metric were printed. */
  readonly values: number;
  /** How many cases the score is made of, where it says so. */
  readonly cases?: number;
  /** The spread that the runner claims, in percent. */
  readonly claimed?: number;
  readonly signs: readonly Sign[];
  /** Files of the workspace that the run changed. */
  readonly altered: readonly string[];
}

/** Runs by their steps; a step that wasn't run has none. */
export type Samples = Readonly<Record<string, Sample>>;

/** All that a check has measured, in the order of the runs. */
export interface Evidence {
  readonly baselines: readonly Sample[];
  readonly canaries: readonly Sample[];
  readonly noOp: Sample | undefined;
  /** By the mutants' ids. */
  readonly mutants: ReadonlyMap<string, Sample>;
  /** Two at a time; empty where that wasn't tried. */
  readonly pair: readonly Sample[];
}

/** Step ids begin with one of these. */
export const STEP = { baseline: 'baseline-', canary: 'canary-', noOp: 'no-op', mutant: 'mutant-', pair: 'pair-' } as const;

/** Sorts runs by what they were for. */
export function evidenceOf(samples: Samples): Evidence {
  const inOrder = Object.entries(samples).sort(([, a], [, b]) => a.order - b.order);
  const of = (prefix: string): readonly Sample[] => inOrder.filter(([id]) => id.startsWith(prefix)).map(([, sample]) => sample);
  return {
    baselines: of(STEP.baseline),
    canaries: of(STEP.canary),
    noOp: samples[STEP.noOp],
    mutants: new Map(inOrder.filter(([id]) => id.startsWith(STEP.mutant)).map(([id, sample]) => [id.slice(STEP.mutant.length), sample])),
    pair: of(STEP.pair),
  };
}

/** What is told by what a run printed. */
export function signsIn(printed: string): readonly Sign[] {
  return (Object.keys(SIGNS) as Sign[]).filter((sign) => SIGNS[sign].test(printed));
}
