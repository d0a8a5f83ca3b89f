import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import { unlessDiskIsFull } from '../../db/errors.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { secondsAgo } from '../../platform/clock.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { networkOf } from '../../platform/network.ts';
import { SESSION_PROLONGED_AFTER_SECONDS, SESSION_SECONDS } from '../context/auth.ts';
import { type Caller, callerColumns, callerOf } from '../context/caller.ts';
import { endTokens, newToken, passwordLinks } from './one-time-tokens.ts';

/** The last use of a session is noted at most this often. */
const MARKED_AFTER_SECONDS = 5 * 60;

const askForSession = compiledQuery(['token'], (db, { token }) =>
  db
    .selectFrom('auth_sessions as session')
    .innerJoin('auth_users as account', 'account.id', 'session.user_id')
    .innerJoin('groups', 'groups.id', 'account.group_id')
    .select(['session.id as session_id', 'session.expires_at'])
    .select(callerColumns)
    .select([
      sql<boolean>`session.updated_at <= ${secondsAgo(SESSION_PROLONGED_AFTER_SECONDS)}`.as(
        'was_prolonged',
      ),
      sql<boolean>`session.last_used_at <= ${secondsAgo(MARKED_AFTER_SECONDS)}`.as('is_unmarked'),
    ])
    .where('session.token', '=', token)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .where('account.banned', '=', false),
);

/**
 * Finds a live session by its token, with its account and permissions, in one statement; null if it
 * has expired or the account is banned.
 */
export async function findSession(db: Db, token: string): Promise<Caller | null> {
  const [row] = await askForSession(db, { token });
  if (!row) return null;
  const was_prolonged = row.was_prolonged && (await prolong(db, row.session_id));
  if (row.is_unmarked && !row.was_prolonged) await markUsed(db, row.session_id);
  return {
    id: row.session_id,
    key_kind: null,
    expires_at: row.expires_at,
    was_prolonged,
    ...callerOf(row),
  };
}

/** Returns false if the disk is full, so that signed-in accounts can still read. */
function prolong(db: Db, sessionId: string): Promise<boolean> {
  return unlessDiskIsFull(
    db
      .updateTable('auth_sessions')
      .set({
        expires_at: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
        updated_at: sql`now()`,
        last_used_at: sql`now()`,
      })
      .where('id', '=', sessionId)
      .execute(),
  );
}

async function markUsed(db: Db, sessionId: string): Promise<void> {
  await unlessDiskIsFull(
    db
      .updateTable('auth_sessions')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', sessionId)
      .where('last_used_at', '<=', secondsAgo(MARKED_AFTER_SECONDS))
      .execute(),
  );
}

export async function endSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('auth_sessions').where('id', '=', sessionId).execute();
}

/** The browser that signs in. */
interface Visitor {
  address: string;
  headers: { get(name: string): string | null };
}

const MOST_OF_USER_AGENT = 500;

/**
 * Opens a session of an account that the transaction has locked, and returns its token. Everything that
 * a sign-in needs was shown.
 */
export async function openSession(
  tx: Tx,
  { address, headers }: Visitor,
  accountId: string,
): Promise<string> {
  const token = newToken();
  await tx
    .insertInto('auth_sessions')
    .values({
      id: newId(),
      user_id: accountId,
      token,
      expires_at: sql<Date>`now() + make_interval(secs => ${SESSION_SECONDS})`,
      ip_address: address,
      user_agent: (headers.get('user-agent') ?? '').slice(0, MOST_OF_USER_AGENT),
    })
    .execute();
  await tx
    .updateTable('auth_users')
    .set({ last_sign_in_at: sql`now()` })
    .where('id', '=', accountId)
    .execute();
  return token;
}

/** True if a session of the account was opened from this network and has not ended. */
export async function isSignedInFrom(db: Db, email: string, network: string): Promise<boolean> {
  const sessions = await db
    .selectFrom('auth_sessions')
    .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
    .select('ip_address')
    .where('email', '=', email)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  return sessions.some(
    ({ ip_address }) => ip_address !== null && networkOf(ip_address) === network,
  );
}

/** Ends open links and unfinished sign-ins, which began with credentials that no longer hold. */
const endWaiting = (tx: Tx, accountId: string) =>
  endTokens(tx, accountId, [...passwordLinks, 'change_email', 'second_step']);

/**
 * Ends every session and API key of an account, and with them its live streams, and what waits for
 * it.
 */
export async function endAccess(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('auth_sessions').where('user_id', '=', accountId).execute();
  await tx.deleteFrom('api_keys').where('account_id', '=', accountId).execute();
  await endWaiting(tx, accountId);
}

/**
 * Holds off the end of the session until the transaction is committed, so that a ban meanwhile finds
 * what the session makes; throws if it has ended.
 */
export async function holdSession(tx: Tx, sessionId: string | null): Promise<void> {
  const session = await tx
    .selectFrom('auth_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .forShare()
    .executeTakeFirst();
  if (!session) fail('NO_AUTHENTICATED_USER');
}

/** Keeps one session; null keeps none. Returns how many there were. */
export async function endOtherSessions(
  tx: Tx,
  accountId: string,
  keptId: string | null,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('auth_sessions')
    .where('user_id', '=', accountId)
    .where('id', 'is distinct from', keptId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Ends all other sessions, open links and unfinished sign-ins of an account, after its credentials changed.
 */
export async function endOtherAccess(
  tx: Tx,
  accountId: string,
  keptId: string | null,
): Promise<void> {
  await endOtherSessions(tx, accountId, keptId);
  await endWaiting(tx, accountId);
}
