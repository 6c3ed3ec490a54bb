import type { Metric } from '../../records.ts';
import { improvement } from '../../loop/metric.ts';
import type { AttemptState } from '../../loop/ledger.ts';
import { keyOf, proposeLiteral, type LiteralTry } from '../../search/literal-search.ts';
import { findLiterals } from '../../search/literals.ts';
import { renderReply } from '../../search/reply.ts';
import type { Parsers } from '../parsers.ts';
import { treeOf } from '../code.ts';
import { ProposerError, type Proposer } from './proposer.ts';

/** The proposer that needs no model: it searches over the numbers, switches and choices written in the target. */
export function createLiteralsProposer(parsers: Parsers, seed: number): Proposer {
  return {
    propose: ({ attempt, parentText, targetPath, protectedRanges, state }) => {
      const literals = findLiterals(parentText, treeOf(parentText, targetPath, parsers), protectedRanges);
      // What was broken off before it was decided is worth another try.
      const decided = state.attempts.filter(({ verdict }) => verdict !== 'cancelled');
      const history = decided.flatMap((tried) => tryOf(tried, state.plan.metric));
      const tried = new Set([state.baseline, ...history.map(({ key }) => key), ...decided.flatMap(({ candidate }) => candidate ?? [])]);
      const proposal = proposeLiteral({ text: parentText, literals, history, tried, seed, attempt });
      if (proposal === undefined)
        return Promise.reject(new ProposerError('nothing-left', `every value that \`literals\` would try was tried (${literals.length} numbers and choices).`));
      const request = `No model was asked. ${literals.length} numbers, switches and choices can vary; ${history.length} attempts came before.\n`;
      return Promise.resolve({ request, reply: renderReply(parentText, proposal.newText, proposal.hypothesis) });
    },
  };
}

function tryOf(attempt: AttemptState, metric: Metric): readonly LiteralTry[] {
  const key = keyOf(attempt.hypothesis ?? '');
  const { verdict, evidence } = attempt;
  if (key === undefined || verdict === undefined) return [];
  const measured = evidence?.score !== undefined && evidence.parentScore !== undefined;
  return [{ key, verdict, ...(measured ? { gain: improvement(metric, evidence.parentScore, evidence.score) } : {}) }];
}
