import type { Settings } from '@linekeeper/contract/settings.ts';
import type {
  SeenNetwork,
  SharingNote,
  StoredCounters,
  StoredPlace,
  StoredSession,
} from '../../db/schema/server-schema.ts';
import { wideNetworkOf } from '../../platform/network.ts';
import { wholeNumber } from '../machines/card-server/agent-report.ts';
import type { OnlineAccount } from '../machines/card-server/driver.ts';
import { KNOWN_MINUTES, SAME_START_MS } from './presence.ts';
import { type SharingState, watchSharing } from './sharing/sharing-signals.ts';

/** The most minutes that one reading adds, even if the previous one was long ago. */
const MOST_MINUTES = 2;
/** Milliseconds between two readings above which most requests belong to earlier hours than that of the reading. */
const COUNTED_WITHIN_MS = 10 * 60_000;
/** Requests between two readings, at most. */
const MOST_REQUESTS = 10_000_000;

/** Connections of an account that a card server may report, at most. */
const MOST_CONNECTIONS = 10_000;
const MOST_SESSIONS = 20;
/** Requests since its start that a card server may report, at most. */
const MOST_COUNTED = 1e12;
const MOST_ANSWER_MS = 600_000;

/**
 * A line with the facts that the previous reading of its server stored. Those values are null for a
 * line that was never online.
 */
export interface KnownLine extends SharingState {
  line_id: string;
  username: string;
  server_id: string | null;
  connections: number | null;
  since: Date | null;
  counters: StoredCounters | null;
  sessions: StoredSession[] | null;
  places: Record<string, StoredPlace> | null;
  seen_on: string | null;
  /** The first server of the line now. */
  first_id: string;
  is_several: boolean;
  /** False for a suspended line, and for one that may be online from any number of networks. */
  is_watched: boolean;
}

/** A successful reading of a server, with the one before. */
export interface Reading
  extends Pick<Settings, 'kept_addresses' | 'sharing_connections' | 'sharing_suspend_hours'> {
  server_id: string;
  at: Date;
  read_at: Date | null;
  started_at: Date | null;
  /** Time of the last reading of each server, by the server's id. */
  readings: ReadonlyMap<string, Date | null>;
  hashNetwork(network: string, lineId: string): number;
}

/** A row of `line_presence`, and the figures that it adds to the hour. */
export interface Tallied extends SharingState {
  line_id: string;
  server_id: string;
  connections: number;
  /** Connections on the server that was read. */
  here: number;
  places: Record<string, StoredPlace> | null;
  seen_on: string | null;
  since: Date;
  last_seen_at: Date | 'infinity';
  protocol: string | null;
  sessions: StoredSession[];
  counters: StoredCounters | null;
  noted: SharingNote | null;
  minutes: number;
  ok: number;
  refused: number;
  timed_out: number;
  answer_ms: number;
  answers: number;
  networks: number[];
}

type Requests = Pick<Tallied, 'ok' | 'refused' | 'timed_out'>;
const none: Requests = { ok: 0, refused: 0, timed_out: 0 };
const counted = ['ok', 'refused', 'timed_out'] as const;

/** The whole minutes between two readings, counted so that their sum is never more than the time that has passed. */
export function minutesBetween({ read_at, at }: Pick<Reading, 'read_at' | 'at'>): number {
  if (!read_at) return 0;
  const minuteOf = (moment: Date) => Math.floor(moment.getTime() / 60_000);
  return Math.min(Math.max(0, minuteOf(at) - minuteOf(read_at)), MOST_MINUTES);
}

/**
 * True if a reading follows the previous one after so short a time that this time can be counted.
 * False if the clock was set back in the meantime.
 */
export function isShortlyAfter({ read_at, at }: Pick<Reading, 'read_at' | 'at'>): boolean {
  const passed = read_at ? at.getTime() - read_at.getTime() : -1;
  return passed >= 0 && passed <= COUNTED_WITHIN_MS;
}

type Places = Record<string, StoredPlace>;

/** The report of one server about a line, at one reading. */
type Seen = Pick<
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

/** True if a line is on several servers, or was at an earlier reading and still has its report from there. */
const isPlaced = ({ is_several, places }: KnownLine) => is_several || places !== null;

/**
 * The last reports of the servers about a line. If it was on one server so far, the report is made
 * from the columns of its row.
 */
function placesOf({ places, server_id, connections, since, counters }: KnownLine): Places {
  if (places) return places;
  if (!server_id || connections === null || !since) return {};
  return { [server_id]: { connections, since: since.toISOString(), counters, networks: [] } };
}

/** The presence of a line in the last report of this server. */
function atServer({ server_id }: Pick<Reading, 'server_id'>, line: KnownLine): KnownLine {
  const { connections = null, since, counters = null } = placesOf(line)[server_id] ?? {};
  return { ...line, server_id, connections, since: since ? new Date(since) : null, counters };
}

/** The reports of the other servers. A server that has been silent for minutes no longer keeps the line online. */
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

/** True if a reading changes what is stored about a line: it has connections, or had some at the last reading. */
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
 * The stored columns of a line on several servers after a reading of one of them. It is online if it is online on one,
 * with the connections and networks of all. A minute counts once, even if several servers report the line.
 */
function together(reading: Reading, line: KnownLine, here: Seen, isHere: boolean) {
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
  // A line that has a report of its first server only is stored as a line on one server.
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

/** A line's presence after a reading. Unknown time is not counted, since a false figure is worse than none. */
export function tally(reading: Reading, line: KnownLine, account: OnlineAccount | null): Tallied {
  const known = isPlaced(line) ? atServer(reading, line) : line;
  const here = account ? tallyOnline(reading, known, account) : tallyOffline(reading, known);
  const { line_id, is_watched, over_limit, sharing } = line;
  const { networks, counted_from, ...row } = isPlaced(line)
    ? together(reading, line, here, account !== null)
    : { ...here, ...alone, server_id: reading.server_id, counted_from: reading.read_at };
  const { at, sharing_connections: allowed, sharing_suspend_hours: suspend_hours } = reading;
  const seen = { at, connections: row.connections, networks, allowed, suspend_hours };
  const watched =
    is_watched && row.connections > 0
      ? watchSharing({ over_limit, sharing }, seen)
      : { over_limit: null, sharing, noted: null };
  return {
    ...row,
    ...watched,
    line_id,
    here: here.connections,
    minutes: here.connections > 0 ? minutesBetween({ read_at: counted_from, at }) : 0,
    networks: [...new Set(here.networks.map(({ hash }) => hash))],
  };
}

const alone = { places: null, seen_on: null };

function tallyOffline(reading: Reading, line: KnownLine): Seen {
  const { at, read_at } = reading;
  const wasOnline = (line.connections ?? 0) > 0;
  const lastSeen = read_at && read_at < at ? read_at : at;
  const since = wasOnline ? lastSeen : (line.since ?? lastSeen);
  return {
    connections: 0,
    since,
    last_seen_at: since,
    protocol: null,
    sessions: [],
    counters: isShortlyAfter(reading) ? line.counters : null,
    ...none,
    answer_ms: 0,
    answers: 0,
    networks: [],
  };
}

function tallyOnline(reading: Reading, line: KnownLine, account: OnlineAccount): Seen {
  const before = line.server_id === reading.server_id ? line : null;
  const { connections } = account;
  const networkOf = (address: string | null) => (address ? wideNetworkOf(address) : null);
  const networks = account.sessions.flatMap(({ address }) => networkOf(address) ?? []);
  const counters = account.counters && {
    ...account.counters,
    started_at: reading.started_at?.toISOString() ?? null,
  };
  const requests = isShortlyAfter(reading) ? newRequests(before?.counters ?? null, counters) : none;
  // Without a new request, the response time would be that of an earlier one.
  const answer = requests.ok > 0 ? account.answer_ms : null;
  return {
    connections,
    since: beginOf(reading, before, account),
    last_seen_at: 'infinity',
    protocol: account.sessions.find(({ protocol }) => protocol)?.protocol ?? null,
    sessions: account.sessions.map(({ protocol, address, since }) => ({
      protocol,
      network: reading.kept_addresses === 'none' ? null : networkOf(address),
      since,
    })),
    counters,
    ...requests,
    answer_ms: answer ?? 0,
    answers: answer === null ? 0 : 1,
    networks: networks.map((network): SeenNetwork => {
      return { hash: reading.hashNetwork(network, line.line_id), is_v6: network.includes(':') };
    }),
  };
}

/**
 * The moment since which a line is online. A card server's clock may be wrong, so its moments are moved between the
 * last reading in which the line was offline and now.
 */
function beginOf(
  { at, read_at, ...reading }: Reading,
  before: KnownLine | null,
  account: OnlineAccount,
) {
  const wasOnline = (before?.connections ?? 0) > 0;
  if (wasOnline && before?.since) return before.since < at ? before.since : at;
  const begun = account.sessions.flatMap(({ since }) => (since ? Date.parse(since) : []));
  const begin = begun.length > 0 ? new Date(Math.min(...begun)) : at;
  const wasRead = read_at !== null && isShortlyAfter({ ...reading, at, read_at });
  const earliest = wasRead && begin < read_at ? read_at : begin;
  return earliest < at ? earliest : at;
}

/**
 * Requests since the previous reading. After a restart the counters begin at 0. The result is 0 if
 * the counters went back without a restart, or if no earlier ones are known.
 */
function newRequests(before: StoredCounters | null, now: StoredCounters | null): Requests {
  if (!before || !now) return none;
  const start = startOf(before, now);
  if (start === 'unknown') return none;
  const from = start === 'later' ? none : before;
  const found = { ...none };
  for (const name of counted) {
    const more = now[name] - from[name];
    if (!(more >= 0)) return none;
    found[name] = Math.min(Math.trunc(more), MOST_REQUESTS);
  }
  return found;
}

function startOf(before: StoredCounters, now: StoredCounters): 'same' | 'later' | 'unknown' {
  if (before.started_at === null || now.started_at === null) {
    return before.started_at === now.started_at ? 'same' : 'unknown';
  }
  const later = Date.parse(now.started_at) - Date.parse(before.started_at);
  if (Math.abs(later) <= SAME_START_MS) return 'same';
  return later > 0 ? 'later' : 'unknown';
}

/** The account of an online line, as a card server of either kind reports it, within plausible bounds. */
export function withinBounds(account: OnlineAccount): OnlineAccount {
  const { counters, answer_ms } = account;
  const sessions = account.sessions.slice(0, MOST_SESSIONS);
  const connections = Math.min(account.connections, MOST_CONNECTIONS);
  // All three numbers must be valid: with only one of them, the refused share would be 0 or 100%.
  const areSound =
    counters !== null &&
    [counters.ok, counters.refused, counters.timed_out].every(
      (one) => wholeNumber(one, 0, MOST_COUNTED) !== null,
    );
  return {
    ...account,
    connections: wholeNumber(connections, 1, MOST_CONNECTIONS) ?? Math.max(1, sessions.length),
    sessions,
    counters: areSound ? counters : null,
    answer_ms: wholeNumber(answer_ms, 0, MOST_ANSWER_MS),
  };
}
