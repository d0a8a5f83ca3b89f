import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import { AGENT_KEY_MINUTES, type AwaitedServer } from '@linekeeper/contract/servers/awaited.ts';
import { type Selectable, sql } from 'kysely';
import type { AwaitedServersTable } from '../../../db/schema/server-schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { hashOfToken } from '../../../domain/accounts/one-time-tokens.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import { toReload } from '../store.ts';

export const KEY_SECONDS = AGENT_KEY_MINUTES * 60;
/** Seconds for which a row stays after its key has expired: the form with the agent's data may still be open. */
const KEPT_SECONDS = 24 * 60 * 60;

export type AwaitedRow = Selectable<AwaitedServersTable>;

export const keyEnds = sql<Date>`now() + make_interval(secs => ${KEY_SECONDS})`;
/** The hash of a key in any spelling: upper or lower case, with or without spaces and dashes. */
export const hashOfKey = (key: string) =>
  hashOfToken(key.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''));

export function toAwaited(row: AwaitedRow): AwaitedServer {
  const { id, server_id, expires_at, called_at, call, found, found_at, confirmed_at } = row;
  return {
    id,
    server_id,
    expires_at: expires_at.toISOString(),
    called: call &&
      called_at && { ...call, at: called_at.toISOString(), is_confirmed: confirmed_at !== null },
    found: found &&
      found_at && {
        at: found_at.toISOString(),
        latency_ms: found.latency_ms,
        ...findingWithMessage(found.finding),
        reload: toReload(found.reload),
        zone: found.zone,
        server_day: found.server_day,
        day_finding: found.day_finding,
        day_message: findingWithMessage(found.day_finding).message,
      },
  };
}

/** The row of an agent that has a key but may not have called yet. Throws AWAITED_NOT_FOUND. */
export async function findAwaited(db: Db, id: string): Promise<AwaitedRow> {
  const row = await db
    .selectFrom('awaited_servers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? fail('AWAITED_NOT_FOUND');
}

/** The row of a key and whether the key has expired; undefined for an unknown key. */
export function findByKey(db: Db, key: string) {
  return db
    .selectFrom('awaited_servers')
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as('has_ended'))
    .where('key_hash', '=', hashOfKey(key))
    .executeTakeFirst();
}

/**
 * Deletes the installations whose key expired long ago. An installation whose server has never passed a test is kept.
 */
export async function deleteEndedAwaited(db: Db): Promise<void> {
  await sql`delete from awaited_servers
    where expires_at <= now() - make_interval(secs => ${KEPT_SECONDS})
      and (server_id is null or server_id in (
        select id from cccam_servers where status <> 'inactive'))`.execute(db);
}
