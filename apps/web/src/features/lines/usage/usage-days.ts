import type { Day } from '@linekeeper/contract/dates.ts';
import type { Usage, UsageDay } from '@linekeeper/contract/lines/usage.ts';

/** The share of refused requests from which a day is marked. */
export const MANY_REFUSED = 0.05;

export interface ShownDay extends UsageDay {
  requests: number;
  /** Share of the requests that were refused. */
  refused: number;
  /** True if no server reported sessions on that day; false before the line was sold. */
  isUnknown: boolean;
}

export function shownDays({ days, presence }: Usage, added: Day): ShownDay[] {
  return days.map((day, index) => {
    const requests = day.requests_ok + day.requests_refused + day.requests_timed_out;
    const isNow = index === days.length - 1;
    return {
      ...day,
      requests,
      refused: requests > 0 ? day.requests_refused / requests : 0,
      isUnknown:
        day.day >= added && (day.minutes_known === 0 || (isNow && presence.state === 'unknown')),
    };
  });
}

/**
 * The totals of some days: minutes online, minutes in which the presence was known, and the share
 * of refused requests from 0 to 1.
 */
export function sumOf(days: readonly ShownDay[]) {
  const sum = (of: (day: ShownDay) => number) => days.reduce((all, day) => all + of(day), 0);
  const requests = sum((day) => day.requests);
  return {
    minutes: sum((day) => day.minutes_online),
    known: sum((day) => day.minutes_known),
    refused: requests > 0 ? sum((day) => day.requests_refused) / requests : 0,
  };
}
