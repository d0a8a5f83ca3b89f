import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { type AuditOrigin, writeAudit } from '../../domain/audit/audit.ts';
import { flagTopUp, lockTopUp, type TopUpRow } from './locked-top-up.ts';
import { notifyAccount, notifyFlagged } from './notify-top-up.ts';

/**
 * SQL: what of a card payment is gone for good. A dispute under way may be won, so it counts once it is
 * lost.
 */
export const goneForGood: RawBuilder<number> = sql<number>`least(coalesce(paid_minor, 0),
  (select coalesce(sum(amount_minor), 0)::bigint from card_reversals
    where card_reversals.payment_intent = card_payments.payment_intent
      and stands and (kind = 'refund' or is_final)))`;

interface Surplus {
  paid_minor: number | null;
  paid_currency: string | null;
  gone: number;
}

/** Payments that no credits were issued for. */
function readSurplus(tx: Tx, { id, paid_session }: TopUpRow): Promise<Surplus[]> {
  return tx
    .selectFrom('card_payments')
    .select(['paid_minor', 'paid_currency', goneForGood.as('gone')])
    .where('top_up_id', '=', id)
    .where('status', '=', 'paid')
    .where('session_id', 'is distinct from', paid_session)
    .orderBy('attempt')
    .execute();
}

interface Paid {
  paid_minor: number | null;
  currency: string | null;
}

/** A payment that credits cannot be issued for: who paid and the administrators are told. */
export async function flagSurplus(
  tx: Tx,
  topUp: TopUpRow,
  problem: NonNullable<TopUpRow['problem']>,
  paid: Paid,
): Promise<void> {
  await flagTopUp(tx, topUp.id, problem);
  await notifyFlagged(tx, topUp, problem);
  await notifyAccount(tx, topUp, 'top_up_surplus', {
    why: problem,
    ordered: { minor: topUp.price_minor, currency: topUp.currency },
    paid: amountOf(paid.paid_minor, paid.currency),
  });
}

function amountOf(minor: number | null, currency: string | null) {
  return minor === null || currency === null ? null : { minor, currency: currency.toUpperCase() };
}

/** Removes the flag once the whole surplus was returned. */
export async function settleReturned(tx: Tx, id: string, origin: AuditOrigin): Promise<void> {
  const topUp = await lockTopUp(tx, id);
  if (!topUp?.problem) return;
  const surplus = await readSurplus(tx, topUp);
  const isBack = ({ paid_minor, gone }: Surplus) => gone > 0 && gone >= (paid_minor ?? 0);
  if (surplus.length === 0 || !surplus.every(isBack)) return;
  await tx
    .updateTable('top_ups')
    .set({ problem: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  for (const { paid_minor, paid_currency } of surplus) {
    const paid = amountOf(paid_minor, paid_currency);
    await notifyAccount(tx, topUp, 'top_up_surplus_returned', { paid });
  }
  await writeAudit(tx, origin, [
    {
      action: 'topup.refunded',
      subject_type: 'topup',
      subject_id: id,
      before: { problem: topUp.problem },
      after: { problem: null },
      data: { account_id: topUp.account_id },
    },
  ]);
}
