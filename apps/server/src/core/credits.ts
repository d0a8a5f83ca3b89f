import type { Transfer, TransferKind } from '@linekeeper/contract/accounts.ts';
import { RESELLER_GROUP, USER_GROUP } from '@linekeeper/contract/permissions.ts';
import { type Selectable, sql } from 'kysely';
import type { CreditTransfersTable } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { SignedIn } from './access.ts';
import { newId } from './ids.ts';
import { fail } from './refusal.ts';

/** Where minted credits come from and where spent ones go; neither holds a stored balance. */
export const ISSUANCE = '00000000-0000-4000-8000-000000000001';
export const SALES = '00000000-0000-4000-8000-000000000002';
const systemAccounts = new Set([ISSUANCE, SALES]);

/** As the API tells of it. */
export function toTransfer(row: Selectable<CreditTransfersTable>): Transfer {
  return { ...row, kind: row.kind as TransferKind, created_at: row.created_at.toISOString() };
}

export interface Movement {
  kind: TransferKind;
  from_id: string;
  to_id: string;
  /** Whole credits, above 0. */
  amount: number;
  actor_id: string;
  note?: string | null;
  line_id?: string | null;
  username?: string | null;
  /** The sale or renewal that is given back. */
  refund_of?: string;
}

/**
 * Moves credits between two accounts and writes the one row that says so. The balance is checked by
 * the statement that changes it, never read before. Throws INSUFFICIENT_CREDITS.
 */
export async function moveCredits(tx: Tx, movement: Movement) {
  const { from_id, to_id, amount } = movement;
  // Two movements in opposite directions must not wait for each other: always the lesser id first.
  const steps = [
    { id: from_id, take: () => debit(tx, from_id, amount) },
    { id: to_id, take: () => credit(tx, to_id, amount) },
  ].filter(({ id }) => !systemAccounts.has(id));
  steps.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const step of steps) await step.take();
  return tx
    .insertInto('credit_transfers')
    .values({
      id: newId(),
      kind: movement.kind,
      from_id,
      to_id,
      amount,
      actor_id: movement.actor_id,
      note: movement.note ?? null,
      line_id: movement.line_id ?? null,
      username: movement.username ?? null,
      refund_of: movement.refund_of ?? null,
      // Both accounts are locked by now: in the order of this moment an account's transfers took effect.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function debit(tx: Tx, id: string, amount: number): Promise<void> {
  const debited = await tx
    .updateTable('auth_users')
    .set({ credits: sql`credits - ${amount}`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('credits', '>=', amount)
    .returning('id')
    .executeTakeFirst();
  if (debited) return;
  const account = await tx
    .selectFrom('auth_users')
    .select('credits')
    .where('id', '=', id)
    .executeTakeFirst();
  fail('INSUFFICIENT_CREDITS', { required: amount, available: account?.credits ?? 0 });
}

/** An account of group 3 that receives its first credits becomes a reseller; never the other way. */
async function credit(tx: Tx, id: string, amount: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('auth_users')
    .set({
      credits: sql`credits + ${amount}`,
      group_id: sql`case when credits = 0 and group_id = ${USER_GROUP} then ${RESELLER_GROUP} else group_id end`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) fail('USER_NOT_FOUND');
}

export interface Charged {
  /** What was paid. */
  cost: number;
  /** The movement that says so; null where nothing was paid. */
  transfer_id: string | null;
}

/** Takes a line's price from whoever acts; an administrator pays nothing. */
export async function charge(
  tx: Tx,
  actor: SignedIn,
  sale: { kind: 'sale' | 'renewal'; cost: number; line_id: string; username: string },
): Promise<Charged> {
  if (actor.is_admin || sale.cost === 0) return { cost: 0, transfer_id: null };
  const { cost, ...about } = sale;
  const { id } = await moveCredits(tx, {
    ...about,
    from_id: actor.id,
    to_id: SALES,
    amount: cost,
    actor_id: actor.id,
  });
  return { cost, transfer_id: id };
}

export interface Sale {
  cost: number;
  line_id: string;
  username: string;
}

/**
 * Takes the price of many lines from whoever acts: one debit of all of it, a transfer for each.
 * Returns the transfers' ids by line. Throws INSUFFICIENT_CREDITS.
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
  const transfers = paid.map(({ cost, ...about }) => ({
    ...about,
    id: newId(),
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
  return new Map(transfers.map(({ line_id, id }) => [line_id, id]));
}
