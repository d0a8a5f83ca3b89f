import {
  ISSUANCE,
  SALES,
  type Transfer,
  type TransferKind,
} from '@linekeeper/contract/accounts/accounts.ts';
import { RESELLER_GROUP, USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { CreditTransfersTable } from '../../db/schema/append-only-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { readAccount } from '../accounts/accounts.ts';
import { notify } from '../notices/notify.ts';
import { bundled } from './bundles.ts';

const systemAccounts = new Set([ISSUANCE, SALES]);

export { ISSUANCE, SALES };

/** The columns of a transfer that all calls return; only the list adds its place in a bundle. */
export const transferColumns = [
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
  'created_at',
] as const;

export type TransferRow = Pick<Selectable<CreditTransfersTable>, (typeof transferColumns)[number]>;

/** The transfer in a row, as the API returns it. */
export function toTransfer(row: TransferRow): Transfer {
  return { ...row, kind: row.kind as TransferKind, created_at: row.created_at.toISOString() };
}

interface Movement {
  kind: TransferKind;
  from_id: string;
  to_id: string;
  /** Whole credits, above 0. */
  amount: number;
  /** The account that makes the movement; null for the panel itself. */
  actor_id: string | null;
  note?: string | null;
  line_id?: string | null;
  username?: string | null;
  /** Id of the sale or renewal that is refunded. */
  refund_of?: string;
}

/**
 * Moves credits between two accounts and writes the transfer. The statement that changes the
 * balance also checks it, because reading it first would allow races. Throws INSUFFICIENT_CREDITS,
 * USER_NOT_FOUND and PAYER_MISSING. Decision 0006: nothing else changes a balance.
 */
export async function moveCredits(tx: Tx, movement: Movement): Promise<Transfer> {
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
  const account_id = systemAccounts.has(from_id) ? to_id : from_id;
  const [transfer] = await writeTransfers(tx, account_id, null, [movement]);
  return transfer as Transfer;
}

/**
 * SQL that inserts transfers given as JSON, in their order; none without a row of `account`. That
 * row is already locked, so clock_timestamp() gives the order in which the transfers took effect.
 */
export const insertingTransfers = (
  transfers: string,
  account: RawBuilder<unknown>,
) => sql<TransferRow>`
  insert into credit_transfers (id, kind, from_id, to_id, amount, actor_id, note, line_id, username, refund_of,
      job_id, bundle_id, bundle_nth, bundle_amount, created_at)
    select id, kind, from_id, to_id, amount, actor_id, note, line_id, username, refund_of,
        job_id, bundle_id, bundle_nth, bundle_amount, clock_timestamp()
      from ${account}, jsonb_to_recordset(${transfers}::jsonb) as transfer (
        id uuid, kind text, from_id uuid, to_id uuid, amount bigint, actor_id uuid, note text, line_id uuid,
        username text, refund_of uuid, job_id uuid, bundle_id uuid, bundle_nth integer, bundle_amount bigint)
    returning ${sql.join(transferColumns.map((column) => sql.ref(column)))}`;

const insertTransfers = compiledQuery(['transfers'], (_, { transfers }) =>
  insertingTransfers(transfers, sql`(select) as account`),
);

/** Writes transfers of one account, in the order in which they are returned. */
async function writeTransfers(
  tx: Tx,
  account_id: string,
  job_id: string | null,
  movements: readonly Movement[],
): Promise<Transfer[]> {
  const transfers = await bundled(tx, account_id, job_id, movements);
  const rows = await insertTransfers(tx, { transfers: JSON.stringify(transfers) });
  return rows.map(toTransfer);
}

/**
 * Adds credits that no other account gives, such as refunds, to an account. Its balance is raised once, by their sum,
 * and each movement is written as a transfer. Throws USER_NOT_FOUND.
 */
export async function moveAllTo(
  tx: Tx,
  to_id: string,
  job_id: string | null,
  movements: readonly Required<Movement>[],
): Promise<Transfer[]> {
  const amount = movements.reduce((sum, movement) => sum + movement.amount, 0);
  await credit(tx, to_id, amount, sql<SqlBool>`true`);
  return writeTransfers(tx, to_id, job_id, movements);
}

/**
 * True if the movement may make its receiver a reseller, which grants the permissions of group 2. An account that gives
 * or returns its own credits grants them only if it has all of them; administrators always do.
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

/** Adds credits. An account of group 3 becomes a reseller with its first ones, permanently. Throws USER_NOT_FOUND. */
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

export interface Debited {
  /** The balance after the debit. */
  credits: number;
  is_admin: boolean;
  /** The account's own low-balance mark, as stored in its settings. */
  low_balance: unknown;
}

/** SQL statement that takes credits from an account that has enough; its row is `Debited`. */
export const takingCredits = ({ id, amount }: Record<'id' | 'amount', string>) => sql<Debited>`
  update auth_users set credits = credits - ${amount}, updated_at = now()
    where id = ${id} and credits >= ${amount}
    returning credits, is_admin, (select value -> 'low_balance' from account_settings
      where account_id = auth_users.id) as low_balance`;

const takeCredits = compiledQuery(['id', 'amount'], (_, values) => takingCredits(values));

/** Takes credits, and returns the balance. Throws INSUFFICIENT_CREDITS, or PAYER_MISSING if the account was deleted. */
async function debit(tx: Tx, id: string, amount: number): Promise<number> {
  const [debited] = await takeCredits(tx, { id, amount });
  return afterDebit(tx, id, amount, debited);
}

/**
 * Returns the account's balance after the statement `takingCredits`, whose row is `debited`, and
 * notifies the account if this debit took its balance below its mark. Debits wait for each other,
 * so only one of them crosses the mark, until the balance rises above it again. Throws
 * INSUFFICIENT_CREDITS if nothing was debited, or PAYER_MISSING if the account was deleted.
 */
export async function afterDebit(
  tx: Tx,
  account_id: string,
  amount: number,
  debited: Debited | undefined,
): Promise<number> {
  if (!debited) {
    const account = await readAccount(tx, 'id', account_id, ['credits']);
    if (!account) return fail('PAYER_MISSING');
    return fail('INSUFFICIENT_CREDITS', { required: amount, available: account.credits });
  }
  const { credits, is_admin, low_balance } = debited;
  if (is_admin || typeof low_balance !== 'number') return credits;
  if (credits < low_balance && credits + amount >= low_balance) {
    const facts = { credits, low_balance };
    await notify(tx, [{ event: 'low_balance', facts, account_id, link: '/payments/pricing' }]);
  }
  return credits;
}
