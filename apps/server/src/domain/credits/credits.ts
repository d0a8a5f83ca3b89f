import {
  ISSUANCE,
  SALES,
  type Transfer,
  type TransferKind,
} from '@linekeeper/contract/accounts/accounts.ts';
import { RESELLER_GROUP, USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { CreditTransfersTable } from '../../db/schema/append-only-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { bundled } from './bundles.ts';
import { debit } from './debit.ts';

const systemAccounts = new Set([ISSUANCE, SALES]);

export { ISSUANCE, SALES };

/** A transfer without its place in a bundle, of which the list alone tells. */
export type TransferRow = Pick<Selectable<CreditTransfersTable>, (typeof transferColumns)[number]>;

/** Converts a row for the API. */
export function toTransfer(row: TransferRow): Transfer {
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
  /** The job that moves the credits. */
  job_id?: string | null;
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

/** All columns of a transfer. */
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

async function writeTransfer(tx: Tx, { job_id = null, ...movement }: Movement) {
  const { from_id, to_id } = movement;
  const account_id = systemAccounts.has(from_id) ? to_id : from_id;
  const [transfer] = await bundled(tx, account_id, job_id, [movement]);
  if (!transfer) throw new Error('No transfer to write');
  return tx
    .insertInto('credit_transfers')
    .values({
      ...transfer,
      // Both accounts are locked by now, so clock_timestamp() gives the order in which an account's
      // transfers took effect.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .returning(transferColumns)
    .executeTakeFirstOrThrow();
}

/** Moves credits of the panel's own accounts to another: one credit in total, a transfer for each movement. */
export async function moveAllTo(
  tx: Tx,
  to_id: string,
  job_id: string,
  movements: readonly Required<Omit<Movement, 'to_id' | 'job_id'>>[],
): Promise<void> {
  const amount = movements.reduce((sum, movement) => sum + movement.amount, 0);
  await credit(tx, to_id, amount, sql<SqlBool>`true`);
  const created_at = sql<Date>`clock_timestamp()`;
  const transfers = await bundled(tx, to_id, job_id, movements);
  await tx
    .insertInto('credit_transfers')
    .values(transfers.map((transfer) => ({ ...transfer, to_id, created_at })))
    .execute();
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
