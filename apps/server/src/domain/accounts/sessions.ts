import { describeBrowser } from '@linekeeper/contract/auth/describe-browser.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import { unlessDiskIsFull } from '../../db/errors.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { secondsAgo, secondsAhead } from '../../platform/clock.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { newId } from '../../platform/ids.ts';
import { networkOf } from '../../platform/network.ts';
import { auditedSessionsLimit, consumeLimit } from '../../platform/rate-limit.ts';
import { auditAccount, auditOriginOf } from '../audit/audit.ts';
import { SESSION_PROLONGED_AFTER_SECONDS, SESSION_SECONDS } from '../context/auth.ts';
import { type Caller, callerColumns, callerOf } from '../context/caller.ts';
import type { Ctx } from '../context/context.ts';
import { endTokens, newToken, passwordLinks } from './one-time-tokens.ts';

/** The last use of a session is stored at most once in this time. */
const MARKED_AFTER_SECONDS = 5 * 60;
const USER_AGENT_LENGTH = 500;

const isUnmarked = sql<boolean>`session.last_used_at <= ${secondsAgo(MARKED_AFTER_SECONDS)}`;
const newEnd = secondsAhead(SESSION_SECONDS);
const isDue = sql<boolean>`session.updated_at <= ${secondsAgo(SESSION_PROLONGED_AFTER_SECONDS)}`;

const askForSession = compiledQuery(['token'], (db, { token }) =>
  db
    .selectFrom('auth_sessions as session')
    .innerJoin('auth_users as account', 'account.id', 'session.user_id')
    .innerJoin('groups', 'groups.id', 'account.group_id')
    .select(['session.id as session_id', 'session.expires_at'])
    .select(callerColumns)
    .select([isDue.as('was_prolonged'), isUnmarked.as('is_unmarked')])
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
  const { session_id: id } = row;
  const was_prolonged = row.was_prolonged && (await markUsed(db, id, isDue, prolonged));
  if (row.is_unmarked && !row.was_prolonged) await markUsed(db, id, isUnmarked);
  return {
    id,
    key_kind: null,
    key_scopes: null,
    expires_at: row.expires_at,
    was_prolonged,
    ...callerOf(row),
  };
}

const prolonged = { expires_at: newEnd, updated_at: sql<Date>`now()` };

/**
 * Stores when the session was last used. If several calls come at the same time, one writes it, and none while the disk is
 * full, so that signed-in accounts can still read. Returns false if the disk is full.
 */
const markUsed = (db: Db, id: string, condition: typeof isDue, more = {}): Promise<boolean> =>
  unlessDiskIsFull(
    db
      .updateTable('auth_sessions as session')
      .set({ last_used_at: sql`now()`, ...more })
      .where('id', '=', id)
      .where(condition)
      .execute(),
  );

/**
 * Opens a session of an account that the transaction has locked, and returns its token. The caller has checked
 * everything that a sign-in needs.
 */
export async function openSession(tx: Tx, ctx: Ctx, accountId: string): Promise<string> {
  const token = newToken();
  await tx
    .insertInto('auth_sessions')
    .values({
      id: newId(),
      user_id: accountId,
      token,
      expires_at: newEnd,
      ip_address: ctx.address,
      user_agent: (ctx.headers.get('user-agent') ?? '').slice(0, USER_AGENT_LENGTH),
    })
    .execute();
  await tx
    .updateTable('auth_users')
    .set({ last_sign_in_at: sql`now()` })
    .where('id', '=', accountId)
    .execute();
  await auditSession(tx, ctx, 'account.sign_in', accountId);
  return token;
}

/**
 * Writes a sign-in or a sign-out into the audit log, with browser and system. Each account has a bound an hour,
 * because nothing is ever deleted from that log.
 */
export async function auditSession(
  tx: Tx,
  ctx: Ctx,
  action: 'account.sign_in' | 'account.sign_out',
  accountId: string,
): Promise<void> {
  if ((await consumeLimit(tx, auditedSessionsLimit, `${action} ${accountId}`)) > 0) return;
  const { name: browser, system } = describeBrowser(ctx.headers.get('user-agent'));
  const data = browser && system ? { browser, system } : {};
  const origin = { ...auditOriginOf(ctx), actor_id: accountId };
  await auditAccount(tx, origin, action, accountId, { data });
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

/**
 * Ends every session and API key of an account, and with them its live streams, open links and unfinished
 * sign-ins.
 */
export async function endAccess(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('api_keys').where('account_id', '=', accountId).execute();
  await endOtherAccess(tx, accountId, null);
}

/**
 * Delays the end of the session until the commit, so that a ban in the meantime finds the records
 * that the session creates. Throws NO_AUTHENTICATED_USER if the session has ended.
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

/** Ends the sessions of an account except one; null keeps none. Returns the number of ended sessions. */
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

/** Ends all other sessions, and open links and unfinished sign-ins, because they began with the former credentials. */
export async function endOtherAccess(
  tx: Tx,
  accountId: string,
  keptId: string | null,
): Promise<void> {
  await endOtherSessions(tx, accountId, keptId);
  await endTokens(tx, accountId, [...passwordLinks, 'change_email', 'second_step']);
}
