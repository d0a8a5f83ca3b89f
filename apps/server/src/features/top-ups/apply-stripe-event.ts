import { type Tx, transact } from '../../db/transaction.ts';
import type { AuditOrigin } from '../../domain/audit/audit.ts';
import type { Services } from '../../domain/context/context.ts';
import { failPayment, lockCardPayments, recordReversal, settlePayment } from './card-payments.ts';
import {
  checkoutSession,
  dispute,
  read,
  refundedCharge,
  type StripeEvent,
  stripeEvent,
} from './stripe-objects.ts';

type Apply = (tx: Tx, event: StripeEvent, origin: AuditOrigin) => Promise<void>;

const settle: Apply = (tx, { data }, origin) =>
  settlePayment(tx, read(checkoutSession, data.object), origin);

const refund: Apply = async (tx, { data, created }, origin) => {
  const { id, amount_refunded: amount_minor, payment_intent } = read(refundedCharge, data.object);
  if (!payment_intent) return;
  const about = { id, kind: 'refund', payment_intent, reported_at: at(created) } as const;
  await recordReversal(tx, { ...about, amount_minor, stands: true, is_final: false }, origin);
};

/**
 * States of a dispute in which Stripe holds the money back: an inquiry (warning_…) does not, and a
 * dispute that was won returns it.
 */
const withoutMoney = new Set(['needs_response', 'under_review', 'lost']);
const ended = new Set(['lost', 'won', 'warning_closed', 'prevented']);

const disputed: Apply = async (tx, { data, created }, origin) => {
  const { id, amount: amount_minor, status, payment_intent } = read(dispute, data.object);
  if (!payment_intent) return;
  const about = { id, kind: 'dispute', payment_intent, reported_at: at(created) } as const;
  const [stands, is_final] = [withoutMoney.has(status), ended.has(status)];
  await recordReversal(tx, { ...about, amount_minor, stands, is_final }, origin);
};

const handlers = new Map<unknown, Apply>(
  Object.entries({
    'checkout.session.completed': settle,
    'checkout.session.async_payment_succeeded': settle,
    'checkout.session.expired': settle,
    'checkout.session.async_payment_failed': (tx, { data }) =>
      failPayment(tx, read(checkoutSession, data.object)),
    'charge.refunded': refund,
    'charge.dispute.created': disputed,
    'charge.dispute.updated': disputed,
    'charge.dispute.closed': disputed,
    'charge.dispute.funds_withdrawn': disputed,
    'charge.dispute.funds_reinstated': disputed,
  }),
);

const at = (seconds: number) => new Date(seconds * 1000);

/**
 * Applies an event once: its id is stored in the transaction of its changes. If an event fails or cannot be read,
 * nothing is stored, so that Stripe sends it again. Events of other types are ignored.
 */
export async function applyStripeEvent(
  { db }: Pick<Services, 'db'>,
  received: unknown,
  origin: AuditOrigin,
): Promise<void> {
  // A correct signature does not prove that the body is an event.
  const apply = handlers.get((received as { type?: unknown } | null)?.type);
  if (!apply) return;
  const event = read(stripeEvent, received);
  await transact(db, async (tx) => {
    await lockCardPayments(tx);
    const kept = await tx
      .insertInto('stripe_events')
      .values({ id: event.id, type: event.type })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (kept) await apply(tx, event, origin);
  });
}
