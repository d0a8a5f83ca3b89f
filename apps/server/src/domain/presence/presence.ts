import type { Presence } from '@linekeeper/contract/servers/presence.ts';
import { type SqlBool, sql } from 'kysely';
import { isoMoment } from '../../db/read-text.ts';

/** Minutes for which a reading counts. The panel reads once a minute, so two readings in a row may fail. */
export const KNOWN_MINUTES = 3;

/**
 * The difference in milliseconds up to which two starts of a card server are the same: readings report how long it has
 * run, so the computed start varies a little.
 */
export const SAME_START_MS = 5000;

/** SQL condition on a row of `server_presence`: the last reading is recent enough to count. */
export const isKnown = sql<SqlBool>`coalesce(
  server_presence.read_at > now() - interval '${sql.raw(String(KNOWN_MINUTES))} minutes', false)`;

/** SQL id of the line that was delivered as this `account` of a server; null for an account that the panel did not deliver. */
export const lineOnServer = sql<string | null>`case when account.on_server
  then coalesce((account.left_password ->> 'line_id')::uuid, account.of_line) end`;

/** SQL of a moment in the format of JSON. */
export const momentInJson = (moment: string) => sql`to_char(${sql.ref(moment)} at time zone 'utc',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL of a moment as seconds since 1970, for `isoMoment`. */
export const epochOf = <Seconds extends number | null>(moment: string) =>
  sql<Seconds>`date_part('epoch', ${sql.ref(moment)})`;

/** SQL id of the server whose report counts for a line: the one on which it is online, otherwise its first. */
export const reportingServer = sql<string>`coalesce(line_presence.seen_on, users.server_id)`;

/** Columns of a line's presence, of `users` joined with `line_presence` and its `server_presence` by `reportingServer`. */
export const presenceColumns = [
  sql<number | null>`line_presence.connections`.as('connections'),
  epochOf<number | null>('line_presence.since').as('online_since'),
  epochOf<number | null>('line_presence.last_seen_at').as('last_seen_at'),
  sql<string | null>`line_presence.protocol`.as('online_protocol'),
  sql<boolean | null>`line_presence.server_id = users.server_id`.as('is_here'),
  epochOf<number | null>('server_presence.read_at').as('read_at'),
  isKnown.as('is_known'),
] as const;

interface PresenceRow {
  connections: number | null;
  online_since: number | null;
  /** Milliseconds since 1970; Infinity while the line is online, null if it never was. */
  last_seen_at: number | null;
  online_protocol: string | null;
  is_here: boolean | null;
  read_at: number | null;
  is_known: SqlBool;
}

const STILL_ONLINE = Number.POSITIVE_INFINITY;
const momentOf = (seconds: number | null) => (seconds === null ? null : isoMoment(seconds));

/** The presence of a line. A line that is online only on its former server counts as offline. */
export function toPresence(row: PresenceRow): Presence {
  const { connections, online_since, last_seen_at, read_at } = row;
  const isOnline = row.is_here === true && (connections ?? 0) > 0;
  const seen = last_seen_at === STILL_ONLINE && row.is_here ? read_at : last_seen_at;
  return {
    state: !row.is_known ? 'unknown' : isOnline ? 'online' : 'offline',
    connections: row.is_known && isOnline ? (connections ?? 0) : 0,
    since: momentOf(row.is_known ? online_since : read_at),
    last_seen_at: momentOf(seen === STILL_ONLINE ? online_since : seen),
    protocol: row.online_protocol,
  };
}

/** SQL condition on a server and its presence: sessions can be ended, which OSCam can do and CCcam cannot. */
export const canEndSessions = sql<boolean>`(cccam_servers.kind = 'oscam_webif'
  or coalesce(server_presence.card_server ilike 'oscam%', false))`;

/** SQL of the number of lines that are online on all servers together, by their last readings. */
export const linesOnline = sql<number>`(
  select coalesce(sum(lines_online - lines_elsewhere), 0)::bigint from server_presence where ${isKnown})`;
