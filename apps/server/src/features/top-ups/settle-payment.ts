import { type Selectable, sql } from 'kysely';
import type { CardPaymentsTable } from '../../db/schema/top-up-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import type { AuditOrigin } from '../../domain/audit/audit.ts';
import {
  auditTopUp,
  changeTopUp,
  issueCredits,
  lockTopUp,
  notifyAccount,
  notifyFlagged,
  type TopUpRow,
} from './locked-top-up.ts';
import { applyReversals, flagSurplus } from './reversals.ts';
import type { CheckoutSession } from './stripe-objects.ts';

type Payment = Selectable<CardPaymentsTable>;

/**
 * Events of card payments are handled one after the other, because a payment and its refund that are
 * reported at the same moment would not see each other.
 */
export async function lockCardPayments(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('card_payments'))`.execute(tx);
}

const findPayment = (tx: Tx, session: CheckoutSession): Promise<Payment | undefined> =>
  tx
    .selectFrom('card_payments')
    .selectAll()
    .where('session_id', '=', session.id)
    .executeTakeFirst();

/**
 * Brings a payment up to what Stripe says of its session, whether an event says so or it was asked.
 * A session that the panel did not open is ignored. Needs `lockCardPayments`.
 */
export async function settlePayment(
  tx: Tx,
  session: CheckoutSession,
  origin: AuditOrigin,
): Promise<void> {
  const payment = await findPayment(tx, session);
  if (!payment) return;
  const topUp = await lockTopUp(tx, payment.top_up_id);
  if (!topUp) throw new Error('A card payment belongs to no top-up');
  // What was paid stays so, whatever arrives later.
  if (payment.status === 'paid') return;
  if (session.payment_status === 'unpaid') await setUnpaid(tx, payment, session);
  else await receivePayment(tx, topUp, session, origin);
}

/** Paid, and exactly what was ordered. */
function isExact({ price_minor, currency }: TopUpRow, session: CheckoutSession): boolean {
  return (
    session.payment_status === 'paid' &&
    session.amount_total === price_minor &&
    session.currency?.toUpperCase() === currency
  );
}

async function setUnpaid(tx: Tx, payment: Payment, { status }: CheckoutSession): Promise<void> {
  const next =
    status === 'complete' ? 'processing' : status === 'expired' ? 'expired' : payment.status;
  // A report that is late does not open again what has failed or expired.
  if (next === payment.status || payment.status === 'failed' || payment.status === 'expired')
    return;
  await setPaymentStatus(tx, payment, next);
}

async function setPaymentStatus(
  tx: Tx,
  { session_id, top_up_id }: Payment,
  status: Payment['status'],
): Promise<void> {
  await tx
    .updateTable('card_payments')
    .set({ status })
    .where('session_id', '=', session_id)
    .execute();
  await changeTopUp(tx, top_up_id, {});
}

/** The bank did not pay after all; it can be tried again. */
export async function failPayment(tx: Tx, session: CheckoutSession): Promise<void> {
  const payment = await findPayment(tx, session);
  if (!payment || payment.status === 'paid' || payment.status === 'failed') return;
  const topUp = await lockTopUp(tx, payment.top_up_id);
  await setPaymentStatus(tx, payment, 'failed');
  if (topUp?.status === 'pending') await notifyAccount(tx, topUp, 'top_up_failed', {});
}

/**
 * The money has come. Credits are issued for exactly what was ordered, also where the top-up was
 * rejected or withdrawn meanwhile; never twice, and never for another amount.
 */
async function receivePayment(
  tx: Tx,
  topUp: TopUpRow,
  session: CheckoutSession,
  origin: AuditOrigin,
): Promise<void> {
  const { amount_total, currency, payment_intent = null } = session;
  await tx
    .updateTable('card_payments')
    .set({
      status: 'paid',
      payment_intent,
      paid_minor: amount_total,
      paid_currency: currency?.toUpperCase() ?? null,
    })
    .where('session_id', '=', session.id)
    .execute();
  const issues = topUp.status !== 'approved' && isExact(topUp, session);
  if (issues) await issueForPayment(tx, topUp, session.id);
  else {
    const problem = topUp.status === 'approved' ? 'paid_again' : 'wrong_amount';
    await flagSurplus(tx, topUp, problem, { paid_minor: amount_total, currency });
  }
  await auditTopUp(tx, origin, 'topup.paid', topUp, {
    before: { status: topUp.status },
    after: { status: issues ? 'approved' : topUp.status },
    data: { amount_total, currency },
  });
  await applyReversals(tx, topUp.id, origin);
}

async function issueForPayment(tx: Tx, topUp: TopUpRow, session_id: string): Promise<void> {
  const { account_id: actor_id } = topUp;
  await issueCredits(tx, topUp, { actor_id, decided_by: null, paid_session: session_id });
  await notifyAccount(tx, topUp, 'top_up_approved', { credits: topUp.credits });
  if (topUp.status === 'rejected' || topUp.status === 'withdrawn')
    await notifyFlagged(tx, topUp, 'paid_late');
}
