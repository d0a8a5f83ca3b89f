import type { StatusItem } from '@linekeeper/contract/line-fields.ts';
import type { Updateable } from 'kysely';
import { sql } from 'kysely';
import { type Scope, visibleTo } from '../../core/access.ts';
import { fail } from '../../core/refusal.ts';
import type { UsersTable } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';

/** A line nobody else can change until the transaction ends; what a change is reckoned from. */
export interface LockedLine {
  id: string;
  username: string;
  /** Sealed. */
  password: string;
  expiry_date: string;
  is_trial: boolean;
  subscription_months: number | null;
  status: StatusItem[];
  notes: string | null;
  host_port: string[];
  owner_id: string;
  server_id: string;
}

/**
 * Two changes of one line at once are made one after the other, each from what the other left. Throws
 * LINE_NOT_FOUND for a missing line and for someone else's alike.
 */
export async function lockLine(tx: Tx, scope: Scope, id: string): Promise<LockedLine> {
  const line = await tx
    .selectFrom('users')
    .select([
      'id',
      'username',
      'password',
      'expiry_date',
      'is_trial',
      'subscription_months',
      'status',
      'notes',
      'host_port',
      'owner_id',
      'server_id',
    ])
    .where('id', '=', id)
    .where(visibleTo(scope, 'users.owner_id'))
    .forUpdate()
    .executeTakeFirst();
  return line ?? fail('LINE_NOT_FOUND');
}

/** Throws USERNAME_EXISTS where a new name is taken. */
export async function updateLine(
  tx: Tx,
  id: string,
  changes: Updateable<UsersTable>,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => {
      if (isTakenName(error)) fail('USERNAME_EXISTS');
      throw error;
    });
}

function isTakenName(error: unknown): boolean {
  return (
    error instanceof Error && 'constraint' in error && error.constraint === 'users_username_key'
  );
}
