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

export interface Charged {
  /** Credits paid. */
  cost: number;
  /** Id of the transfer; null if nothing was paid. */
  transfer_id: string | null;
  /** The payer's balance afterwards; null if nothing was paid. */
  credits: number | null;
}

export interface Sale {
  cost: number;
  line_id: string;
  username: string;
  term: SoldTerm;
}

/** Charges the acting account for a line; administrators pay nothing. Throws INSUFFICIENT_CREDITS. */
export async function charge(
  tx: Tx,
  actor: SignedIn,
  { kind, ...sale }: Sale & { kind: 'sale' | 'renewal' },
): Promise<Charged> {
  const { cost, line_id, username, term } = sale;
  if (actor.is_admin || cost === 0) return { cost: 0, transfer_id: null, credits: null };
  const id = newId();
  const [paid] = await sell(tx, { id, kind, payer_id: actor.id, cost, line_id, username, ...term });
  const credits = await afterDebit(tx, actor.id, cost, paid);
  return { cost, transfer_id: id, credits };
}

/**
 * Charges the acting account for lines of a job: one debit in total, one transfer for each line.
 * Returns the transfers' ids by line id. Throws INSUFFICIENT_CREDITS.
 */
export async function chargeAll(
  tx: Tx,
  actor: SignedIn,
  job_id: string,
  sales: readonly (Sale & { kind: 'sale' | 'renewal' })[],
): Promise<Map<string, string>> {
  const paid = actor.is_admin ? [] : sales.filter(({ cost }) => cost > 0);
  if (paid.length === 0) return new Map();
  await debit(
    tx,
    actor.id,
    paid.reduce((sum, { cost }) => sum + cost, 0),
  );
  const movements = paid.map(({ kind, cost, line_id, username }) => ({
    line_id,
    username,
    kind,
    from_id: actor.id,
    to_id: SALES,
    amount: cost,
    actor_id: actor.id,
    note: null,
    refund_of: null,
    created_at: sql<Date>`clock_timestamp()`,
  }));
  const transfers = await bundled(tx, actor.id, job_id, movements);
  await tx.insertInto('credit_transfers').values(transfers).execute();
  const terms = paid.map(({ term }, index) => ({
    transfer_id: transfers[index]?.id ?? '',
    ...term,
  }));
  await tx.insertInto('sold_terms').values(terms).execute();
  return new Map(transfers.map(({ line_id, id }) => [line_id, id]));
}

/** `charge` for one line of a job. */
export async function chargeInJob(
  tx: Tx,
  actor: SignedIn,
  job_id: string,
  sale: Sale & { kind: 'sale' | 'renewal' },
): Promise<Charged> {
  const transfers = await chargeAll(tx, actor, job_id, [sale]);
  const transfer_id = transfers.get(sale.line_id) ?? null;
  return { cost: transfer_id === null ? 0 : sale.cost, transfer_id, credits: null };
}
