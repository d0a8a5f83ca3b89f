import { MAX_API_KEY_YEARS } from '@linekeeper/contract/auth/api-keys.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import { unlessDiskIsFull } from '../../db/errors.ts';
import type { Db } from '../../db/transaction.ts';
import { secondsAgo } from '../../platform/clock.ts';
import { type Caller, callerColumns, callerOf } from '../context/caller.ts';
import { hashOfToken, newToken } from './one-time-tokens.ts';

const PREFIX = 'lk_';
const SHOWN_LENGTH = PREFIX.length + 5;
const soundKey = new RegExp(`^${PREFIX}[\\w-]{43}$`);
/**
 * The longest time in seconds that an API key can be valid: all years count as leap years, and one day is added for
 * time zones.
 */
export const LONGEST_SECONDS = (MAX_API_KEY_YEARS * 366 + 1) * 86_400;
const MARKED_AFTER_SECONDS = 60;

/** Creates a new key, which is shown once, with the values that are stored for it. */
export function makeApiKey() {
  const key = PREFIX + newToken();
  return { key, key_hash: hashOfToken(key), start: key.slice(0, SHOWN_LENGTH) };
}

const askForKey = compiledQuery(['key_hash'], (db, { key_hash }) =>
  db
    .selectFrom('api_keys as key')
    .innerJoin('auth_users as account', 'account.id', 'key.account_id')
    .innerJoin('groups', 'groups.id', 'account.group_id')
    .select(['key.id as key_id', 'key.kind', 'key.scopes', 'key.expires_at'])
    .select(callerColumns)
    .select(isUnmarked('key.last_used_at').as('is_unmarked'))
    .where('key.key_hash', '=', key_hash)
    .where(sql<boolean>`coalesce(key.expires_at > now(), true)`)
    .where('account.banned', '=', false),
);

function isUnmarked(column: string) {
  const moment = sql.ref(column);
  return sql<boolean>`(${moment} is null or ${moment} <= ${secondsAgo(MARKED_AFTER_SECONDS)})`;
}

/**
 * Finds a live key with its owner's account and permissions, in one statement; null if it is
 * unknown, revoked or expired, or its owner is banned.
 */
export async function findApiKey(db: Db, key: string): Promise<Caller | null> {
  if (!soundKey.test(key)) return null;
  const [row] = await askForKey(db, { key_hash: hashOfToken(key) });
  if (!row) return null;
  if (row.is_unmarked) await markUsed(db, row.key_id);
  return {
    id: row.key_id,
    key_kind: row.kind,
    key_scopes: row.scopes,
    expires_at: row.expires_at,
    was_prolonged: false,
    ...callerOf(row),
  };
}

/**
 * Stores when the key was last used. Of several calls at the same time only one does, and none while the disk is full,
 * so that calls that only read still work.
 */
async function markUsed(db: Db, id: string): Promise<void> {
  await unlessDiskIsFull(
    db
      .updateTable('api_keys')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', id)
      .where(isUnmarked('last_used_at'))
      .execute(),
  );
}
