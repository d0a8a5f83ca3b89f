import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { CardPaymentsTable, CardReversalsTable } from '../../db/schema/top-up-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockBalance } from '../../domain/accounts/accounts.ts';
import type { AuditOrigin } from '../../domain/audit/audit.ts';
import { ISSUANCE, moveCredits } from '../../domain/credits/credits.ts';
import { lockName } from '../../platform/rows.ts';
import {
  auditTopUp,
  changeTopUp,
  issueCredits,
  lockTopUp,
  notifyAccount,
  notifyFlagged,
  type TopUpRow,
} from './locked-top-up.ts';
import type { CheckoutSession } from './stripe-objects.ts';

type Payment = Selectable<CardPaymentsTable>;

/**
 * Lets one event of a card payment be handled at a time, until the transaction ends. A payment and its refund that
 * arrive at the same moment would otherwise not see each other.
 */
export async function lockCardPayments(tx: Tx): Promise<void> {
  await lockName(tx, 'card_payments');
}

const findPayment = (tx: Tx, session: CheckoutSession): Promise<Payment | undefined> =>
  tx
    .selectFrom('card_payments')
    .selectAll()
    .where('session_id', '=', session.id)
    .executeTakeFirst();

/**
 * Updates a payment to the state of its session, from an event or from a reply of Stripe. A session
 * that the panel did not open is ignored. Needs `lockCardPayments`.
 */
export async function settlePayment(
  tx: Tx,
  session: CheckoutSession,
  origin: AuditOrigin,
): Promise<void> {
  const payment = await findPayment(tx, session);
  if (!payment) return;
  const topUp = await lockTopUp(tx, payment.top_up_id);
  // A paid payment stays paid, even if later reports differ.
  if (payment.status === 'paid') return;
  if (session.payment_status === 'unpaid') await setUnpaid(tx, payment, session);
  else await receivePayment(tx, topUp, session, origin);
}

/** True if a session is paid, with exactly the amount of the order. */
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
  // A late report does not reopen a payment that has failed or expired.
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

/** Stores that the bank did not pay. The account may try again. */
export async function failPayment(tx: Tx, session: CheckoutSession): Promise<void> {
  const payment = await findPayment(tx, session);
  if (!payment || payment.status === 'paid' || payment.status === 'failed') return;
  const topUp = await lockTopUp(tx, payment.top_up_id);
  await setPaymentStatus(tx, payment, 'failed');
  if (topUp.status === 'pending') await notifyAccount(tx, topUp, 'top_up_failed', {});
}

/**
 * Stores that the money has arrived. Credits are issued for exactly the order, even if the top-up was rejected or
 * withdrawn in the meantime; never twice, and never for another amount.
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
  else await flagSurplus(tx, topUp, session);
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

type Reversal = Selectable<CardReversalsTable>;

/**
 * Stores a refund or a dispute. Stripe reports refunds of a charge as their sum, which only grows; of a dispute, the
 * latest report counts unless an earlier one was final. So reports may come in any order (decision 0061).
 */
async function keepReversal(tx: Tx, reversal: Reversal): Promise<void> {
  await tx
    .insertInto('card_reversals')
    .values(reversal)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((row) => ({
          amount_minor: row.ref('excluded.amount_minor'),
          stands: row.ref('excluded.stands'),
          is_final: row.ref('excluded.is_final'),
          reported_at: row.ref('excluded.reported_at'),
        }))
        .where(
          sql<boolean>`not card_reversals.is_final and (
            case card_reversals.kind when 'refund'
              then excluded.amount_minor > card_reversals.amount_minor
              else excluded.is_final or excluded.reported_at >= card_reversals.reported_at end)`,
        ),
    )
    .execute();
}

/** Stores a reversal and applies it, or leaves that to the arrival of its payment. Needs `lockCardPayments`. */
export async function recordReversal(
  tx: Tx,
  reversal: Reversal,
  origin: AuditOrigin,
): Promise<void> {
  await keepReversal(tx, reversal);
  const payment = await tx
    .selectFrom('card_payments')
    .select('top_up_id')
    .where('payment_intent', '=', reversal.payment_intent)
    .executeTakeFirst();
  if (payment) await applyReversals(tx, payment.top_up_id, origin);
}

/** Applies refunds and disputes of the payment that counts, and of surplus payments. */
async function applyReversals(tx: Tx, id: string, origin: AuditOrigin): Promise<void> {
  const topUp = await lockTopUp(tx, id);
  if (topUp.paid_session) await takeBackReversed(tx, topUp, topUp.paid_session, origin);
  if (topUp.problem) await settleReturned(tx, topUp, origin);
}

/** SQL condition on a card payment of a top-up with this `paid_session`: it is paid, and no credits were issued for it. */
export const isSurplus = (paid_session: unknown) =>
  sql<SqlBool>`(card_payments.status = 'paid' and session_id is distinct from ${paid_session})`;

/** SQL of the refunded and disputed amount of a card payment, by all reversals that `count`. */
const goneOf = (count: RawBuilder<unknown>): RawBuilder<number> => sql`least(
  coalesce(paid_minor, 0), (select coalesce(sum(amount_minor), 0)::bigint from card_reversals
    where card_reversals.payment_intent = card_payments.payment_intent and stands and ${count}))`;

/** SQL of the amount that was lost for good: a dispute in progress may be won, so it counts only once it is lost. */
export const goneForGood = goneOf(sql`(kind = 'refund' or is_final)`);

/**
 * Adjusts the withdrawn credits to the reversed amount: its share of the credits, rounded down, as far as they are
 * unspent. The remaining credits are owed, and a later report of the same reversal does not withdraw them. Sums are
 * compared instead of reports, so a repeated report changes nothing. A dispute that was won returns credits.
 */
async function takeBackReversed(
  tx: Tx,
  topUp: TopUpRow,
  paid_session: string,
  origin: AuditOrigin,
): Promise<void> {
  const { paid_minor, gone } = await tx
    .selectFrom('card_payments')
    .select(['paid_minor', goneOf(sql`true`).as('gone')])
    .where('session_id', '=', paid_session)
    .executeTakeFirstOrThrow();
  if (!paid_minor) return;
  const due = Number((BigInt(topUp.credits) * BigInt(gone)) / BigInt(paid_minor));
  // Credits that are no longer due after a dispute was won had been forgiven for that dispute, not
  // for another reversal.
  const wasDue = topUp.returned_credits + topUp.owed_credits + topUp.forgiven_credits;
  const forgiven = Math.max(0, topUp.forgiven_credits - Math.max(0, wasDue - due));
  const missing = due - forgiven - topUp.returned_credits;
  // For owed credits, the balance was already checked by an earlier report.
  const newlyDue = Math.max(0, missing - topUp.owed_credits);
  const available = newlyDue > 0 ? await lockBalance(tx, topUp.account_id) : 0;
  const taken =
    missing > 0 ? Math.min(newlyDue, available) : Math.max(missing, -topUp.returned_credits);
  const owed = Math.max(0, missing - Math.max(0, taken));
  const isForgivenStill = forgiven === topUp.forgiven_credits;
  if (taken === 0 && owed === topUp.owed_credits && isForgivenStill) return;
  await moveBack(tx, topUp, taken);
  const after = { returned_credits: topUp.returned_credits + taken, owed_credits: owed };
  await changeTopUp(tx, topUp.id, { ...after, forgiven_credits: forgiven });
  const owesMore = taken >= 0 && owed > topUp.owed_credits;
  if (taken < 0) await notifyAccount(tx, topUp, 'top_up_restored', { credits: -taken });
  else if (taken > 0 || owesMore) {
    await notifyAccount(tx, topUp, 'top_up_returned', { credits: taken });
  }
  if (owesMore) await notifyFlagged(tx, topUp, 'owed');
  const before = { returned_credits: topUp.returned_credits, owed_credits: topUp.owed_credits };
  await auditTopUp(tx, origin, 'topup.refunded', topUp, { before, after });
}

/** Withdraws credits; a negative amount returns them to the account. */
async function moveBack(tx: Tx, { id, number, account_id }: TopUpRow, amount: number) {
  if (amount === 0) return;
  const transfer = await moveCredits(tx, {
    ...(amount > 0
      ? { kind: 'take_back', from_id: account_id, to_id: ISSUANCE }
      : { kind: 'topup', from_id: ISSUANCE, to_id: account_id }),
    amount: Math.abs(amount),
    actor_id: null,
    note: topUpNumber(number),
  });
  await tx
    .insertInto('top_up_returns')
    .values({ transfer_id: transfer.id, top_up_id: id })
    .execute();
}

function amountOf(minor: number | null, currency: string | null) {
  return minor === null || currency === null ? null : { minor, currency: currency.toUpperCase() };
}

/** Flags a payment for which credits cannot be issued, and notifies its account and the administrators. */
async function flagSurplus(tx: Tx, topUp: TopUpRow, session: CheckoutSession): Promise<void> {
  const problem = topUp.status === 'approved' ? 'paid_again' : 'wrong_amount';
  await changeTopUp(tx, topUp.id, { problem });
  await notifyFlagged(tx, topUp, problem);
  await notifyAccount(tx, topUp, 'top_up_surplus', {
    why: problem,
    ordered: { minor: topUp.price_minor, currency: topUp.currency },
    paid: amountOf(session.amount_total, session.currency),
  });
}

/** Removes the flag once all payments without credits were returned in full. */
async function settleReturned(tx: Tx, topUp: TopUpRow, origin: AuditOrigin): Promise<void> {
  const surplus = await tx
    .selectFrom('card_payments')
    .select(['paid_minor', 'paid_currency', goneForGood.as('gone')])
    .where('top_up_id', '=', topUp.id)
    .where(isSurplus(topUp.paid_session))
    .orderBy('attempt')
    .execute();
  const isOpen = surplus.some(({ paid_minor, gone }) => gone === 0 || gone < (paid_minor ?? 0));
  if (surplus.length === 0 || isOpen) return;
  await changeTopUp(tx, topUp.id, { problem: null });
  for (const { paid_minor, paid_currency } of surplus) {
    const paid = amountOf(paid_minor, paid_currency);
    await notifyAccount(tx, topUp, 'top_up_surplus_returned', { paid });
  }
  const states = { before: { problem: topUp.problem }, after: { problem: null } };
  await auditTopUp(tx, origin, 'topup.refunded', topUp, states);
}
