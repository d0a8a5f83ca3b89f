import type { StoredLineDetails } from '@linekeeper/contract/fields/line-details.ts';
import type { StatusItem } from '@linekeeper/contract/fields/line-fields.ts';
import type { Updateable } from 'kysely';
import { sql } from 'kysely';
import { violates } from '../../../db/errors.ts';
import type { UsersTable } from '../../../db/schema/schema.ts';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Tx } from '../../../db/transaction.ts';
import { type Scope, visibleTo } from '../../../domain/context/access.ts';
import { selectedDetails } from '../../../domain/lines/line-details.ts';
import { fail } from '../../../platform/errors/refusal.ts';

/** The fields that a change of a line depends on. */
export interface ChangeableLine extends StoredLineDetails {
  id: string;
  username: string;
  protocol: string;
  expiry_date: string;
  is_trial: boolean;
  subscription_months: number | null;
  status: StatusItem[];
  suspension: StoredSuspension | null;
  sharing_exempt: boolean;
  host_port: string[];
  owner_id: string;
  server_id: string;
}

/** A line locked until the transaction ends. */
export interface LockedLine extends ChangeableLine {
  /** Encrypted. */
  password: string;
}

export const changeableColumns = [
  ...selectedDetails,
  'users.id',
  'users.username',
  'users.protocol',
  'users.expiry_date',
  'users.is_trial',
  'users.subscription_months',
  'users.status',
  'users.suspension',
  'users.sharing_exempt',
  'users.host_port',
  'users.owner_id',
  'users.server_id',
] as const;

/** New values for a line's columns. */
export type LineUpdate = Omit<Updateable<UsersTable>, 'status' | 'suspension'> & {
  status?: StatusItem[] | undefined;
  suspension?: StoredSuspension | null | undefined;
};

/**
 * Locks a line, so that concurrent changes are made one after the other, each based on the result
 * of the previous one. Throws LINE_NOT_FOUND if the line is missing or not visible.
 */
export async function lockLine(tx: Tx, scope: Scope, id: string): Promise<LockedLine> {
  return (await tryLockLine(tx, scope, id)) ?? fail('LINE_NOT_FOUND');
}

/** undefined if there is no such line. */
export async function tryLockLine(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<LockedLine | undefined> {
  return tx
    .selectFrom('users')
    .select([...changeableColumns, 'users.password'])
    .where('id', '=', id)
    .where(visibleTo(scope, 'users.owner_id'))
    .forUpdate()
    .executeTakeFirst();
}

/** Throws USERNAME_EXISTS if the new name is taken. */
export async function updateLine(
  tx: Tx,
  id: string,
  { status, suspension, ...changes }: LineUpdate,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      ...changes,
      ...(status === undefined ? {} : { status: JSON.stringify(status) }),
      ...(suspension === undefined ? {} : { suspension: suspension && JSON.stringify(suspension) }),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => {
      if (violates(error, 'users_username_key', 'users_username_normal')) fail('USERNAME_EXISTS');
      throw error;
    });
}
