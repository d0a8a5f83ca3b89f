import { type Actor, can, type Permission } from '@linekeeper/contract/permissions.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import { plannedForValues } from '../../db/prepared.ts';
import type { Db } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';

/** The signed-in account, as use cases receive it. */
export interface SignedIn extends Actor {
  id: string;
  email: string;
  group_id: string;
  permissions: readonly Permission[];
}

/** The rows an account may see: all, or those owned by the account itself or one below it. */
export interface Scope {
  account_id: string;
  sees_all: boolean;
  /** True to leave out rows of accounts below. */
  is_own?: boolean;
}

/** All rows, for acts of the panel itself. The id is only compared with owners, none of which has it. */
export const everything: Scope = {
  account_id: '00000000-0000-0000-0000-000000000000',
  sees_all: true,
};

/**
 * Lines that the account may see: all with manage_users, otherwise those of its subtree, or only its own if a list
 * excludes accounts below. Lines of an owner that the list names are always included.
 */
export function lineScope(
  actor: SignedIn,
  { with_below = true, owner_id }: { with_below?: boolean | undefined; owner_id?: unknown } = {},
): Scope {
  const sees_all = can(actor, ['manage_users']);
  return {
    account_id: actor.id,
    sees_all,
    is_own: !sees_all && !with_below && owner_id === undefined,
  };
}

/** The lines that an account's start page counts: its own, or all with manage_users. */
export const ownLineScope = (actor: SignedIn) => lineScope(actor, { with_below: false });

/** The account's own rows; an administrator sees all. */
export function ownScope({ id, is_admin }: Pick<SignedIn, 'id' | 'is_admin'>): Scope {
  return { account_id: id, sees_all: is_admin, is_own: true };
}

/** The accounts that may be seen: all with view_resellers, otherwise those of the actor's subtree. */
export function accountScope(actor: SignedIn): Scope {
  const sees_all = can(actor, ['view_resellers', 'manage_resellers']);
  return { account_id: actor.id, sees_all };
}

/** The accounts that may be changed: all with manage_resellers, otherwise those of the actor's subtree. */
export function changedAccountScope(actor: SignedIn): Scope {
  return { account_id: actor.id, sees_all: can(actor, ['manage_resellers']) };
}

/**
 * Condition that every query of other people's rows must contain: true if the account in
 * `ownerColumn` (such as `users.owner_id`) is within the scope. Subtrees range from one account to
 * thousands, so no single plan suits all of them.
 */
export function visibleTo(scope: Scope, ownerColumn: string): Expression<SqlBool> {
  if (scope.sees_all) return sql<SqlBool>`true`;
  if (scope.is_own) return sql<SqlBool>`${sql.ref(ownerColumn)} = ${scope.account_id}`;
  return sql<SqlBool>`${sql.ref(ownerColumn)} in (
    select account_id ${plannedForValues} from account_tree where ancestor_id = ${scope.account_id})`;
}

/** The condition of `visibleTo` for a row already found by id, which costs one lookup in `account_tree`. */
export function isVisibleTo(scope: Scope, ownerColumn: string): Expression<SqlBool> {
  if (scope.sees_all) return sql<SqlBool>`true`;
  if (scope.is_own) return visibleTo(scope, ownerColumn);
  return sql<SqlBool>`exists (select from account_tree
    where ancestor_id = ${scope.account_id} and account_id = ${sql.ref(ownerColumn)})`;
}

/**
 * Checks that the caller may see a line or an account. Throws LINE_NOT_FOUND or USER_NOT_FOUND, so
 * that its existence is not disclosed.
 */
export async function requireVisible(
  db: Db,
  table: 'users' | 'auth_users',
  scope: Scope,
  id: string,
): Promise<void> {
  const owner = table === 'users' ? 'users.owner_id' : 'auth_users.id';
  const { rows } = await sql`
    select from ${sql.table(table)} where id = ${id} and ${isVisibleTo(scope, owner)}`.execute(db);
  if (rows.length === 0) fail(table === 'users' ? 'LINE_NOT_FOUND' : 'USER_NOT_FOUND');
}
