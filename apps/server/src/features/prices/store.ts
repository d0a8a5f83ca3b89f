import type * as contract from '@linekeeper/contract/accounts/accounts.ts';
import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import type { Db } from '../../db/transaction.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { accountScope } from '../../domain/context/access.ts';
import { readOffer } from '../../domain/credits/prices.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { sentRow } from '../../platform/rows.ts';

export async function readPlans(db: Db): Promise<Plan[]> {
  const rows = await db.selectFrom('plans').selectAll().orderBy('name').execute();
  return rows.map(sentRow);
}

/** Throws PLAN_NOT_FOUND. */
export async function findPlan(db: Db, id: string): Promise<Plan> {
  return (await readPlans(db)).find((plan) => plan.id === id) ?? fail('PLAN_NOT_FOUND');
}

/** The prices of the reader, or of an account below. Throws USER_NOT_FOUND. */
export const listPrices: Action<typeof contract.listPrices> = async (
  { db, actor },
  { query: { account_id = actor.id } },
) => {
  if (account_id !== actor.id) await findAccount(db, accountScope(actor), account_id);
  const ownsList = (owner_id: string | null) =>
    actor.is_admin || (owner_id !== null && owner_id === actor.id);
  const { prices } = await readOffer(db, { id: account_id });
  return prices.map(({ from, ...price }) => ({
    ...price,
    from: from && ownsList(from.owner_id) ? { id: from.id, name: from.name } : null,
  }));
};
