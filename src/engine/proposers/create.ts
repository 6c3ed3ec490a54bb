import type { RunPlan } from '../../records.ts';
import { HumanError } from '../../errors.ts';
import { originOf } from '../../model-server.ts';
import { DEFAULT_BASE_URL } from '../../protocol.ts';
import type { Parsers } from '../parsers.ts';
import { createLiteralsProposer } from './literals.ts';
import { createOpenAiProposer } from './openai.ts';
import { ProposerError, type Proposer } from './proposer.ts';
import { createReplayProposer } from './replay.ts';

/** The proposer that a plan names; never another one. `apiKey` stays in memory. */
export async function createProposer(
  plan: Pick<RunPlan, 'proposer' | 'seed'>, parsers: Parsers, apiKey: string | undefined, resolveDir: (dir: string) => string,
): Promise<Proposer> {
  try {
    return await proposerOf(plan, parsers, apiKey, resolveDir);
  } catch (error) {
    // What is wrong with a setting is the person's to mend, before any run.
    throw error instanceof ProposerError ? new HumanError('no-model', error.message) : error;
  }
}

async function proposerOf(...[plan, parsers, apiKey, resolveDir]: Parameters<typeof createProposer>): Promise<Proposer> {
  const { proposer } = plan;
  switch (proposer.kind) {
    case 'literals':
      return createLiteralsProposer(parsers, plan.seed);
    case 'replay':
      return createReplayProposer(resolveDir(proposer.dir));
    case 'openai':
      if (apiKey === undefined && originOf(proposer.baseUrl) === originOf(DEFAULT_BASE_URL)) throw new ProposerError('refused', `${proposer.baseUrl} wants a key. Set one: OPENAI_API_KEY in the terminal, Ratchet: Set API Key in the editor. Or name another server: OPENAI_BASE_URL, or the setting ratchet.model.baseUrl.`);
      return createOpenAiProposer({ baseUrl: proposer.baseUrl, model: proposer.model, ...(apiKey === undefined ? {} : { apiKey }) });
  }
}
