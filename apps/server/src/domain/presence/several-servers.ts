import type { SeenNetwork, StoredPlace, StoredSession } from '../../db/schema/server-schema.ts';
import { KNOWN_MINUTES } from './presence.ts';
import type { KnownLine, Reading, Tallied } from './tally-presence.ts';

type Places = Record<string, StoredPlace>;

/** What a reading of one server says of a line. */
export type Seen = Pick<
  Tallied,
  | 'connections'
  | 'since'
  | 'last_seen_at'
  | 'protocol'
  | 'sessions'
  | 'counters'
  | 'ok'
  | 'refused'
  | 'timed_out'
  | 'answer_ms'
  | 'answers'
> & { networks: SeenNetwork[] };

/** True if a line is on several servers, or was at an earlier reading and is not forgotten there yet. */
export const isPlaced = ({ is_several, places }: KnownLine) => is_several || places !== null;

/** What each server last said. A line that was on one server until now has its row for that. */
function placesOf({ places, server_id, connections, since, counters }: KnownLine): Places {
  if (places) return places;
  if (!server_id || connections === null || !since) return {};
  return { [server_id]: { connections, since: since.toISOString(), counters, networks: [] } };
}

/** The line as this server last reported it. */
export function atServer({ server_id }: Pick<Reading, 'server_id'>, line: KnownLine): KnownLine {
  const { connections = null, since, counters = null } = placesOf(line)[server_id] ?? {};
  return { ...line, server_id, connections, since: since ? new Date(since) : null, counters };
}

/** The places on the other servers. A server that is silent for minutes no longer keeps the line online. */
function othersOf({ server_id, at, readings }: Reading, line: KnownLine): Places {
  const others = Object.entries(placesOf(line)).filter(([id]) => id !== server_id);
  return Object.fromEntries(
    others.map(([id, place]) => {
      const read_at = readings.get(id) ?? null;
      const isSilent = !read_at || at.getTime() - read_at.getTime() > KNOWN_MINUTES * 60_000;
      if (!isSilent || place.connections === 0) return [id, place];
      const since = read_at?.toISOString() ?? place.since;
      return [id, { ...place, connections: 0, since, networks: [] }];
    }),
  );
}

/** False if a reading without the line, shortly after the one before, changes nothing of what is stored about it. */
export function isConcerned(reading: Reading, line: KnownLine): boolean {
  return (
    (atServer(reading, line).connections ?? 0) > 0 ||
    Object.entries(othersOf(reading, line)).some(
      ([id, place]) => place.connections !== placesOf(line)[id]?.connections,
    )
  );
}

const latest = (moments: readonly Date[]) => new Date(Math.max(...moments.map(Number)));

/**
 * What is stored of a line on several servers after a reading of one of them. It is online if it is online on one, with
 * the connections and networks of all, and a minute counts once however many servers report it.
 */
export function together(reading: Reading, line: KnownLine, here: Seen, isHere: boolean) {
  const { server_id, at, read_at, readings } = reading;
  const others = othersOf(reading, line);
  const { connections, counters, networks } = here;
  const own = { connections, since: here.since.toISOString(), counters, networks };
  const places: Places = { ...others, [server_id]: own };
  const online = Object.keys(places).filter((id) => (places[id]?.connections ?? 0) > 0);
  const sinceOf = (ids: readonly string[]) => ids.map((id) => new Date(places[id]?.since ?? at));
  const isOnline = online.length > 0;
  const wasHere = server_id in placesOf(line);
  const left = Object.keys(wasHere ? places : others);
  const since = isOnline
    ? new Date(Math.min(...sinceOf(online).map(Number)))
    : left.length > 0
      ? latest(sinceOf(left))
      : here.since;
  const otherReadings = online.flatMap((id) => (id === server_id ? [] : (readings.get(id) ?? [])));
  const ofServer = (session: StoredSession) => session.server_id ?? line.server_id ?? '';
  const sessions = [
    ...here.sessions.map((session) => ({ ...session, server_id })),
    ...(line.sessions ?? []).filter(
      (session) => ofServer(session) !== server_id && online.includes(ofServer(session)),
    ),
  ];
  const kept = Object.entries(places).filter(
    ([, place]) => place.connections > 0 || place.counters !== null,
  );
  // One of which only its first server is left is stored as a line on one server.
  const isAlone =
    !line.is_several && kept.every(([id]) => id === server_id && id === line.server_id);
  const seen_on = line.seen_on && online.includes(line.seen_on) ? line.seen_on : online[0];
  return {
    ...here,
    server_id: isHere ? line.first_id : (line.server_id ?? line.first_id),
    connections: online.reduce((sum, id) => sum + (places[id]?.connections ?? 0), 0),
    since,
    last_seen_at: isOnline ? ('infinity' as const) : since,
    sessions,
    networks: online.flatMap((id) => places[id]?.networks ?? []),
    counted_from: read_at && latest([read_at, ...otherReadings]),
    counters: isAlone ? counters : null,
    places: isAlone ? null : Object.fromEntries(kept),
    seen_on: online.includes(line.first_id) ? null : (seen_on ?? null),
  };
}
