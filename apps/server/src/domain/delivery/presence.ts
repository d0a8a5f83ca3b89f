import type { Presence } from '@linekeeper/contract/servers/presence.ts';
import { type SqlBool, sql } from 'kysely';

/** Three readings that failed: one alone says nothing. */
const KNOWN_MINUTES = 3;

/** SQL condition on a row of `server_presence`: the server says who is on. A reading ahead is of a clock set back. */
export const isKnown = sql<SqlBool>`coalesce(
  abs(extract(epoch from now() - server_presence.read_at)) < ${sql.lit(60 * KNOWN_MINUTES)}, false)`;

/** SQL of a moment as JSON has it. */
export const isoMoment = (moment: string) => sql`to_char(${sql.ref(moment)} at time zone 'utc',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Columns of a line's presence, of `users` joined with `line_presence` and its server's `server_presence`. */
export const presenceColumns = [
  sql<number | null>`line_presence.connections`.as('connections'),
  sql<Date | null>`line_presence.since`.as('online_since'),
  sql<Date | null>`nullif(line_presence.last_seen_at, 'infinity')`.as('last_seen_at'),
  sql<string | null>`line_presence.protocol`.as('online_protocol'),
  sql<boolean | null>`line_presence.server_id = users.server_id`.as('is_here'),
  sql<Date | null>`server_presence.read_at`.as('read_at'),
  isKnown.as('is_known'),
] as const;

interface PresenceRow {
  connections: number | null;
  online_since: Date | null;
  last_seen_at: Date | null;
  online_protocol: string | null;
  is_here: boolean | null;
  read_at: Date | null;
  is_known: SqlBool;
}

/** A line that is on where it was before, as far as that server knows, is off where it is now. */
export function toPresence(row: PresenceRow): Presence {
  const { connections, online_since, last_seen_at, read_at } = row;
  const isOn = row.is_here === true && (connections ?? 0) > 0;
  const seen = last_seen_at ?? (row.is_here ? read_at : online_since);
  return {
    state: !row.is_known ? 'unknown' : isOn ? 'online' : 'offline',
    connections: row.is_known && isOn ? (connections ?? 0) : 0,
    since: (row.is_known ? online_since : read_at)?.toISOString() ?? null,
    last_seen_at: connections === null ? null : (seen?.toISOString() ?? null),
    protocol: row.online_protocol,
  };
}

/** SQL condition on a server and its presence: OSCam ends sessions, and CCcam does not. */
export const canEndSessions = sql<boolean>`(cccam_servers.kind = 'oscam_webif'
  or coalesce(server_presence.card_server ilike 'oscam%', false))`;
