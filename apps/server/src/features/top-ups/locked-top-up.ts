import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import type { AuditAction } from '@linekeeper/contract/lists/audit-actions.ts';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { TopUpsTable } from '../../db/schema/top-up-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { type AuditEntry, type AuditOrigin, writeAudit } from '../../domain/audit/audit.ts';
import { ISSUANCE, moveCredits } from '../../domain/credits/credits.ts';
import type { NoticeFacts } from '../../domain/notices/notices.ts';
import { notify, notifyAdministrators, ORDERED } from '../../domain/notices/notify.ts';
import { fail } from '../../platform/errors/refusal.ts';

export type TopUpRow = Selectable<TopUpsTable>;

/**
 * Reads a top-up and locks it until the transaction ends, before the accounts that its credits lock. Throws
 * TOP_UP_NOT_FOUND.
 */
export async function lockTopUp(tx: Tx, id: string): Promise<TopUpRow> {
  const topUps = tx.selectFrom('top_ups').selectAll().where('id', '=', id).forNoKeyUpdate();
  return (await topUps.executeTakeFirst()) ?? fail('TOP_UP_NOT_FOUND');
}

/** Changes a locked top-up. Open pages reload it after the update, even without columns. */
export async function changeTopUp(
  tx: Tx,
  id: string,
  columns: UpdateObject<Database, 'top_ups'>,
): Promise<void> {
  const changed = { ...columns, updated_at: sql<Date>`now()` };
  await tx.updateTable('top_ups').set(changed).where('id', '=', id).execute();
}

interface Decision {
  /** The account that causes the credits: an administrator, or the buyer through a payment. */
  actor_id: string;
  decided_by: string | null;
  paid_session: string | null;
}

/**
 * Issues the credits of a top-up that is locked and not approved. The statement that approves it checks this again, and
 * each top-up has one transfer.
 */
export async function issueCredits(tx: Tx, topUp: TopUpRow, decision: Decision): Promise<void> {
  const { id, account_id, credits, number } = topUp;
  const { actor_id, ...decided } = decision;
  const transfer = await moveCredits(tx, {
    kind: 'topup',
    from_id: ISSUANCE,
    to_id: account_id,
    amount: credits,
    actor_id,
    note: topUpNumber(number),
  });
  const { numUpdatedRows } = await tx
    .updateTable('top_ups')
    .set({
      ...decided,
      status: 'approved',
      reason: null,
      transfer_id: transfer.id,
      decided_at: sql`clock_timestamp()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('status', '<>', 'approved')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Error('A top-up was approved twice');
}

/** Writes the audit entry of a top-up that a payment has changed. */
export const auditTopUp = (
  tx: Tx,
  origin: AuditOrigin,
  action: AuditAction,
  { id, account_id }: TopUpRow,
  { data, ...states }: Pick<AuditEntry, 'before' | 'after' | 'data'>,
): Promise<void> =>
  writeAudit(tx, origin, [
    { action, subject_type: 'topup', subject_id: id, ...states, data: { account_id, ...data } },
  ]);

const linkTo = ({ number }: TopUpRow) => `/payments/top-ups?q=${topUpNumber(number)}`;

/** Notifies the account of the outcome of its top-up. */
export async function notifyAccount<Event extends Extract<keyof NoticeFacts, `top_up_${string}`>>(
  tx: Tx,
  topUp: TopUpRow,
  event: Event,
  more: Omit<NoticeFacts[Event], 'number'>,
): Promise<void> {
  const facts = { number: topUpNumber(topUp.number), ...more } as never;
  await notify(tx, [{ event, facts, account_id: topUp.account_id, link: linkTo(topUp) }]);
}

/** Notifies administrators of an order that will be paid by bank transfer. */
export async function notifyOrdered(tx: Tx, topUp: TopUpRow, email: string): Promise<void> {
  const { credits, price_minor: minor, currency } = topUp;
  const facts = { number: topUpNumber(topUp.number), email, credits, price: { minor, currency } };
  const said_once = `${ORDERED}${facts.number}`;
  const link = linkTo(topUp);
  await notifyAdministrators(tx, { event: 'top_up_ordered', facts, link, said_once });
}

/** Notifies administrators of a mismatch that only a person can resolve. */
export async function notifyFlagged(
  tx: Tx,
  topUp: TopUpRow,
  why: NoticeFacts['top_up_flagged']['why'],
): Promise<void> {
  const facts = { number: topUpNumber(topUp.number), why };
  await notifyAdministrators(tx, { event: 'top_up_flagged', facts, link: linkTo(topUp) });
}
