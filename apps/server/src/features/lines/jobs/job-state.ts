import { sql } from 'kysely';

/**
 * A job is asked for (queued), taken up by a panel (running), by another one if that panel died, and ends. It is undone once
 * another job, which names it, has undone it; its row keeps the state in which it ended.
 */
const following = {
  queued: ['running', 'done', 'cancelled'],
  running: ['running', 'done', 'cancelled'],
  done: ['undone'],
  cancelled: ['undone'],
  undone: [],
} as const satisfies Record<string, readonly string[]>;

export type JobState = keyof typeof following;

const states = Object.keys(following) as JobState[];

/** True if a job may get from one state to the other; into one that ends it only once none of its items waits. */
export function mayFollow(to: JobState, from: JobState): boolean {
  return (following[from] as readonly JobState[]).includes(to);
}

/** SQL condition on a job: it may get this state. */
export const mayBecome = (to: JobState) => {
  const before = states.filter((from) => mayFollow(to, from)).map((from) => sql.lit(from));
  return sql<boolean>`jobs.state in (${sql.join(before)})`;
};

/**
 * SQL conditions on an item. It waits until it is carried out, which ends it: done, failed, or skipped where somebody cancels
 * its job. One of an undo that is carried out may be awaited before it is done: its card server still has what it refunds.
 */
export const isAwaited = sql<boolean>`(job_items.input -> 'awaits') is not null`;
export const isToDo = sql<boolean>`(job_items.state = 'waiting' and not ${isAwaited})`;
