import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';

/**
 * A bundle: transfers of one job and kind that follow each other in an account's books, with no other of
 * the account between them, so that the balance after the last is the balance after all of them. The list of
 * transfers shows a bundle as one row, at the place of its first.
 */
interface Bundle {
  id: string;
  kind: string;
  nth: number;
  amount: number;
}

/** The bundle of the account's newest transfer, if this job made it. */
async function openBundle(tx: Tx, account_id: string, job_id: string): Promise<Bundle | undefined> {
  const side = (column: 'from_id' | 'to_id') => sql`(
    select id, kind, amount, job_id, bundle_id, bundle_nth, created_at from credit_transfers
      where ${sql.ref(column)} = ${account_id}
      order by created_at desc, bundle_nth desc nulls last, id desc limit 1)`;
  // The last transfer of a bundle is found by its place, because clocks are sometimes set back.
  const { rows } = await sql<Bundle>`
    select coalesce(newest.bundle_id, newest.id) as id, newest.kind,
        coalesce(last.bundle_nth, 1) as nth, coalesce(last.bundle_amount, newest.amount) as amount
      from (select * from (${side('from_id')} union all ${side('to_id')}) as both_sides
        order by created_at desc, bundle_nth desc nulls last, id desc limit 1) as newest
      left join lateral (
        select bundle_nth, bundle_amount from credit_transfers
          where bundle_id = coalesce(newest.bundle_id, newest.id)
          order by bundle_nth desc limit 1) as last on true
      where newest.job_id = ${job_id}`.execute(tx);
  return rows[0];
}

/**
 * Adds ids and places in bundles to new transfers of one account. The account's balance is locked,
 * so that no other transfer comes between them.
 */
export async function bundled<T extends { kind: string; amount: number }>(
  tx: Tx,
  account_id: string,
  job_id: string | null,
  transfers: readonly T[],
) {
  let open = job_id === null ? undefined : await openBundle(tx, account_id, job_id);
  return transfers.map((transfer) => {
    const id = newId();
    const { kind, amount } = transfer;
    const alone = { bundle_id: null, bundle_nth: null, bundle_amount: null };
    if (job_id === null || open?.kind !== kind) {
      open = { id, kind, nth: 1, amount };
      return { ...transfer, id, job_id, ...alone };
    }
    open = { ...open, nth: open.nth + 1, amount: open.amount + amount };
    const place = { bundle_id: open.id, bundle_nth: open.nth, bundle_amount: open.amount };
    return { ...transfer, id, job_id, ...place };
  });
}

/** SQL of a value of a bundle's last transfer, looked up by its first; null for a transfer outside a bundle. */
const ofLast = (transfer: string, value: RawBuilder<unknown>) => sql`(
  select ${value} from credit_transfers in_bundle
    where in_bundle.bundle_id = ${sql.ref(`${transfer}.id`)}
    order by in_bundle.bundle_nth desc limit 1)`;

/** SQL of the number of transfers in a bundle, and their credits. */
export const bundleOf = (transfer: string) =>
  ofLast(transfer, sql`json_build_object('count', bundle_nth, 'amount', bundle_amount)`);

/** SQL of the credits of a transfer, or of the whole bundle that it is the first of. */
export const wholeAmount = (transfer: string) =>
  sql<number>`coalesce(${ofLast(transfer, sql`bundle_amount`)}, ${sql.ref(`${transfer}.amount`)})`;
