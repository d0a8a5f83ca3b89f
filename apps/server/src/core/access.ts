import { type Actor, can, type Permission } from '@linekeeper/contract/permissions.ts';
import { type Expression, type SqlBool, sql } from 'kysely';

/** The signed-in account as every use case sees it. */
export interface SignedIn extends Actor {
  id: string;
  email: string;
  group_id: string;
  permissions: readonly Permission[];
}

/** Which rows an account sees: all of them, or those whose owner is itself or below it. */
export interface Scope {
  account_id: string;
  sees_all: boolean;
}

/** Lines: all with manage_users, else the own subtree. */
export function lineScope(actor: SignedIn): Scope {
  return { account_id: actor.id, sees_all: can(actor, ['manage_users']) };
}

/** Accounts: all with manage_resellers, else the own subtree. */
export function accountScope(actor: SignedIn): Scope {
  return { account_id: actor.id, sees_all: can(actor, ['manage_resellers']) };
}

/**
 * The one gate every query of other people's rows passes through: true where the account in
 * `ownerColumn` (such as `users.owner_id`) lies within the scope.
 */
export function visibleTo(scope: Scope, ownerColumn: string): Expression<SqlBool> {
  if (scope.sees_all) return sql<SqlBool>`true`;
  return sql<SqlBool>`${sql.ref(ownerColumn)} in (
    select account_id from account_tree where ancestor_id = ${scope.account_id})`;
}
