import type * as contract from '@linekeeper/contract/credits/top-ups.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { topUpSubject } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { issueCredits, lockTopUp, type TopUpRow } from './locked-top-up.ts';
import { notifyAccount } from './notify-top-up.ts';
import { findTopUp } from './store.ts';

type Decided = { id: string };

async function lockPending(tx: Tx, id: string): Promise<TopUpRow> {
  const topUp = (await lockTopUp(tx, id)) ?? fail('TOP_UP_NOT_FOUND');
  return topUp.status === 'pending' ? topUp : fail('TOP_UP_DECIDED');
}

/**
 * Locks a top-up that is not approved. One that was rejected or withdrawn can still be approved when the
 * money comes.
 */
async function lockUnpaid(tx: Tx, id: string): Promise<TopUpRow> {
  const topUp = (await lockTopUp(tx, id)) ?? fail('TOP_UP_NOT_FOUND');
  return topUp.status === 'approved' ? fail('TOP_UP_DECIDED') : topUp;
}

/**
 * Closes the open card payment of a decided top-up. If Stripe cannot be reached, a payment that still comes
 * is handled by `settle-payment.ts`.
 */
async function closeOpenSession({ db, cardService, log }: Ctx, top_up_id: string): Promise<void> {
  if (!cardService) return;
  const open = await db
    .selectFrom('card_payments')
    .select('session_id')
    .where('top_up_id', '=', top_up_id)
    .where('status', '=', 'open')
    .execute();
  for (const { session_id } of open) {
    await cardService.closeSession(session_id, log).catch(() => {});
  }
}

async function replyDecided(ctx: Ctx, { id }: Decided) {
  await closeOpenSession(ctx, id);
  return findTopUp(ctx.db, ctx.actor, id);
}

export const approveTopUp: Mutation<typeof contract.approveTopUp, Decided> = {
  audit: { action: 'topup.approve', subject: topUpSubject, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id }, body }) => {
    const topUp = await (body.also_closed ? lockUnpaid : lockPending)(tx, id);
    await issueCredits(tx, topUp, {
      actor_id: actor.id,
      decided_by: actor.id,
      paid_session: null,
    });
    // The administrator who approves has seen the problem.
    await tx.updateTable('top_ups').set({ problem: null }).where('id', '=', id).execute();
    await notifyAccount(tx, topUp, 'top_up_approved', { credits: topUp.credits });
    return { id };
  },
  reply: replyDecided,
};

export const rejectTopUp: Mutation<typeof contract.rejectTopUp, Decided> = {
  audit: { action: 'topup.reject', subject: topUpSubject, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id }, body: { reason } }) => {
    const topUp = await lockPending(tx, id);
    await tx
      .updateTable('top_ups')
      .set({
        status: 'rejected',
        reason,
        decided_by: actor.id,
        decided_at: sql`clock_timestamp()`,
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute();
    await notifyAccount(tx, topUp, 'top_up_rejected', { reason });
    return { id };
  },
  reply: replyDecided,
};

export const withdrawTopUp: Mutation<typeof contract.withdrawTopUp, Decided> = {
  audit: { action: 'topup.withdraw', subject: topUpSubject, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id } }) => {
    const locked = await lockTopUp(tx, id);
    if (locked?.account_id !== actor.id) return fail('TOP_UP_NOT_FOUND');
    if (locked.status !== 'pending') return fail('TOP_UP_DECIDED');
    const charged = await tx
      .selectFrom('card_payments')
      .select('session_id')
      .where('top_up_id', '=', id)
      .where('status', 'in', ['processing', 'paid'])
      .executeTakeFirst();
    if (charged) return fail('CARD_PAYMENT_PROCESSING');
    await tx
      .updateTable('top_ups')
      .set({
        status: 'withdrawn',
        decided_by: actor.id,
        decided_at: sql`clock_timestamp()`,
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .execute();
    return { id };
  },
  reply: replyDecided,
};

export const resolveTopUp: Mutation<typeof contract.resolveTopUp, Decided> = {
  audit: {
    action: 'topup.resolve',
    subject: topUpSubject,
    of: ({ params }) => params.id,
    data: ({ body }) => ({ note: body.note }),
  },
  commit: async (tx, _, { params: { id } }) => {
    const topUp = (await lockTopUp(tx, id)) ?? fail('TOP_UP_NOT_FOUND');
    if (topUp.problem === null && topUp.owed_credits === 0) fail('ALREADY_SO');
    await tx
      .updateTable('top_ups')
      .set({
        problem: null,
        owed_credits: 0,
        forgiven_credits: topUp.forgiven_credits + topUp.owed_credits,
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .execute();
    return { id };
  },
  reply: ({ db, actor }, { id }) => findTopUp(db, actor, id),
};
