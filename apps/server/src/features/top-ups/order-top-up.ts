import type * as contract from '@linekeeper/contract/credits/top-ups.ts';
import { MAX_PENDING_TOP_UPS } from '@linekeeper/contract/credits/top-ups.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { countInDay, ordersLimit } from '../../domain/accounts/daily-limits.ts';
import { topUpSubject } from '../../domain/audit/audit-subjects.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { readSettings } from '../../platform/settings.ts';
import { notifyOrdered } from './notify-top-up.ts';
import { findTopUp } from './store.ts';

/** Orders come one after the other here, so numbers have no gaps and pending ones are counted right. */
async function nextNumber(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('top_ups'))`.execute(tx);
  const { last } = await tx
    .selectFrom('top_ups')
    .select(sql<number>`coalesce(max(number), 0)::bigint`.as('last'))
    .executeTakeFirstOrThrow();
  return last + 1;
}

async function refuseTooMany(tx: Tx, account_id: string): Promise<void> {
  const { pending } = await tx
    .selectFrom('top_ups')
    .select(sql<number>`count(*)::bigint`.as('pending'))
    .where('account_id', '=', account_id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  if (pending >= MAX_PENDING_TOP_UPS) fail('TOO_MANY_TOP_UPS', { maximum: MAX_PENDING_TOP_UPS });
}

export const orderTopUp: Mutation<typeof contract.orderTopUp, { id: string }> = {
  audit: { action: 'topup.order', subject: topUpSubject, made: ({ id }) => id },
  commit: async (tx, { actor, cardService }, { body }) => {
    const { package_id, method, note } = body;
    if (method === 'card' && !cardService) fail('CARDS_NOT_SET_UP');
    if (method === 'transfer' && !(await readSettings(tx)).bank_details) fail('NO_BANK_DETAILS');
    const ordered = await tx
      .selectFrom('credit_packages')
      .select(['name as package_name', 'credits', 'price_minor', 'currency'])
      .where('id', '=', package_id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (!ordered) return fail('PACKAGE_NOT_FOUND');
    const number = await nextNumber(tx);
    await refuseTooMany(tx, actor.id);
    const row = await tx
      .insertInto('top_ups')
      .values({
        ...ordered,
        id: newId(),
        number,
        account_id: actor.id,
        package_id,
        method,
        note: note || null,
        reason: null,
        decided_by: null,
        transfer_id: null,
        paid_session: null,
        problem: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (method === 'transfer') await notifyOrdered(tx, row, actor.email);
    await countInDay(tx, actor, ordersLimit, 1);
    return { id: row.id };
  },
  reply: ({ db, actor }, { id }) => findTopUp(db, actor, id),
};
