import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { type Access, can, type Permission } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { fixedStatement } from '../../db/fixed-statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import type { SignedIn } from '../context/access.ts';

/**
 * What an account may do is read again in the transaction of each change, and held until the commit:
 * a ban, a permission that is taken, or an account that is moved away either ends the change or waits for it
 * and sees what it made.
 */

export interface CurrentPowers {
  group_id: string;
  is_admin: boolean;
  banned: boolean;
  permissions: string[];
}

/** An account or a group whose powers a change may lessen. */
export type Lessened = { account_id: string } | { group_id: string };

/** The row of `CurrentPowers`, none if the account is gone; held until the commit (migration 0042). */
export const currentPowers = (account_id: string) =>
  sql<CurrentPowers>`select * from hold_powers(${account_id}::uuid)`;

const askForPowers = fixedStatement(['account_id'], (db, { account_id }) => ({
  compile: () => currentPowers(account_id).compile(db),
}));

/** What is said where the account may no longer make the call. */
export interface PowersRefusals {
  signedOut: ErrorCode;
  forbidden: ErrorCode;
  /** Where the account itself is gone. */
  vanished?: ErrorCode | undefined;
}

const usual: PowersRefusals = { signedOut: 'NO_AUTHENTICATED_USER', forbidden: 'FORBIDDEN' };

/** Throws if the account is banned or gone, or lacks the access. */
export function actorNow(
  actor: SignedIn,
  access: Access,
  refusals: PowersRefusals,
  powers: CurrentPowers | undefined,
): SignedIn {
  if (!powers) return fail(refusals.vanished ?? refusals.signedOut);
  const { group_id, is_admin, banned, permissions } = powers;
  if (banned) return fail(refusals.signedOut);
  const now = { ...actor, group_id, is_admin, permissions: permissions as Permission[] };
  return can(now, access) ? now : fail(refusals.forbidden);
}

/**
 * The acting account with what it may do now, which may be less than when the call was admitted. Throws
 * where it no longer has the access.
 */
export async function holdPowers(
  tx: Tx,
  actor: SignedIn,
  access: Access,
  refusals = usual,
): Promise<SignedIn> {
  const [powers] = await askForPowers(tx, { account_id: actor.id });
  return actorNow(actor, access, refusals, powers);
}

/**
 * Holds powers at the end of long work. False if somebody waits to lessen them: who waited behind that with
 * rows locked would hold up a change of the account which needs these rows, and which is waited for itself.
 */
export async function tryToHoldPowers(tx: Tx, account_id: string): Promise<boolean> {
  const { rows } = await sql<{ are_held: boolean }>`
    select pg_try_advisory_xact_lock_shared(powers_key(${subjectOf({ account_id })}))
        and pg_try_advisory_xact_lock_shared(powers_key('group ' || group_id)) as are_held
      from auth_users where id = ${account_id}`.execute(tx);
  return rows[0]?.are_held ?? true;
}

const subjectOf = (lessened: Lessened) =>
  'account_id' in lessened ? `account ${lessened.account_id}` : `group ${lessened.group_id}`;

async function lockInOrder(
  tx: Tx,
  own: string | undefined,
  lessened: readonly string[],
): Promise<void> {
  const subjects = new Set(own === undefined ? lessened : [own, ...lessened]);
  for (const subject of [...subjects].sort()) {
    await (subject === own
      ? sql`select pg_advisory_xact_lock_shared(powers_key(${subject}))`.execute(tx)
      : sql`select pg_advisory_xact_lock(powers_key(${subject}))`.execute(tx));
  }
}

/**
 * Waits for the changes that were admitted by these powers, and holds off others until the commit. The
 * actor's own powers are held in the same order, accounts before groups: of several who lessen each
 * other's, none waits for one who waits for them.
 */
export async function holdOffChanges(
  tx: Tx,
  actor_id: string | null,
  lessened: readonly Lessened[],
): Promise<void> {
  const [accounts, groups] = [
    lessened.filter((one) => 'account_id' in one),
    lessened.filter((one) => 'group_id' in one),
  ].map((some) => some.map(subjectOf)) as [string[], string[]];
  const own = actor_id === null ? undefined : subjectOf({ account_id: actor_id });
  await lockInOrder(tx, own, accounts);
  if (groups.length === 0) return;
  const actor =
    actor_id === null
      ? undefined
      : await tx
          .selectFrom('auth_users')
          .select('group_id')
          .where('id', '=', actor_id)
          .executeTakeFirst();
  await lockInOrder(tx, actor && subjectOf({ group_id: actor.group_id }), groups);
}
