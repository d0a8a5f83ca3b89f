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

/** Whether the line was last seen on the server that it is on now. */
const isHere = sql<SqlBool>`line_presence.server_id = users.server_id`;

/** SQL of a line's presence, of `users` joined with `line_presence` and its server's `server_presence`. */
export const presenceColumn = sql<Presence>`json_build_object(
  'state', case when not ${isKnown} then 'unknown'
    when line_presence.connections > 0 and ${isHere} then 'online' else 'offline' end,
  'connections', case when ${isKnown} and ${isHere} then line_presence.connections else 0 end,
  'since', case when not ${isKnown} then ${isoMoment('server_presence.read_at')}
    else ${isoMoment('line_presence.since')} end,
  'last_seen_at', case when line_presence.last_seen_at = 'infinity' then ${isoMoment('server_presence.read_at')}
    else ${isoMoment('line_presence.last_seen_at')} end,
  'protocol', line_presence.protocol)`;
