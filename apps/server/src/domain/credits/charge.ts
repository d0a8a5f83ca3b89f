import { SALES } from '@linekeeper/contract/accounts/accounts.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { SignedIn } from '../context/access.ts';
import { bundled } from './bundles.ts';
import { afterDebit, debit, takingCredits } from './debit.ts';

/** The period that a sale or renewal pays for. */
export interface SoldTerm {
  months: number;
  /** The line's last day from then on. */
  expiry_date: Day;
}

const saleNames = ['id', 'kind', 'payer_id', 'cost', 'line_id', 'username'] as const;

/** The debit, its transfer and what it pays for, in one statement; nothing where credits are lacking. */
const sell = compiledQuery([...saleNames, 'months', 'expiry_date'], (db, sale) =>
  db
    .with('paid', (within) => takingCredits(within, { id: sale.payer_id, amount: sale.cost }))
    .with('transfer', (within) =>
      within
        .insertInto('credit_transfers')
        .columns([
          'id',
          'kind',
          'from_id',
          'to_id',
          'amount',
          'actor_id',
          'line_id',
          'username',
          'created_at',
        ])
        .expression((from) =>
          // From the debit, so that the time is taken while the account is locked.
          from
            .selectFrom('paid')
            .select([
              sql`${sale.id}::uuid`.as('id'),
              sql`${sale.kind}`.as('kind'),
              sql`${sale.payer_id}::uuid`.as('from_id'),
              sql`${sql.lit(SALES)}::uuid`.as('to_id'),
              sql`${sale.cost}::bigint`.as('amount'),
              sql`${sale.payer_id}::uuid`.as('actor_id'),
              sql`${sale.line_id}::uuid`.as('line_id'),
              sql`${sale.username}`.as('username'),
              sql`clock_timestamp()`.as('created_at'),
            ]),
        )
        .returning('id'),
    )
    .with('term', (within) =>
      within
        .insertInto('sold_terms')
        .columns(['transfer_id', 'months', 'expiry_date'])
        .expression((from) =>
          from
            .selectFrom('transfer')
            .select([
              'id',
              sql<number>`${sale.months}::integer`.as('months'),
              sql<string>`${sale.expiry_date}::date`.as('expiry_date'),
            ]),
        ),
    )
    .selectFrom('paid')
    .select(['credits', 'is_admin', 'low_balance']),
);

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
async function writeTransfers(
  tx: Tx,
  payer_id: string,
  job_id: string | null,
  paid: readonly Sale[],
): Promise<Map<string, string>> {
  const movements = paid.map(({ kind, cost, line_id, username }) => ({
    line_id,
    username,
    kind,
    from_id: payer_id,
    to_id: SALES,
    amount: cost,
    actor_id: payer_id,
    note: null,
    refund_of: null,
    created_at: sql<Date>`clock_timestamp()`,
  }));
  const transfers = await bundled(tx, payer_id, job_id, movements);
  await tx.insertInto('credit_transfers').values(transfers).execute();
  const terms = paid.map(({ months, expiry_date }, index) => ({
    transfer_id: transfers[index]?.id ?? '',
    months,
    expiry_date,
  }));
  await tx.insertInto('sold_terms').values(terms).execute();
  return new Map(transfers.map(({ line_id, id }) => [line_id, id]));
}

/**
 * Charges the acting account for lines: one debit in total, one transfer for each line. Administrators pay nothing.
 * Throws INSUFFICIENT_CREDITS.
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
    return { cost, credits, transfers: await writeTransfers(tx, actor.id, job_id, paid) };
  }
  const id = newId();
  const [left] = await sell(tx, { ...first, id, payer_id: actor.id });
  const credits = await afterDebit(tx, actor.id, cost, left);
  return { cost, credits, transfers: new Map([[first.line_id, id]]) };
}
