import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { type Access, can, type Permission } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import type { SignedIn } from '../context/access.ts';
import { readAccount } from './accounts.ts';

/**
 * The transaction of each change reads the actor's permissions again and locks them until the commit. A ban,
 * a revoked permission or a moved account either ends the change, or waits for it and sees its result. Decision 0054: the
 * locks are advisory, because those of rows cannot be held through a debit of the same row.
 */

export interface CurrentPermissions {
  group_id: string;
  is_admin: boolean;
  banned: boolean;
  permissions: string[];
}

/** An account or a group whose permissions a change may reduce. */
export type PermissionHolder = { account_id: string } | { group_id: string };

/**
 * Reads the row of `CurrentPermissions`, locked until the commit (migration 0042); no row if the account was deleted.
 */
export const selectCurrentPermissions = (account_id: string) =>
  sql<CurrentPermissions>`select * from hold_powers(${account_id}::uuid)`;

const readCurrentPermissions = compiledQuery(['account_id'], (_, { account_id }) =>
  selectCurrentPermissions(account_id),
);

/** The errors for an account that may no longer make the call. */
export interface AuthorizationRefusals {
  signedOut: ErrorCode;
  forbidden: ErrorCode;
  /** The error if the account was deleted; `signedOut` by default. */
  vanished?: ErrorCode | undefined;
}

const usual: AuthorizationRefusals = { signedOut: 'NO_AUTHENTICATED_USER', forbidden: 'FORBIDDEN' };

/**
 * The actor with its current permissions. Throws one of the refusals if the account is banned or
 * deleted, or lacks the access.
 */
export function authorizedActor(
  actor: SignedIn,
  access: Access,
  refusals: AuthorizationRefusals,
  powers: CurrentPermissions | undefined,
): SignedIn {
  if (!powers) return fail(refusals.vanished ?? refusals.signedOut);
  const { group_id, is_admin, banned, permissions } = powers;
  if (banned) return fail(refusals.signedOut);
  const now = { ...actor, group_id, is_admin, permissions: permissions as Permission[] };
  return can(now, access) ? now : fail(refusals.forbidden);
}

/**
 * Locks and returns the acting account with its current permissions, which may be fewer than when the call
 * was admitted. Throws one of the refusals if it no longer has the access.
 */
export async function lockPermissions(
  tx: Tx,
  actor: SignedIn,
  access: Access,
  refusals = usual,
): Promise<SignedIn> {
  const [powers] = await readCurrentPermissions(tx, { account_id: actor.id });
  return authorizedActor(actor, access, refusals, powers);
}

/** Like `lockPermissions`, for work that the account has ordered earlier. Throws `refusal`, also if it was deleted. */
export async function lockActing(
  tx: Tx,
  id: string,
  access: Access,
  refusal: ErrorCode,
): Promise<SignedIn> {
  const account = await readAccount(tx, 'id', id, ['id', 'email', 'group_id', 'is_admin']);
  if (!account) return fail(refusal);
  const refusals = { signedOut: refusal, forbidden: refusal };
  return lockPermissions(tx, { ...account, permissions: [] }, access, refusals);
}

const subjectOf = (holder: PermissionHolder) =>
  'account_id' in holder ? `account ${holder.account_id}` : `group ${holder.group_id}`;

async function lockInOrder(
  tx: Tx,
  own: PermissionHolder | null,
  holders: readonly PermissionHolder[],
): Promise<void> {
  const ownSubject = own && subjectOf(own);
  const subjects = new Set([...(own ? [own] : []), ...holders].map(subjectOf));
  for (const subject of [...subjects].sort()) {
    const lock = subject === ownSubject ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
    await sql`select ${sql.raw(lock)}(powers_key(${subject}))`.execute(tx);
  }
}

/**
 * Waits for the running changes that these permissions have admitted, and blocks further ones until
 * the commit. All locks, including the actor's own, are taken in one order, accounts before groups,
 * so that transactions which reduce each other's permissions do not deadlock.
 */
export async function lockOutChanges(
  tx: Tx,
  account_id: string | null,
  holders: readonly PermissionHolder[],
): Promise<void> {
  const accounts = holders.filter((one) => 'account_id' in one);
  const groups = holders.filter((one) => 'group_id' in one);
  await lockInOrder(tx, account_id === null ? null : { account_id }, accounts);
  if (groups.length === 0) return;
  const actor = account_id && (await readAccount(tx, 'id', account_id, ['group_id']));
  await lockInOrder(tx, actor || null, groups);
}
