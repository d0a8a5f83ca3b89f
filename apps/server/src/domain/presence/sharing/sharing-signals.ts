import type {
  SeenNetwork,
  SharingNote,
  StoredOverLimit,
  StoredSharing,
} from '../../../db/schema/server-schema.ts';

/**
 * The signs of sharing of a line that are kept between two readings of the sessions. `over_limit` is null unless the
 * line was over its limit at the last reading; `sharing` is null if no sign has been noted.
 */
export interface SharingState {
  over_limit: StoredOverLimit | null;
  sharing: StoredSharing | null;
}

/** A line in a reading; without sessions it is offline. */
interface SeenLine {
  at: Date;
  connections: number;
  /** The network of each session, on all servers of the line. */
  networks: readonly SeenNetwork[];
  allowed: number;
  /** Hours for which a sign of sharing suspends the line; 0 if signs do not suspend. */
  suspend_hours: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * Milliseconds after which a connection counts, because a receiver with a new address leaves its old connection open.
 */
const LASTING_MS = 7 * MINUTE_MS;
const FEWEST_READINGS = 3;
/** Milliseconds between two readings of one run, at most. Three at this distance are within ten minutes. */
const MOST_APART_MS = 5 * MINUTE_MS;
const NOTES_KEPT_DAYS = 7;
const NETWORKS_KEPT = 20;

/**
 * The networks of the address family with more of them, because a home whose receivers use both
 * families is still one home.
 */
function ofOneFamily(networks: readonly SeenNetwork[]): number[] {
  const inFamily = (sixth: boolean) => [
    ...new Set(networks.flatMap(({ hash, is_v6 }) => (is_v6 === sixth ? hash : []))),
  ];
  const [sixth, fourth] = [inFamily(true), inFamily(false)];
  return sixth.length > fourth.length ? sixth : fourth;
}

/**
 * Continues the run with the networks that are still online, or begins another; null if there are
 * no more networks than allowed.
 */
function continued(run: StoredOverLimit | null, seen: SeenLine): StoredOverLimit | null {
  const { at, allowed } = seen;
  const networks = ofOneFamily(seen.networks).slice(0, NETWORKS_KEPT);
  if (networks.length <= allowed) return null;
  const now = at.toISOString();
  const begun = { since: now, at: now, readings: 1, networks };
  if (!run) return begun;
  const passed = at.getTime() - Date.parse(run.at);
  const staying = run.networks.filter((network) => networks.includes(network));
  // No time can be measured with a clock that was set back. A network that comes and goes is not a second home.
  const isBroken = !(passed >= 0 && passed <= MOST_APART_MS) || staying.length <= allowed;
  if (isBroken) return begun;
  return { since: run.since, at: now, readings: run.readings + 1, networks: staying };
}

/**
 * The state of a line after a reading, and its new sign of sharing, if any. A sign is noted once more networks than
 * allowed were online together in at least three readings, long enough that none of them is an abandoned connection.
 * The next sign comes a day later at the earliest, or once the suspension for this one would have ended. Decision 0142: a
 * sign only flags the line, unless suspension is switched on.
 */
export function watchSharing(
  before: SharingState,
  seen: SeenLine,
): SharingState & { noted: SharingNote | null } {
  const { at, connections, allowed, suspend_hours } = seen;
  const run = continued(before.over_limit, seen);
  const notes = before.sharing?.notes ?? [];
  const last = notes.at(-1);
  const quietMs = suspend_hours > 0 ? suspend_hours * HOUR_MS : DAY_MS;
  const isQuiet = last !== undefined && Math.abs(at.getTime() - Date.parse(last.at)) < quietMs;
  const isLasting =
    run !== null &&
    run.readings >= FEWEST_READINGS &&
    Date.parse(run.at) - Date.parse(run.since) >= LASTING_MS;
  if (!isLasting || isQuiet) return { over_limit: run, sharing: before.sharing, noted: null };
  const noted = { at: at.toISOString(), connections, networks: run.networks.length, allowed };
  return { over_limit: null, sharing: { notes: [...recent(notes, at), noted] }, noted };
}

/** Signs of sharing of the last week. A moment in the future is from a clock that was set back. */
export function recent(notes: readonly SharingNote[], now: Date): SharingNote[] {
  return notes.filter(
    ({ at }) => Math.abs(now.getTime() - Date.parse(at)) < NOTES_KEPT_DAYS * DAY_MS,
  );
}
