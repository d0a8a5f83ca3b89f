import type * as contract from '@linekeeper/contract/credits/top-ups.ts';
import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import { transact } from '../../db/transaction.ts';
import { auditOriginOf } from '../../domain/audit/audit.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import type { CardService } from '../../platform/payments/card-service.ts';
import { lockCardPayments, settlePayment } from './card-payments.ts';
import { changeTopUp, lockTopUp, type TopUpRow } from './locked-top-up.ts';
import { checkoutSession, read } from './stripe-objects.ts';

/** Sessions examined in one call, at most: an expired session is replaced once, and a third one would be an error. */
const MOST_LOOKS = 3;

/** The actor's pending top-up with this ID. Throws TOP_UP_NOT_FOUND or TOP_UP_DECIDED. */
async function findOwnPending({ db, actor }: Ctx, id: string): Promise<TopUpRow> {
  const topUp = await db
    .selectFrom('top_ups')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', actor.id)
    .executeTakeFirst();
  if (!topUp) return fail('TOP_UP_NOT_FOUND');
  return topUp.status === 'pending' ? topUp : fail('TOP_UP_DECIDED');
}

/** Asks Stripe for the state of a session, and stores it; returns its address if it can still be paid. */
async function reopen(ctx: Ctx, cards: CardService, session_id: string): Promise<string | null> {
  const session = read(checkoutSession, await cards.readSession(session_id, ctx.log));
  if (session.status === 'open' && session.url) return session.url;
  await transact(ctx.db, async (tx) => {
    await lockCardPayments(tx);
    await settlePayment(tx, session, auditOriginOf(ctx));
  });
  return null;
}

/** Opens a session and stores it. Throws TOP_UP_DECIDED and CARD_PAYMENTS_UNAVAILABLE. */
async function openNext(ctx: Ctx, cards: CardService, topUp: TopUpRow, attempt: number) {
  const session = await cards.openSession(
    {
      top_up_id: topUp.id,
      number: topUpNumber(topUp.number),
      product: topUp.package_name,
      price_minor: topUp.price_minor,
      currency: topUp.currency,
      attempt,
      return_url: ctx.auth.pageLink('/payments/top-ups'),
    },
    ctx.log,
  );
  const isKept = await transact(ctx.db, async (tx) => {
    const locked = await lockTopUp(tx, topUp.id);
    // If the account clicks twice at the same moment, the second request finds the session of the first.
    await tx
      .insertInto('card_payments')
      .values({ session_id: session.id, top_up_id: topUp.id, attempt, ...nothingPaid })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const kept = await tx
      .selectFrom('card_payments')
      .select('session_id')
      .where('session_id', '=', session.id)
      .executeTakeFirst();
    if (!kept || locked.status !== 'pending') return false;
    await changeTopUp(tx, topUp.id, { method: 'card' });
    return true;
  });
  if (!isKept) {
    await cards.closeSession(session.id, ctx.log).catch(() => {});
    return fail('TOP_UP_DECIDED');
  }
  return session.url ?? fail('CARD_PAYMENTS_UNAVAILABLE');
}
const nothingPaid = { payment_intent: null, paid_minor: null, paid_currency: null };

/**
 * Returns the address at which the top-up is paid: that of its open session, or of a new one. A payment that has not
 * been reported yet is settled. Throws TOP_UP_NOT_FOUND, TOP_UP_DECIDED, CARDS_NOT_SET_UP, CARD_PAYMENT_PROCESSING,
 * CARD_PAYMENT_REFUSED and CARD_PAYMENTS_UNAVAILABLE.
 */
export const checkOutTopUp: Action<typeof contract.checkOutTopUp> = async (ctx, { params }) => {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const topUp = await findOwnPending(ctx, params.id);
    const cards = ctx.cardService ?? fail('CARDS_NOT_SET_UP');
    const last = await ctx.db
      .selectFrom('card_payments')
      .select(['session_id', 'attempt', 'status'])
      .where('top_up_id', '=', params.id)
      .orderBy('attempt', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last?.status === 'processing') return fail('CARD_PAYMENT_PROCESSING');
    if (last?.status !== 'open') {
      return { url: await openNext(ctx, cards, topUp, (last?.attempt ?? 0) + 1) };
    }
    const url = await reopen(ctx, cards, last.session_id);
    if (url) return { url };
  }
  return fail('CARD_PAYMENTS_UNAVAILABLE');
};
