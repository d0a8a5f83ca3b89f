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

export interface Sale extends SoldTerm {
  kind: 'sale' | 'renewal';
  /** Whole credits. */
  cost: number;
  line_id: string;
  username: string;
}

export interface Charged {
  /** Credits paid in total. */
  cost: number;
  /** Ids of the transfers by ids of their lines; none for lines that cost nothing. */
  transfers: ReadonlyMap<string, string>;
  /** The payer's balance afterwards; null if nothing was paid. */
  credits: number | null;
}

/** The transfers of several sales, and of any in a job, where they follow each other in bundles. */
async function writeSales(
  tx: Tx,
  payer_id: string,
  job_id: string | null,
  paid: readonly Sale[],
): Promise<Map<string, string>> {
  const sides = { from_id: payer_id, to_id: SALES, actor_id: payer_id };
  const movements = paid.map(({ kind, cost: amount, line_id, username }) => ({
    ...sides,
    kind,
    amount,
    line_id,
    username,
  }));
  const transfers = await writeTransfers(tx, payer_id, job_id, movements);
  const ids = new Map(transfers.map(({ line_id, id }) => [line_id ?? '', id]));
  const terms = paid.map(({ line_id, months, expiry_date }) => ({
    transfer_id: ids.get(line_id) ?? '',
    months,
    expiry_date,
  }));
  await tx.insertInto('sold_terms').values(terms).execute();
  return ids;
}

/**
 * Charges the acting account for lines: one debit in total, one transfer for each line. Administrators pay nothing.
 * Throws INSUFFICIENT_CREDITS, or PAYER_MISSING if the account is gone.
 */
export async function charge(
  tx: Tx,
  actor: SignedIn,
  sales: readonly Sale[],
  job_id: string | null = null,
): Promise<Charged> {
  const paid = actor.is_admin ? [] : sales.filter(({ cost }) => cost > 0);
  const [first] = paid;
  if (!first) return { cost: 0, transfers: new Map(), credits: null };
  const cost = paid.reduce((sum, sale) => sum + sale.cost, 0);
  if (paid.length > 1 || job_id !== null) {
    const credits = await debit(tx, actor.id, cost);
    return { cost, credits, transfers: await writeSales(tx, actor.id, job_id, paid) };
  }
  const id = newId();
  const [debited] = await sell(tx, { ...first, id, payer_id: actor.id });
  const credits = await afterDebit(tx, actor.id, cost, debited);
  return { cost, credits, transfers: new Map([[first.line_id, id]]) };
}
