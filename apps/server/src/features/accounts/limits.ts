import type * as contract from '@linekeeper/contract/accounts/limits.ts';
import { NEAR_LIMIT } from '@linekeeper/contract/accounts/limits.ts';
import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { checkMayChange, isAbove } from '../../domain/accounts/account-policy.ts';
import { findAccount } from '../../domain/accounts/accounts.ts';
import { readLimits } from '../../domain/accounts/limits.ts';
import { limitsSubject } from '../../domain/audit/audit-subjects.ts';
import { accountScope, changedAccountScope } from '../../domain/context/access.ts';
import { notify } from '../../domain/notices/notify.ts';
import type { Action, Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';

export const getLimits: Action<typeof contract.getLimits> = async (
  { db, actor, today },
  { params: { id } },
) => {
  if (id !== actor.id) await findAccount(db, accountScope(actor), id);
  return readLimits(db, id, today());
};

/** Notifies accounts that have used most of their limit of lines, once for each value of the limit. */
export async function tellNearLimits(db: Db): Promise<void> {
  const { rows } = await sql<{ account_id: string; used: number; bound: number }>`
    select held.account_id, held.lines as bound, below.lines as used
      from account_limits held
        cross join lateral (
          select sum(line_count)::integer as lines from account_tree join account_figures using (account_id)
            where ancestor_id = held.account_id) as below
      where held.lines > 0 and below.lines >= ${NEAR_LIMIT}::numeric * held.lines`.execute(db);
  const notices = rows.map(({ account_id, used, bound }) => ({
    ...{ event: 'limit_near' as const, account_id, link: '/users/all' },
    facts: { used, bound, left: Math.max(0, bound - used) },
    said_once: `limit of lines ${bound}`,
  }));
  await transact(db, (tx) => notify(tx, notices));
}

/** Checks that all plans exist. Throws PLAN_NOT_FOUND. */
async function checkPlans(tx: Tx, plan_ids: readonly string[]): Promise<void> {
  const known = await tx.selectFrom('plans').select('id').execute();
  for (const id of plan_ids) {
    if (!known.some((plan) => plan.id === id)) failField('plan_ids', 'PLAN_NOT_FOUND');
  }
}

export const setLimits: Mutation<typeof contract.setLimits, { id: string }> = {
  audit: { action: 'account.limit', subject: limitsSubject },
  commit: async (tx, { actor }, { params: { id }, body }) => {
    const account = await findAccount(tx, changedAccountScope(actor), id);
    checkMayChange(actor, account);
    if (!(await isAbove(tx, actor, id))) fail('USER_NOT_FOUND');
    await checkPlans(tx, body.plan_ids ?? []);
    await tx
      .insertInto('account_limits')
      .values({ ...body, account_id: id })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(body))
      .execute();
    return { id };
  },
  reply: ({ db, today }, { id }) => readLimits(db, id, today()),
};
