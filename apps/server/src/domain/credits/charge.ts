import { SALES } from '@linekeeper/contract/accounts/accounts.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Tx } from '../../db/transaction.ts';
import type { SignedIn } from '../context/access.ts';
import { bundled } from './bundles.ts';
import { afterDebit, type Debited, insertingTransfers, takingCredits } from './credits.ts';

/** The period that a sale or renewal pays for. */
export interface SoldTerm {
  months: number;
  /** The first paid day; undefined if it is `months` before the last one. */
  begins_on?: Day;
  /** The line's expiry date after this sale or renewal. */
  expiry_date: Day;
  /** Whole credits; 0 for administrators. */
  cost: number;
}

/**
 * SQL of the debit, its transfers and the periods that they pay for, in one statement; without enough credits it does
 * nothing. The transfers are made from the debit, so that their time is read while the account is locked.
 */
const sell = compiledQuery(
  ['payer_id', 'cost', 'transfers'],
  (_, { payer_id, cost, transfers }) => sql<Debited>`
    with paid as (${takingCredits({ id: payer_id, amount: cost })}),
    transfer as (${insertingTransfers(transfers, sql`paid`)}),
    term as (
      insert into sold_terms (transfer_id, months, begins_on, expiry_date)
        select id, months, begins_on, expiry_date
          from paid, jsonb_to_recordset(${transfers}::jsonb) as sold (
            id uuid, months integer, begins_on date, expiry_date date)
          where expiry_date is not null)
    select credits, is_admin, low_balance from paid`,
);

interface Payment {
  kind: 'sale' | 'renewal';
  line_id: string;
  username: string;
}

export interface Sale extends SoldTerm, Payment {}

/** The sale of a line that does not exist yet: its term is stored when it is made. */
export interface SaleAhead extends Pick<SoldTerm, 'cost'>, Pick<Payment, 'line_id'> {
  kind: 'sale';
  note: string | null;
}

export interface Charged {
  /** Credits paid in total. */
  cost: number;
  /** Ids of the transfers by ids of their lines; none for lines that cost nothing. */
  transfers: ReadonlyMap<string, string>;
  /** The payer's balance afterwards; null if nothing was paid. */
  credits: number | null;
}

/**
 * Charges the acting account for lines: one debit in total, one transfer for each line, in bundles within a job.
 * Administrators pay nothing. Throws INSUFFICIENT_CREDITS, or PAYER_MISSING if the account was deleted.
 */
export async function charge(
  tx: Tx,
  { id: payer_id, is_admin }: SignedIn,
  sales: readonly (Sale | SaleAhead)[],
  job_id: string | null = null,
): Promise<Charged> {
  const paid = is_admin ? [] : sales.filter(({ cost }) => cost > 0);
  if (paid.length === 0) return { cost: 0, transfers: new Map(), credits: null };
  const cost = paid.reduce((sum, sale) => sum + sale.cost, 0);
  const sides = { from_id: payer_id, to_id: SALES, actor_id: payer_id };
  const movements = paid.map(({ cost: amount, ...sale }) => ({ ...sides, ...sale, amount }));
  if (job_id !== null) {
    // The account is locked before the debit, so that no other transfer of the account comes
    // between those of the bundle.
    await sql`select from auth_users where id = ${payer_id} for no key update`.execute(tx);
  }
  const rows = await bundled(tx, payer_id, job_id, movements);
  const [debited] = await sell(tx, { payer_id, cost, transfers: JSON.stringify(rows) });
  const credits = await afterDebit(tx, payer_id, cost, debited);
  return { cost, credits, transfers: new Map(rows.map(({ line_id, id }) => [line_id, id])) };
}
