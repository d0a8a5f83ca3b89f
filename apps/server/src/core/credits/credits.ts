import {
  ISSUANCE,
  SALES,
  type Transfer,
  type TransferKind,
} from '@linekeeper/contract/accounts/accounts.ts';
import type { Day } from '@linekeeper/contract/dates.ts';
import { RESELLER_GROUP, USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { type QueryCreator, type Selectable, type SqlBool, sql } from 'kysely';
import { fixedStatement } from '../../db/fixed-statement.ts';
import type { CreditTransfersTable } from '../../db/schema/append-only-schema.ts';
import type { Database } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';
import type { SignedIn } from '../access.ts';
import { newId } from '../ids.ts';
import { fail } from '../refusal.ts';
import { type Debited, tellLowBalance } from './low-balance.ts';

const systemAccounts = new Set([ISSUANCE, SALES]);

export { ISSUANCE, SALES };

/** Converts a row for the API. */
export function toTransfer(row: Selectable<CreditTransfersTable>): Transfer {
  return { ...row, kind: row.kind as TransferKind, created_at: row.created_at.toISOString() };
}

export interface Movement {
  kind: TransferKind;
  from_id: string;
  to_id: string;
  /** Whole credits, above 0. */
  amount: number;
  /** null for what the panel does by itself. */
  actor_id: string | null;
  note?: string | null;
  line_id?: string | null;
  username?: string | null;
  /** Id of the sale or renewal that is refunded. */
  refund_of?: string;
}

/**
 * Moves credits between two accounts and writes the transfer. The statement that changes the
 * balance also checks it, because reading it first would allow races. Throws INSUFFICIENT_CREDITS.
 */
export async function moveCredits(tx: Tx, movement: Movement) {
  const { from_id, to_id, amount } = movement;
  const raises = mayRaise(movement);
  // The account with the lower id is locked first, so that two transfers in opposite directions
  // cannot deadlock.
  const steps = [
    { id: from_id, take: () => debit(tx, from_id, amount) },
    { id: to_id, take: () => credit(tx, to_id, amount, raises) },
  ].filter(({ id }) => !systemAccounts.has(id));
  steps.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const step of steps) await step.take();
  return writeTransfer(tx, movement);
}

const transferNames = [
  'id',
  'kind',
  'from_id',
  'to_id',
  'amount',
  'actor_id',
  'note',
  'line_id',
  'username',
  'refund_of',
] as const;

/** All columns of a transfer. */
export const transferColumns = [...transferNames, 'created_at'] as const;

const insertTransfer = fixedStatement(transferNames, (db, { amount, ...transfer }) =>
  db
    .insertInto('credit_transfers')
    .values({
      ...transfer,
      amount: sql<number>`${amount}`,
      // Both accounts are locked by now, so clock_timestamp() gives the order in which an account's
      // transfers took effect.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .returning(transferColumns),
);

async function writeTransfer(tx: Tx, movement: Movement) {
  const { note = null, line_id = null, username = null, refund_of = null, ...moved } = movement;
  const about = { note, line_id, username, refund_of };
  const [row] = await insertTransfer(tx, { id: newId(), ...moved, ...about });
  if (!row) throw new Error('A transfer was not written');
  return row;
}

/** Takes credits from an account that has them; with what is needed to tell it that few are left. */
const takingCredits = (
  db: QueryCreator<Database>,
  { id, amount }: Record<'id' | 'amount', string>,
) =>
  db
    .updateTable('auth_users')
    .set({ credits: sql`credits - ${amount}`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('credits', '>=', sql<number>`${amount}`)
    .returning([
      'credits',
      'is_admin',
      sql<unknown>`(select value -> 'low_balance' from account_settings
        where account_id = auth_users.id)`.as('low_balance'),
    ]);

const takeCredits = fixedStatement(['id', 'amount'], takingCredits);

/** Returns what is left. */
async function debit(tx: Tx, id: string, amount: number): Promise<number> {
  const [debited] = await takeCredits(tx, { id, amount });
  return afterDebit(tx, id, amount, debited);
}

async function afterDebit(
  tx: Tx,
  id: string,
  amount: number,
  debited: Debited | undefined,
): Promise<number> {
  if (debited) {
    await tellLowBalance(tx, id, amount, debited);
    return debited.credits;
  }
  const account = await tx
    .selectFrom('auth_users')
    .select('credits')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!account) return fail('PAYER_MISSING');
  return fail('INSUFFICIENT_CREDITS', { required: amount, available: account.credits });
}

/**
 * Membership of group 2 grants what that group may do. Who gives own credits, or takes them back,
 * grants it only while having all of it; what administrators issue always does.
 */
function mayRaise({ kind, actor_id }: Movement) {
  if (kind !== 'transfer' && kind !== 'take_back') return sql<SqlBool>`true`;
  return sql<SqlBool>`exists (
    select from auth_users giver
      join groups own on own.id = giver.group_id
      join groups resellers on resellers.id = ${RESELLER_GROUP}
      where giver.id = ${actor_id}
        and (giver.is_admin or own.permissions @> resellers.permissions))`;
}

/** An account of group 3 becomes a reseller with its first credits, and remains one. */
async function credit(
  tx: Tx,
  id: string,
  amount: number,
  raises: ReturnType<typeof mayRaise>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('auth_users')
    .set({
      credits: sql`credits + ${amount}`,
      group_id: sql`case when credits = 0 and group_id = ${USER_GROUP} and ${raises}
        then ${RESELLER_GROUP} else group_id end`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) fail('USER_NOT_FOUND');
}

/** The period that a sale or renewal pays for. */
export interface SoldTerm {
  months: number;
  /** The line's last day from then on. */
  expiry_date: Day;
}

const saleNames = ['id', 'kind', 'payer_id', 'cost', 'line_id', 'username'] as const;

/** The debit, its transfer and what it pays for, in one statement; nothing where credits are lacking. */
const sell = fixedStatement([...saleNames, 'months', 'expiry_date'], (db, sale) =>
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
 * Charges the acting account for many lines: one debit in total, one transfer for each line.
 * Returns the transfers' ids by line id. Throws INSUFFICIENT_CREDITS.
 */
export async function chargeAll(
  tx: Tx,
  actor: SignedIn,
  kind: 'sale' | 'renewal',
  sales: readonly Sale[],
): Promise<Map<string, string>> {
  const paid = actor.is_admin ? [] : sales.filter(({ cost }) => cost > 0);
  if (paid.length === 0) return new Map();
  await debit(
    tx,
    actor.id,
    paid.reduce((sum, { cost }) => sum + cost, 0),
  );
  const transfers = paid.map(({ cost, line_id, username }) => ({
    id: newId(),
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
  await tx.insertInto('credit_transfers').values(transfers).execute();
  const terms = paid.map(({ term }, index) => ({
    transfer_id: transfers[index]?.id ?? '',
    ...term,
  }));
  await tx.insertInto('sold_terms').values(terms).execute();
  return new Map(transfers.map(({ line_id, id }) => [line_id, id]));
}
