import { type Selectable, type SqlBool, sql } from 'kysely';
import type { UsersTable } from '../../../db/schema/schema.ts';
import type { Tx } from '../../../db/transaction.ts';
import { lineColumns } from '../../../domain/audit/audit-subjects.ts';
import { type Scope, visibleTo } from '../../../domain/context/access.ts';
import { fail } from '../../../platform/errors/refusal.ts';

const changeable = [...lineColumns, 'id', 'suspension'] as const;

/** The fields that a change of a line depends on. */
export type ChangeableLine = Pick<Selectable<UsersTable>, (typeof changeable)[number]>;

/** A line locked until the transaction ends. */
export interface LockedLine extends ChangeableLine {
  /** The line's password, encrypted. */
  password: string;
}

export const changeableColumns = changeable.map((name) => `users.${name}` as const);

/** New values for a line's columns. */
export type LineUpdate = Partial<LockedLine & Pick<Selectable<UsersTable>, 'is_name_twin'>>;

/** Locks those of these lines that are visible, in the order of their ids, as every change does. */
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
