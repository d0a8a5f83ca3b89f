import { SALES } from '@linekeeper/contract/accounts/accounts.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { cheapestCover } from '@linekeeper/contract/pricing.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { SignedIn } from '../context/access.ts';
import type { PriceFor } from '../context/context.ts';
import { afterDebit, type Debited, debit, takingCredits, writeTransfers } from './credits.ts';

export const priceFor: PriceFor = async (_db, _payer, months) => cheapestCover(months);

/** The period that a sale or renewal pays for. */
export interface SoldTerm {
  months: number;
  /** The line's last day from then on. */
  expiry_date: Day;
}

const saleNames = ['id', 'kind', 'payer_id', 'cost', 'line_id', 'username'] as const;

/**
 * The debit, its transfer and what it pays for, in one statement; nothing where credits are lacking. The transfer
 * is made from the debit, so that its time is taken while the account is locked.
 */
const sell = compiledQuery([...saleNames, 'months', 'expiry_date'], (db, sale) => ({
  compile: () =>
    sql<Debited>`
      with paid as (${takingCredits({ id: sale.payer_id, amount: sale.cost })}),
      transfer as (
        insert into credit_transfers
            (id, kind, from_id, to_id, amount, actor_id, line_id, username, created_at)
          select ${sale.id}::uuid, ${sale.kind}, ${sale.payer_id}::uuid, ${sql.lit(SALES)}::uuid,
              ${sale.cost}::bigint, ${sale.payer_id}::uuid, ${sale.line_id}::uuid, ${sale.username},
              clock_timestamp()
            from paid
          returning id),
      term as (
        insert into sold_terms (transfer_id, months, expiry_date)
          select id, ${sale.months}::integer, ${sale.expiry_date}::date from transfer)
      select credits, is_admin, low_balance from paid`.compile(db),
}));

export interface Charged {
  /** Credits paid. */
  cost: number;
  /** Id of the transfer; null if nothing was paid. */
  transfer_id: string | null;
  /** The payer's balance afterwards; null if nothing was paid, or in a job. */
  credits: number | null;
}

export interface Sale {
  kind: 'sale' | 'renewal';
  cost: number;
  line_id: string;
  username: string;
  term: SoldTerm;
}

/**
 * Charges the acting account for a line, of a job or by itself; administrators pay nothing. Throws
 * INSUFFICIENT_CREDITS, or PAYER_MISSING if the account is gone.
 */
export async function charge(
  tx: Tx,
  actor: SignedIn,
  sale: Sale,
  job_id: string | null = null,
): Promise<Charged> {
  const { term, ...sold } = sale;
  const { cost } = sold;
  if (actor.is_admin || cost === 0) return { cost: 0, transfer_id: null, credits: null };
  if (job_id !== null) {
    const transfers = await chargeAll(tx, actor, job_id, [sale]);
    return { cost, transfer_id: transfers.get(sold.line_id) ?? null, credits: null };
  }
  const id = newId();
  const [paid] = await sell(tx, { ...sold, ...term, id, payer_id: actor.id });
  const credits = await afterDebit(tx, actor.id, cost, paid);
  return { cost, transfer_id: id, credits };
}

/**
 * Charges the acting account for lines of a job: one debit in total, one transfer for each line.
 * Returns the transfers' ids by line id. Throws INSUFFICIENT_CREDITS, or PAYER_MISSING if the account is gone.
 */
export async function chargeAll(
  tx: Tx,
  actor: SignedIn,
  job_id: string,
  sales: readonly Sale[],
): Promise<Map<string, string>> {
  const paid = actor.is_admin ? [] : sales.filter(({ cost }) => cost > 0);
  if (paid.length === 0) return new Map();
  const total = paid.reduce((sum, { cost }) => sum + cost, 0);
  await debit(tx, actor.id, total);
  const sides = { from_id: actor.id, to_id: SALES, actor_id: actor.id };
  const movements = paid.map(({ term: _, cost: amount, ...sold }) => ({
    ...sold,
    ...sides,
    amount,
  }));
  const transfers = await writeTransfers(tx, actor.id, job_id, movements);
  const ids = new Map(transfers.map(({ line_id, id }) => [line_id ?? '', id]));
  const terms = paid.map(({ line_id, term }) => ({ transfer_id: ids.get(line_id) ?? '', ...term }));
  await tx.insertInto('sold_terms').values(terms).execute();
  return ids;
}
