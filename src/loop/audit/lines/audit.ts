import { formatScore } from '../../format.ts';
import { listed, placed } from '../findings.ts';
import { compare, type Reference } from '../reference.ts';
import { cacheSign, isCanarySeen, orderSign } from '../sickness.ts';
import { languageOf } from '../../syntax.ts';
import type { Facts } from './facts.ts';
import { no, notTried, warning, yes, type CheckLine, type Found } from './line.ts';

/** What breaking the file on purpose said of the scorer. */
export function auditLines(facts: Facts): readonly CheckLine[] {
  const { reference } = facts;
  const line = (id: CheckLine['id'], title: string, found: (reference: Reference) => Found): CheckLine =>
    ({ id, group: 'audit', title, ...(reference === undefined ? notTried('The unchanged file has no score.') : found(reference)) });
  return [
    line('exit-code', 'Honest exit code', (known) => exitCode(facts, known)),
    line('no-op', 'A comment changes nothing', (known) => noOp(facts, known)),
    line('cache', 'Measured anew each time', (known) => cache(facts, known)),
    line('order', 'The order of runs doesn\'t matter', () => order(facts)),
    line('broken', 'Broken code isn\'t rewarded', (known) => broken(facts, known)),
    line('regions', 'The score depends on the code', () => regions(facts)),
  ];
}

function exitCode({ evidence, plan }: Facts, reference: Reference): Found {
  const [run] = evidence.canaries;
  if (run === undefined) return notTried('The file was not broken.');
  if (languageOf(plan.target) === undefined) return notTried('The file is no code that could fail to load.');
  if (isCanarySeen(evidence, reference) !== true) return notTried('The scorer didn\'t notice that the file was broken.');
  if (run.outcome === 'scored' && run.score !== undefined)
    return warning(`With a file that can't even load it ended with exit code 0 and ${formatScore(run.score, plan.metric)}. Let it fail instead: a crash is told apart from a bad score then.`);
  return yes(`With a file that can't load it gave no score: ${run.why}`);
}

function noOp({ evidence, plan }: Facts, reference: Reference): Found {
  const run = evidence.noOp;
  if (run === undefined) return notTried('No comment was added: it wasn\'t reached, or files of this kind have none.');
  const how = compare(reference, run);
  if (how === 'other') return no(`With one comment more at its end the file has no score: ${run.why}`);
  if (how === 'unsure') return notTried('Whether a comment changes the score can\'t be told from the noise yet.');
  const own = formatScore(run.score ?? NaN, plan.metric);
  if (how === 'same') return yes(`With one comment more it scores ${own}, as without.`);
  return warning(`One comment at its end changes the score: ${own} instead of ${formatScore(reference.mean, plan.metric)}. It measures the text, or more than the runs of the same text show; attempts that do nothing can be kept.`);
}

function cache({ evidence }: Facts, reference: Reference): Found {
  const sign = cacheSign(evidence, reference);
  const seen = isCanarySeen(evidence, reference);
  if (seen === false) return no(`Every text gives the same: ${sign ?? 'it reads a result that was kept, or never this file'}. Turn the cache of the task runner off (--force, --no-cache, --skip-nx-cache).`);
  if (sign !== undefined) return warning(`${sign} Repeating a run says nothing then: turn the cache off (--force, --no-cache, --skip-nx-cache).`);
  const others = [...evidence.mutants.values()].filter(({ outcome }) => outcome === 'scored').map((run) => compare(reference, run));
  if (others.length > 1 && others.every((how) => how === 'same')) return notTried('Every text that could run scored the same, so whether a result is kept and read again can\'t be told.');
  return seen === undefined || evidence.baselines.length < 2 ? notTried('It takes two runs of the unchanged file and a broken one.') : yes('Broken files give something else, and a repeated run takes its time.');
}

function order({ evidence }: Facts): Found {
  if (evidence.baselines.length < 4) return notTried('It takes four runs of the unchanged file.');
  const sign = orderSign(evidence);
  if (sign === undefined) return yes(`${evidence.baselines.length} runs of the unchanged file, before and after broken ones, show no trend.`);
  if (sign.kind === 'unsure') return notTried(`${sign.sentence} Whether the order of runs matters, or that is noise, can't be told yet.`);
  return sign.kind === 'sure' ? no(`${sign.sentence} Let it begin anew each time: files outside of the workspace are the usual cause.`) : warning(sign.sentence);
}

function broken({ evidence, findings, plan }: Facts, reference: Reference): Found {
  const [canary] = evidence.canaries;
  const own = formatScore(reference.mean, plan.metric);
  if (canary?.score !== undefined && languageOf(plan.target) !== undefined && compare(reference, canary) === 'better')
    return no(`A file that only throws an error scores ${formatScore(canary.score, plan.metric)}, better than ${own}: the scorer rewards broken code. Run the tests first, and let it fail where they do.`);
  const better = findings.filter(({ betterEmptied }) => betterEmptied !== undefined);
  const [first] = better;
  if (first?.betterEmptied !== undefined)
    return no(`With ${listed(better.map(placed))} emptied it scores better: ${formatScore(first.betterEmptied, plan.metric)} instead of ${own}. Nothing checks that the work is still done, and a loop finds that first: check the results before the score counts.`);
  const emptied = findings.some(({ tried }) => tried > 0);
  return canary === undefined || !emptied ? notTried('No part of the file was emptied.') : yes('No file with an emptied function scored better than the unchanged one.');
}

function regions({ evidence, findings, audit, reference }: Facts): Found {
  if (audit.regions.length === 0) return notTried(`There is no part to break in this file.${audit.guessed === undefined ? '' : ` ${audit.guessed}`}`);
  const of = (verdict: string): readonly string[] => findings.filter((finding) => finding.verdict === verdict).map(placed);
  const [noticed, unnoticed, open] = [of('noticed'), of('unnoticed'), of('not tried')];
  const rest = open.length === 0 ? '' : ` Not tried: ${listed(open)}.`;
  const guessed = audit.guessed === undefined ? '' : ` ${audit.guessed}`;
  if (noticed.length + unnoticed.length === 0) return notTried(`No part was tried.${rest}${guessed}`);
  const counted = `${noticed.length} of ${noticed.length + unnoticed.length} parts that were broken changed the score.`;
  if (unnoticed.length === 0) return yes(`${counted}${rest}${guessed}`);
  const blind = `Nothing you measure depends on ${listed(unnoticed)}.`;
  const seen = reference === undefined ? undefined : isCanarySeen(evidence, reference);
  // A scorer that only loads the file notices the canary, and measures nothing of what a loop would change.
  return noticed.length === 0 && (seen === false || open.length === 0) ? no(`${blind} ${counted}${rest}${guessed}`) : warning(`${blind} ${counted}${rest}${guessed}`);
}
