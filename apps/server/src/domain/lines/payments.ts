import {
  type GivenPayment,
  type LinePayment,
  usualAmount,
} from '@linekeeper/contract/fields/payment.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { sql } from 'kysely';
import { isoMoment } from '../../db/read-text.ts';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { readOwnPrices } from './own-prices.ts';

/**
 * A seller's bookkeeping: what customers pay. Only the owner of a line writes and reads it. Nothing here moves credits,
 * and no price, job, event for others or audit entry has any of it.
 */

type StoredPayment = Omit<LinePayment, 'since'> & { since: number };

/**
 * SQL of the payment of a line in its owner's bookkeeping: all open debts as one, or else the newest entry. Null for
 * every reader but the owner, whose entries alone are looked up.
 */
export const paymentOfLine = (
  reader: string,
) => sql<StoredPayment | null>`case when users.owner_id = ${reader}::uuid then (
  select to_jsonb(said) from (
    select state,
        case when count(distinct coalesce(currency, '')) = 1 and bool_and(amount_minor is not null)
          then sum(amount_minor)::bigint end as amount_minor,
        case when count(distinct coalesce(currency, '')) = 1 then min(currency) end as currency,
        case when state = 'owes' then min(due) end as due, extract(epoch from min(coalesce(paid_at, created_at)))::float8 as since
      from book_entries
      where book_entries.line_id = users.id and book_entries.account_id = users.owner_id
      group by state, case when state <> 'owes' then book_entries.id end
      order by state = 'owes' desc, max(created_at) desc, max(book_entries.id::text) desc limit 1) as said) end`;

/** The payment as a response has it. */
export const toPayment = (payment: StoredPayment | null): Line['payment'] =>
  payment && { ...payment, since: isoMoment(payment.since) };

/** The fields of a line, as they were at a sale or renewal, that its payment needs. */
type Payable = Pick<
  Line,
  'id' | 'username' | 'owner_id' | 'plan_id' | 'price_minor' | 'currency' | 'subscription_months'
>;

interface Actor {
  id: string;
}

/** The given amount, or else the usual one. What is given away has none. */
async function amountOf(tx: Tx, line: Payable, given: GivenPayment, months: number | null) {
  if (given.state === 'free') return { amount_minor: null, currency: null };
  const usual = usualAmount(line, months, await readOwnPrices(tx, line.owner_id));
  const { amount_minor = usual.amount_minor, currency = usual.currency } = given;
  return { amount_minor, currency };
}

/** Throws OWNER_ONLY for anyone but the owner of the line, because it is in the owner's bookkeeping only. */
export function refuseForeignPayment({ owner_id }: Pick<Payable, 'owner_id'>, actor: Actor): void {
  if (owner_id !== actor.id) fail('OWNER_ONLY');
}

/**
 * Writes the payment that was agreed at a sale or renewal into the bookkeeping of the line's owner. Throws OWNER_ONLY.
 */
export async function enterPayment(
  tx: Tx,
  actor: Actor,
  line: Payable,
  given: GivenPayment,
  { months, job_id }: { months: number | null; job_id: string | null },
): Promise<void> {
  refuseForeignPayment(line, actor);
  await tx
    .insertInto('book_entries')
    .values({
      id: newId(),
      account_id: actor.id,
      line_id: line.id,
      username: line.username,
      plan_id: line.plan_id,
      months,
      job_id,
      ...(await amountOf(tx, line, given, months)),
      state: given.state,
      due: given.due ?? null,
      paid_at: given.state === 'paid' ? sql<Date>`now()` : null,
    })
    .execute();
}

/** SQL of the time of payment. An entry that was already paid keeps its time. */
const paidAt = (state: GivenPayment['state']) =>
  state === 'paid' ? sql<Date>`coalesce(paid_at, now())` : null;

/**
 * Changes the bookkeeping entry of a line that the caller has locked. `paid` settles all debts; anything else is about
 * the newest entry, which is made if there is none. Throws OWNER_ONLY.
 */
export async function changePayment(
  tx: Tx,
  actor: Actor,
  line: Payable,
  given: GivenPayment,
): Promise<void> {
  refuseForeignPayment(line, actor);
  const { state, due } = given;
  const entries = await tx
    .selectFrom('book_entries')
    .select(['id', 'state', 'months'])
    .where('line_id', '=', line.id)
    .where('account_id', '=', actor.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const open = state === 'paid' ? entries.filter((entry) => entry.state === 'owes') : [];
  const [newest] = [...open, ...entries];
  if (!newest) {
    const months = line.subscription_months;
    return enterPayment(tx, actor, line, given, { months, job_id: null });
  }
  const becomesOrWasFree = state === 'free' || newest.state === 'free';
  // If there are several debts, each keeps its amount. Fields that are undefined stay.
  const amount =
    open.length > 1
      ? {}
      : becomesOrWasFree
        ? await amountOf(tx, line, given, newest.months)
        : { amount_minor: given.amount_minor, currency: given.currency };
  await tx
    .updateTable('book_entries')
    .set({ state, due, paid_at: paidAt(state), ...amount })
    .where('id', 'in', open.length > 0 ? open.map(({ id }) => id) : [newest.id])
    .execute();
}

/** Sets the state of one entry in the account's bookkeeping. Throws NOT_FOUND if it has no such entry. */
export async function setEntryState(
  tx: Tx,
  actor: Actor,
  id: string,
  state: GivenPayment['state'],
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('book_entries')
    .set({ state, paid_at: paidAt(state) })
    .where('id', '=', id)
    .where('account_id', '=', actor.id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) fail('NOT_FOUND');
}

/** Removes what a sale or renewal that is undone wrote into books: for lines that it made, all of them. */
export async function removeEntries(
  tx: Tx,
  job_id: string | null,
  { made, changed }: { made: readonly string[]; changed: readonly string[] },
): Promise<void> {
  await sql`delete from book_entries where line_id = any(${made}::uuid[])
    or (line_id = any(${changed}::uuid[]) and job_id = ${job_id}::uuid)`.execute(tx);
}
