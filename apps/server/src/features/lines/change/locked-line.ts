import { lineDetailNames } from '@linekeeper/contract/fields/line-details.ts';
import type { StatusItem } from '@linekeeper/contract/fields/line-fields.ts';
import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import { violates } from '../../../db/errors.ts';
import type { UsersTable } from '../../../db/schema/schema.ts';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Tx } from '../../../db/transaction.ts';
import { type Scope, visibleTo } from '../../../domain/context/access.ts';
import { fail } from '../../../platform/errors/refusal.ts';

const changeable = [
  ...lineDetailNames,
  'id',
  'username',
  'protocol',
  'expiry_date',
  'is_trial',
  'subscription_months',
  'status',
  'suspension',
  'sharing_exempt',
  'host_port',
  'owner_id',
  'server_id',
] as const;

/** The fields that a change of a line depends on. */
export type ChangeableLine = Pick<Selectable<UsersTable>, (typeof changeable)[number]>;

/** A line locked until the transaction ends. */
export interface LockedLine extends ChangeableLine {
  /** Encrypted. */
  password: string;
}

export const changeableColumns = changeable.map((name) => `users.${name}` as const);

/** New values for a line's columns. */
export type LineUpdate = Omit<Updateable<UsersTable>, 'status' | 'suspension'> & {
  status?: StatusItem[] | undefined;
  suspension?: StoredSuspension | null | undefined;
};

/** The visible ones of these lines, locked in the order of their ids, as every change does. */
export const lockingLines = (tx: Tx, scope: Scope, ids: readonly string[]) =>
  tx
    .selectFrom('users')
    .select([...changeableColumns, 'users.password'])
    .where(sql<SqlBool>`users.id = any(${ids}::uuid[])`)
    .where(visibleTo(scope, 'users.owner_id'))
    .orderBy('users.id')
    .forUpdate();

/** Locks one line. Throws LINE_NOT_FOUND if it is missing or not visible. */
export async function lockLine(tx: Tx, scope: Scope, id: string): Promise<LockedLine> {
  const [line] = await lockingLines(tx, scope, [id]).execute();
  return line ?? fail('LINE_NOT_FOUND');
}

/** New values of a locked line. */
export interface LineChange {
  line: LockedLine;
  changes: LineUpdate;
}

/**
 * Stores new values of lines in one statement, of those columns that any of them changes. Throws USERNAME_EXISTS if a
 * new name is taken.
 */
export async function updateLines(tx: Tx, changed: readonly LineChange[]): Promise<void> {
  const given = changed.map(({ changes }) =>
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  const rows = changed.map(({ line }, at) => ({ ...line, ...Object.fromEntries(given[at] ?? []) }));
  const columns = [...new Set(given.flat().map(([name]) => name))].sort();
  const values = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`changed.${name}`)}`);
  await sql`
    update users set ${sql.join([...values, sql`updated_at = now()`])}
      from jsonb_populate_recordset(null::users, ${JSON.stringify(rows)}::jsonb) as changed
      where users.id = any(${rows.map(({ id }) => id)}::uuid[]) and users.id = changed.id`
    .execute(tx)
    .catch((error: unknown) => {
      if (violates(error, 'users_username_key', 'users_username_normal')) fail('USERNAME_EXISTS');
      throw error;
    });
}
