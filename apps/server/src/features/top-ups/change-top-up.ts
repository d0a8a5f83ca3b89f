import type * as contract from '@linekeeper/contract/credits/top-ups.ts';
import { MAX_PENDING_TOP_UPS } from '@linekeeper/contract/credits/top-ups.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { countInDay, ordersLimit } from '../../domain/accounts/daily-limits.ts';
import { topUpSubject } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { lockName } from '../../platform/rows.ts';
import { readSettings } from '../../platform/settings.ts';
import {
  changeTopUp,
  issueCredits,
  lockTopUp,
  notifyAccount,
  notifyOrdered,
  type TopUpRow,
} from './locked-top-up.ts';
import { findTopUp } from './store.ts';

type Changed = { id: string };

/**
 * The number of an account's next top-up. Orders of one account wait for each other here, so
 * numbers have no gaps and pending ones are counted correctly. Throws TOO_MANY_TOP_UPS.
 */
async function nextNumber(tx: Tx, account_id: string): Promise<number> {
  await lockName(tx, 'top_ups');
  const { rows } = await sql<{ last: number; pending: number }>`
    select (select coalesce(max(number), 0)::bigint from top_ups) as last,
        (select count(*) from top_ups where account_id = ${account_id} and status = 'pending') as pending`.execute(
    tx,
  );
  const { last, pending } = rows[0] ?? { last: 0, pending: 0 };
  if (pending >= MAX_PENDING_TOP_UPS) fail('TOO_MANY_TOP_UPS', { maximum: MAX_PENDING_TOP_UPS });
  return last + 1;
}

const reply = ({ db, actor }: Ctx, { id }: Changed) => findTopUp(db, actor, id);

export const orderTopUp: Mutation<typeof contract.orderTopUp, Changed> = {
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
    const number = await nextNumber(tx, actor.id);
    const about = { id: newId(), number, account_id: actor.id, package_id, method };
    const open = { reason: null, decided_by: null, transfer_id: null, paid_session: null };
    const row = await tx
      .insertInto('top_ups')
      .values({ ...ordered, ...about, ...open, note: note || null, problem: null })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (method === 'transfer') await notifyOrdered(tx, row, actor.email);
    await countInDay(tx, actor, ordersLimit, 1);
    return { id: row.id };
  },
  reply,
};

/**
 * Locks a pending top-up, or a rejected or withdrawn one whose money arrived. Throws
 * TOP_UP_NOT_FOUND, also for one of another account than `account_id`, and TOP_UP_DECIDED.
 */
async function lockOpen(
  tx: Tx,
  id: string,
  { also_closed, account_id }: { also_closed?: boolean | undefined; account_id?: string } = {},
): Promise<TopUpRow> {
  const topUp = await lockTopUp(tx, id);
  if (account_id && topUp.account_id !== account_id) return fail('TOP_UP_NOT_FOUND');
  const isOpen = also_closed ? topUp.status !== 'approved' : topUp.status === 'pending';
  return isOpen ? topUp : fail('TOP_UP_DECIDED');
}

/**
 * The response to a decision on a top-up, once its open card payment was closed. If Stripe cannot
 * be reached, `card-payments.ts` handles a payment that still arrives.
 */
async function replyDecided(ctx: Ctx, changed: Changed) {
  const { db, cardService, log } = ctx;
  const open = await db
    .selectFrom('card_payments')
    .select('session_id')
    .where('top_up_id', '=', changed.id)
    .where('status', '=', 'open')
    .execute();
  for (const { session_id } of open) {
    await cardService?.closeSession(session_id, log).catch(() => {});
  }
  return reply(ctx, changed);
}

export const approveTopUp: Mutation<typeof contract.approveTopUp, Changed> = {
  audit: { action: 'topup.approve', subject: topUpSubject },
  commit: async (tx, { actor }, { params: { id }, body }) => {
    const topUp = await lockOpen(tx, id, body);
    const decision = { actor_id: actor.id, decided_by: actor.id, paid_session: null };
    await issueCredits(tx, topUp, decision);
    // The administrator who approves the top-up has seen the problem, so the flag is removed.
    await changeTopUp(tx, id, { problem: null });
    await notifyAccount(tx, topUp, 'top_up_approved', { credits: topUp.credits });
    return { id };
  },
  reply: replyDecided,
};

const decidedBy = ({ actor }: Ctx) => ({
  decided_by: actor.id,
  decided_at: sql<Date>`clock_timestamp()`,
});

export const rejectTopUp: Mutation<typeof contract.rejectTopUp, Changed> = {
  audit: { action: 'topup.reject', subject: topUpSubject },
  commit: async (tx, ctx, { params: { id }, body: { reason } }) => {
    const topUp = await lockOpen(tx, id);
    await changeTopUp(tx, id, { status: 'rejected', reason, ...decidedBy(ctx) });
    await notifyAccount(tx, topUp, 'top_up_rejected', { reason });
    return { id };
  },
  reply: replyDecided,
};

export const withdrawTopUp: Mutation<typeof contract.withdrawTopUp, Changed> = {
  audit: { action: 'topup.withdraw', subject: topUpSubject },
  commit: async (tx, ctx, { params: { id } }) => {
    await lockOpen(tx, id, { account_id: ctx.actor.id });
    const charged = await tx
      .selectFrom('card_payments')
      .select('session_id')
      .where('top_up_id', '=', id)
      .where('status', 'in', ['processing', 'paid'])
      .executeTakeFirst();
    if (charged) return fail('CARD_PAYMENT_PROCESSING');
    await changeTopUp(tx, id, { status: 'withdrawn', ...decidedBy(ctx) });
    return { id };
  },
  reply: replyDecided,
};

export const resolveTopUp: Mutation<typeof contract.resolveTopUp, Changed> = {
  audit: {
    action: 'topup.resolve',
    subject: topUpSubject,
    data: ({ body }) => ({ note: body.note }),
  },
  commit: async (tx, _, { params: { id } }) => {
    const { problem, owed_credits, forgiven_credits } = await lockTopUp(tx, id);
    if (problem === null && owed_credits === 0) fail('ALREADY_SO');
    const forgiven = { owed_credits: 0, forgiven_credits: forgiven_credits + owed_credits };
    await changeTopUp(tx, id, { problem: null, ...forgiven });
    return { id };
  },
  reply,
};
