import {
  type Actor,
  ADMIN_GROUP,
  can,
  fixedGroups,
  type Permission,
  RESELLER_GROUP,
  USER_GROUP,
} from '@linekeeper/contract/permissions.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { lockName } from '../../platform/rows.ts';
import { changedAccountScope, type SignedIn, visibleTo } from '../context/access.ts';
import type { Ctx } from '../context/context.ts';
import { readAccount } from './accounts.ts';

/**
 * No account can give itself or others more permissions than it has: every change of permissions is checked
 * here, in its transaction, with the acting account as `authorization.ts` has locked it.
 */

/**
 * Locks all memberships of groups until the transaction ends, so that accounts change groups one after the other and
 * each change sees the ones before.
 */
export async function lockMemberships(tx: Tx): Promise<void> {
  await lockName(tx, 'memberships');
}

/**
 * Checks that the actor has all permissions that it grants or removes. Throws PERMISSION_NOT_OWN at `field` if it lacks
 * one.
 */
export function checkGrant(
  actor: SignedIn,
  field: string,
  permissions: readonly Permission[],
): void {
  const lacking = permissions.find((permission) => !can(actor, [permission]));
  if (lacking) failField(field, 'PERMISSION_NOT_OWN');
}

/** Refuses API keys for calls whose effect would outlast the key, such as a new password. Throws SESSION_REQUIRED. */
export function requireSession({ api_key_id }: Pick<Ctx, 'api_key_id'>): void {
  if (api_key_id !== null) fail('SESSION_REQUIRED');
}

const permissionsToSell: readonly Permission[] =
  fixedGroups.find(({ id }) => id === RESELLER_GROUP)?.permissions ?? [];

/**
 * Refuses API keys if the permissions are more than a reseller's: someone who found a key could otherwise create an
 * account that outlives it. Throws SESSION_REQUIRED.
 */
export function requireSessionFor(
  ctx: Pick<Ctx, 'api_key_id'>,
  permissions: readonly Permission[],
): void {
  if (!permissions.every((permission) => permissionsToSell.includes(permission))) {
    requireSession(ctx);
  }
}

/**
 * Checks that the caller may put an account into the group. Throws ADMIN_ONLY_FIELD, GROUP_NOT_FOUND,
 * PERMISSION_NOT_OWN or SESSION_REQUIRED.
 */
export async function checkMembership(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'api_key_id'>,
  group_id: string,
): Promise<void> {
  const { actor } = ctx;
  const sells = [RESELLER_GROUP, USER_GROUP].includes(group_id);
  const isOpen = actor.is_admin || sells || can(actor, ['manage_resellers']);
  if (!isOpen || (group_id === ADMIN_GROUP && !actor.is_admin)) {
    failField('group_id', 'ADMIN_ONLY_FIELD');
  }
  const group = await tx
    .selectFrom('groups')
    .select('permissions')
    .where('id', '=', group_id)
    .forShare()
    .executeTakeFirst();
  if (!group) return fail('GROUP_NOT_FOUND');
  checkGrant(actor, 'group_id', group.permissions as Permission[]);
  if (!sells) requireSessionFor(ctx, group.permissions as Permission[]);
}

/** Checks that the actor may change the account: only administrators change administrators. Throws FORBIDDEN. */
export function checkMayChange(actor: SignedIn, account: { is_admin: boolean }): void {
  if (account.is_admin && !actor.is_admin) fail('FORBIDDEN');
}

/** Locks the memberships if the account is an administrator; call it before locking the account. */
export async function lockIfAdmin(tx: Tx, accountId: string): Promise<void> {
  const account = await readAccount(tx, 'id', accountId, ['is_admin']);
  if (account?.is_admin) await lockMemberships(tx);
}

/**
 * Checks that at least one administrator, who is not banned, remains if this account stops being one. Throws
 * LAST_ADMIN.
 */
export async function checkAdminRemains(tx: Tx, accountId: string): Promise<void> {
  const admins = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('group_id', '=', ADMIN_GROUP)
    .where('banned', '=', false)
    .orderBy('id')
    // `for update` would block other transactions that refer to the row by a foreign key.
    .forNoKeyUpdate()
    .execute();
  if (admins.every(({ id }) => id === accountId)) fail('LAST_ADMIN');
}

/** Properties of an account that decide what other accounts may do with it. */
export interface AccountPermissions extends Actor {
  id: string;
  banned: boolean;
}

export async function readPermissions(db: Db, id: string): Promise<AccountPermissions | null> {
  const row = await db
    .selectFrom('auth_users')
    .innerJoin('groups', 'groups.id', 'auth_users.group_id')
    .select(['auth_users.id', 'is_admin', 'banned', 'groups.permissions'])
    .where('auth_users.id', '=', id)
    .executeTakeFirst();
  return row ? { ...row, permissions: row.permissions as Permission[] } : null;
}

/**
 * Finds and locks another account to act upon. Throws USER_NOT_FOUND if it is missing or outside the actor's scope,
 * INVALID_USER_ID for the actor's own account, and FORBIDDEN for an administrator's.
 */
export async function lockOtherAccount(
  tx: Tx,
  actor: SignedIn,
  id: string,
): Promise<AccountPermissions> {
  const locked = await tx
    .selectFrom('auth_users')
    .select('id')
    .where('id', '=', id)
    .where(visibleTo(changedAccountScope(actor), 'auth_users.id'))
    .forNoKeyUpdate()
    .executeTakeFirst();
  const account = locked && (await readPermissions(tx, id));
  if (!account) return fail('USER_NOT_FOUND');
  if (id === actor.id) failField('id', 'INVALID_USER_ID');
  checkMayChange(actor, account);
  return account;
}

/** True if `actor` has every permission of the account, so that acting as it would gain nothing. */
export function hasPermissionsOf(actor: Actor, account: Actor): boolean {
  if (actor.is_admin) return true;
  if (account.is_admin) return false;
  return account.permissions.every((permission) => actor.permissions.includes(permission));
}

/**
 * SQL condition: the account in `column` outranks `readerId`. It is an administrator, an ancestor of the reader in the
 * tree of accounts, or an account that may open all lines if the reader may not. No account outranks an administrator.
 */
export function outranks(column: string, readerId: string) {
  const other = sql.ref(column);
  const opensAll = (id: unknown) => sql<SqlBool>`exists (
    select from auth_users account join groups on groups.id = account.group_id
      where account.id = ${id} and 'manage_users' = any (groups.permissions))`;
  return sql<boolean>`(${other} <> ${readerId}::uuid
    and not exists (select from auth_users where id = ${readerId}::uuid and is_admin)
    and (exists (select from auth_users where id = ${other} and is_admin)
      or exists (select from account_tree
        where ancestor_id = ${other} and account_id = ${readerId}::uuid)
      or (${opensAll(other)} and not ${opensAll(sql`${readerId}::uuid`)})))`;
}

/** The ids of all ancestors of an account in the tree of accounts. */
export async function readAncestorIds(db: Db, id: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('account_tree')
    .select('ancestor_id')
    .where('account_id', '=', id)
    .where('depth', '>', 0)
    .execute();
  return new Set(rows.map(({ ancestor_id }) => ancestor_id));
}

/**
 * True if the actor is an administrator or an account above. Their decisions about an account, such
 * as its prices, are not open to others who may change it, because those would pay the same prices.
 */
export async function isAbove(db: Db, actor: SignedIn, id: string): Promise<boolean> {
  return actor.is_admin || (await readAncestorIds(db, id)).has(actor.id);
}

/**
 * The bans of an account since the last one was lifted, from the audit log. All of them count, so that a
 * second ban by an account further down does not replace one from above.
 */
export function unliftedBans(db: Db, account: string | RawBuilder<string>) {
  const id = sql<string>`${account}`;
  return db
    .selectFrom('audit_log as ban')
    .select('ban.id')
    .where('ban.subject_type', '=', 'account')
    .where('ban.subject_id', '=', id)
    .where('ban.action', '=', 'account.ban')
    .where(
      sql<SqlBool>`not exists (select from audit_log lifted
        where lifted.subject_type = 'account' and lifted.subject_id = ${id}
          and lifted.action = 'account.unban' and lifted.created_at > ban.created_at)`,
    )
    .limit(1);
}

/** Bans by accounts that outrank the actor. */
export function bansFromAbove(db: Db, actor: SignedIn, account: string | RawBuilder<string>) {
  return unliftedBans(db, account)
    .where('ban.actor_id', '!=', actor.id)
    .where(outranks('ban.actor_id', actor.id));
}

/** True if an account that outranks the actor has banned the account. Administrators are never outranked. */
export async function isBannedFromAbove(db: Db, actor: SignedIn, id: string): Promise<boolean> {
  if (actor.is_admin) return false;
  return (await bansFromAbove(db, actor, id).executeTakeFirst()) !== undefined;
}
