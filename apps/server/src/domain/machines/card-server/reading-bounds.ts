import type { OnlineAccount } from './driver.ts';

const MOST_CONNECTIONS = 10_000;
const MOST_SESSIONS = 20;
const MOST_REQUESTS = 1e12;
const MOST_ANSWER_MS = 600_000;

const isWhole = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;

/** An account that is on, as a card server of either kind says, within sound bounds. */
export function withinBounds(account: OnlineAccount): OnlineAccount {
  const { counters, answer_ms } = account;
  const sessions = account.sessions.slice(0, MOST_SESSIONS);
  const connections = Math.min(account.connections, MOST_CONNECTIONS);
  // One of the numbers alone would look like a share of 0 or of everything.
  const areSound =
    counters !== null &&
    [counters.ok, counters.refused, counters.timed_out].every((one) =>
      isWhole(one, 0, MOST_REQUESTS),
    );
  return {
    ...account,
    connections: isWhole(connections, 1, MOST_CONNECTIONS)
      ? connections
      : Math.max(1, sessions.length),
    sessions,
    counters: areSound ? counters : null,
    answer_ms: answer_ms !== null && isWhole(answer_ms, 0, MOST_ANSWER_MS) ? answer_ms : null,
  };
}
