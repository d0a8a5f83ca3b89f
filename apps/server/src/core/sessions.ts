import type { Permission } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import type { Db } from '../db/transaction.ts';
import type { SignedIn } from './access.ts';
import { SESSION_PROLONGED_AFTER_SECONDS, SESSION_SECONDS } from './auth.ts';

export interface Session {
  id: string;
  expires_at: Date;
  actor: SignedIn;
  /** True where the session was just prolonged: its cookie is to be sent anew. */
  was_prolonged: boolean;
}

/** The live session of a token, with its account's permissions; null where it ended or is banned. */
export async function findSession(db: Db, token: string): Promise<Session | null> {
  const row = await db
    .selectFrom('auth_sessions as session')
    .innerJoin('auth_users as account', 'account.id', 'session.user_id')
    .innerJoin('groups', 'groups.id', 'account.group_id')
    .select([
      'session.id as session_id',
      'session.expires_at',
      'session.updated_at',
      'account.id',
      'account.email',
      'account.group_id',
      'account.is_admin',
      'groups.permissions',
    ])
    .where('session.token', '=', token)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .where('account.banned', '=', false)
    .executeTakeFirst();
  if (!row) return null;
  const age = (Date.now() - row.updated_at.getTime()) / 1000;
  const was_prolonged = age > SESSION_PROLONGED_AFTER_SECONDS;
  if (was_prolonged) await prolong(db, row.session_id);
  return {
    id: row.session_id,
    expires_at: row.expires_at,
    was_prolonged,
    actor: {
      id: row.id,
      email: row.email,
      group_id: row.group_id,
      is_admin: row.is_admin,
      permissions: row.permissions as Permission[],
    },
  };
}

async function prolong(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('auth_sessions')
    .set({
      expires_at: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
      updated_at: sql`now()`,
    })
    .where('id', '=', sessionId)
    .execute();
}

export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('auth_sessions').where('id', '=', sessionId).execute();
}

export async function endOtherSessions(db: Db, accountId: string, keptId: string): Promise<void> {
  await db
    .deleteFrom('auth_sessions')
    .where('user_id', '=', accountId)
    .where('id', '!=', keptId)
    .execute();
}
