import type { Usage } from '@linekeeper/contract/lines/usage.ts';
import type { Presence } from '@linekeeper/contract/servers/presence.ts';

/** The numbers of a line's requests in one hour. */
export interface Hour {
  hour: Date;
  requests_ok: number;
  requests_refused: number;
  requests_timed_out: number;
}

type Refusals = Omit<NonNullable<Usage['refusals']>, 'server_share'> & { from: Date };

/** Share of refused requests from which they are reported, unless they are usual. */
export const MANY_REFUSED = 0.2;
/** Factor by which the refused share must exceed the usual one before it is reported. */
const TIMES_USUAL = 2;
const ABOVE_USUAL = 0.1;
/** The least number of requests for which a share of refused ones is reported; a share of fewer means little. */
export const ENOUGH_REQUESTS = 20;
const HOUR_MS = 3_600_000;
/** The most hours without a request between two hours with many refusals. */
const LONGEST_PAUSE_HOURS = 2;
/** Milliseconds after which a disconnected line counts as offline. Before that, its receiver may be reconnecting. */
export const LEFT_WITHIN_MS = 5 * 60_000;

const requestsIn = (hours: readonly Hour[]) =>
  hours.reduce(
    (sum, hour) => sum + hour.requests_ok + hour.requests_refused + hour.requests_timed_out,
    0,
  );
const refusedIn = (hours: readonly Hour[]) =>
  hours.reduce((sum, { requests_refused }) => sum + requests_refused, 0);

/** The share of the requests that were refused; null if there were too few. */
export function shareOf(hours: readonly Hour[]): number | null {
  const requests = requestsIn(hours);
  return requests < ENOUGH_REQUESTS ? null : refusedIn(hours) / requests;
}

type Seen = Pick<Presence, 'state' | 'since' | 'last_seen_at'>;

/**
 * The start of the current connection, in milliseconds since 1970, or 0 if unknown; undefined for a
 * line that neither is online nor disconnected in the last minutes.
 */
function connectedAt({ state, since, last_seen_at }: Seen, now: Date): number | undefined {
  if (state === 'online') return since === null ? 0 : Date.parse(since);
  const left = now.getTime() - Date.parse(last_seen_at ?? '');
  return state === 'offline' && left <= LEFT_WITHIN_MS ? 0 : undefined;
}

/**
 * The share of refused requests of an online line, in the last hours and usually; null if the share
 * is no larger than usual. Only hours of the present connection count.
 */
export function findRefusals(hours: readonly Hour[], now: Date, seen: Seen): Refusals | null {
  const connected = connectedAt(seen, now);
  if (connected === undefined) return null;
  let first = hours.length;
  let later = now.getTime();
  while (first > 0) {
    const before = hours[first - 1];
    if (!before || later - before.hour.getTime() > LONGEST_PAUSE_HOURS * HOUR_MS) break;
    if (refusedIn([before]) < MANY_REFUSED * requestsIn([before])) break;
    later = before.hour.getTime();
    first -= 1;
  }
  const lately = hours.slice(first).filter(({ hour }) => hour.getTime() + HOUR_MS > connected);
  const [begin] = lately;
  const share = shareOf(lately);
  if (!begin || share === null || share < MANY_REFUSED) return null;
  const usual = shareOf(hours.slice(0, first));
  if (usual !== null && (share < TIMES_USUAL * usual || share - usual < ABOVE_USUAL)) return null;
  const since = new Date(Math.max(begin.hour.getTime(), connected));
  return { since: since.toISOString(), from: begin.hour, share, usual };
}
