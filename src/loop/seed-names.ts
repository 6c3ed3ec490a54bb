/** What seeds of random numbers are called, in any of the languages. */
const SEED_NAME = /(?:^|_)seeds?$|[a-z]Seeds?$|^random_?state$/i;
/** A number of seeds is none. */
const COUNT_NAME = /^(?:num|n|count|max)_?seeds$/i;

/** Functions and classes that start a random stream, by the end of their name as written. */
const SEED_CALL = new RegExp(`(?:^|\\.)(?:${[
  'manual_seed(?:_all)?', '(?:set_)?(?:random_)?seed', 'seed_(?:all|everything)', 'default_rng', 'RandomState', 'PRNGKey', 'random\\.key', '(?:random\\.)?Random', 'PCG64', 'SeedSequence',
  'setSeed', 'seedrandom', 'mulberry32', 'splitmix32', 'xoshiro\\w*', 'xorshift\\w*', 'alea', 'Prando', 'MersenneTwister', '(?:make|create)R(?:ng|NG|andom)',
].join('|')})$`);

/** Whether a name is one under which seeds are written. */
export function isSeedName(name: string): boolean {
  return SEED_NAME.test(name.replace(/^.*\./, '')) && !COUNT_NAME.test(name);
}

/** The same where there is no parser, and so in other languages too. */
const SEED_CALL_OF_TEXT = /(?:^|[._])(?:Seed|seed!|seed_from_\w+|srand|NewSource|mt19937\w*(?:\s+\w+)?)$/;

/** Whether what is called, as written ("torch.manual_seed"), takes a seed. */
export function isSeedCall(callee: string): boolean {
  return SEED_CALL.test(callee);
}

/** Whether what stands before a bracket takes a seed, in a file that no parser reads. */
export function isSeedCallOfText(name: string): boolean {
  return isSeedCall(name) || SEED_CALL_OF_TEXT.test(name);
}
