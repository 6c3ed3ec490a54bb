import type { RunPlan } from '../../records.ts';
import { ANY_PROPOSER, type Ask } from '../../protocol.ts';
import { HumanError } from '../../errors.ts';
import { pageId } from '../page-id.ts';
import { prepare, type Prepared, type World } from './prepare.ts';

/** What was prepared, with the plan that it makes. */
export interface Ready {
  readonly prepared: Prepared;
  readonly plan: RunPlan;
}

/** What will run. Throws HumanError where something is missing, or where it isn't what the person saw. */
export function asSeen(prepared: Prepared, seen: string | undefined): Ready {
  const { plan, problems } = prepared.page;
  if (plan === undefined) throw new HumanError('bad-use', problems.map((problem) => problem.message).join(' '));
  if (seen !== undefined && seen !== pageId(plan, prepared.page))
    throw new HumanError('changed', 'What would run changed since it was shown, so nothing was started. Look at it again.');
  return { prepared, plan };
}

/** Who proposes doesn't matter for the scorer: where only that is missing, one is put in. */
export async function prepareToMeasure(ask: Ask, world: World): Promise<Prepared> {
  const asked = await prepare(ask, world);
  return asked.page.plan === undefined ? prepare({ ...ask, flags: { ...ask.flags, proposer: ANY_PROPOSER } }, world) : asked;
}
