import type { Usage } from '@linekeeper/contract/lines/usage.ts';

/** What a line did in an hour, oldest first. */
export interface Hour {
  hour: Date;
  requests_ok: number;
  requests_refused: number;
  requests_timed_out: number;
}

type Refusals = Omit<NonNullable<Usage['refusals']>, 'server_share'> & { from: Date };

/** From this share on, refusals are told, if they are not usual. */
export const MANY_REFUSED = 0.2;
/** Well above usual: twice as many, and so much of all. */
const TIMES_USUAL = 2;
const ABOVE_USUAL = 0.1;
/** A share of fewer requests says little. */
export const ENOUGH_REQUESTS = 20;
const HOUR_MS = 3_600_000;
/** Hours without a request that may lie between two with many refusals. */
const LONGEST_PAUSE_HOURS = 2;

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

/**
 * Many refusals in the last hours, beside what was usual before them; null where it is as usual. They did not begin
 * before the line was on, if it connected within their first hour.
 */
export function findRefusals(
  hours: readonly Hour[],
  now: Date,
  connectedAt: Date | null,
): Refusals | null {
  let first = hours.length;
  let later = now.getTime();
  while (first > 0) {
    const before = hours[first - 1];
    if (!before || later - before.hour.getTime() > LONGEST_PAUSE_HOURS * HOUR_MS) break;
    if (refusedIn([before]) < MANY_REFUSED * requestsIn([before])) break;
    later = before.hour.getTime();
    first -= 1;
  }
  const lately = hours.slice(first);
  const [begin] = lately;
  const share = shareOf(lately);
  if (!begin || share === null || share < MANY_REFUSED) return null;
  const usual = shareOf(hours.slice(0, first));
  if (usual !== null && (share < TIMES_USUAL * usual || share - usual < ABOVE_USUAL)) return null;
  const late = (connectedAt?.getTime() ?? 0) - begin.hour.getTime();
  const since = connectedAt && late > 0 && late < HOUR_MS ? connectedAt : begin.hour;
  return { since: since.toISOString(), from: begin.hour, share, usual };
}
