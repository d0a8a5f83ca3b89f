import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { SignedIn } from '../context/access.ts';
import { outranks } from './account-policy.ts';

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
