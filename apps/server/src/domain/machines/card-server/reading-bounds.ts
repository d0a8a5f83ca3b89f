import { wholeNumber } from './agent-report.ts';
import type { OnlineAccount } from './driver.ts';

const MOST_CONNECTIONS = 10_000;
const MOST_SESSIONS = 20;
const MOST_REQUESTS = 1e12;
const MOST_ANSWER_MS = 600_000;

/** An account that is on, as a card server of either kind says, within sound bounds. */
export function withinBounds(account: OnlineAccount): OnlineAccount {
  const { counters, answer_ms } = account;
  const sessions = account.sessions.slice(0, MOST_SESSIONS);
  const connections = Math.min(account.connections, MOST_CONNECTIONS);
  // One of the numbers alone would look like a share of 0 or of everything.
  const areSound =
    counters !== null &&
    [counters.ok, counters.refused, counters.timed_out].every(
      (one) => wholeNumber(one, 0, MOST_REQUESTS) !== null,
    );
  return {
    ...account,
    connections: wholeNumber(connections, 1, MOST_CONNECTIONS) ?? Math.max(1, sessions.length),
    sessions,
    counters: areSound ? counters : null,
    answer_ms: wholeNumber(answer_ms, 0, MOST_ANSWER_MS),
  };
}
