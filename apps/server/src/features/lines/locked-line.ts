import type { StatusItem } from '@linekeeper/contract/line-fields.ts';
import type { Updateable } from 'kysely';
import { sql } from 'kysely';
import { type Scope, visibleTo } from '../../core/access.ts';
import { fail } from '../../core/refusal.ts';
import type { UsersTable } from '../../db/schema.ts';
import type { Tx } from '../../db/transaction.ts';

/** What a change of a line is reckoned from. */
export interface ChangeableLine {
  id: string;
  username: string;
  expiry_date: string;
  is_trial: boolean;
  subscription_months: number | null;
  status: StatusItem[];
  notes: string | null;
  host_port: string[];
  owner_id: string;
  server_id: string;
}

/** A line nobody else can change until the transaction ends. */
export interface LockedLine extends ChangeableLine {
  /** Sealed. */
  password: string;
}

export const changeableColumns = [
  'users.id',
  'users.username',
  'users.expiry_date',
  'users.is_trial',
  'users.subscription_months',
  'users.status',
  'users.notes',
  'users.host_port',
  'users.owner_id',
  'users.server_id',
] as const;

/** New values of a line's columns. */
export type LineUpdate = Omit<Updateable<UsersTable>, 'status'> & {
  status?: StatusItem[] | undefined;
};

/**
 * Two changes of one line at once are made one after the other, each from what the other left. Throws
 * LINE_NOT_FOUND for a missing line and for someone else's alike.
 */
export async function lockLine(tx: Tx, scope: Scope, id: string): Promise<LockedLine> {
  const line = await tx
    .selectFrom('users')
    .select([...changeableColumns, 'users.password'])
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
  { status, ...changes }: LineUpdate,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      ...changes,
      ...(status === undefined ? {} : { status: JSON.stringify(status) }),
      updated_at: sql`now()`,
    })
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
