import { sql } from 'kysely';

/**
 * The states that may follow each state. A job is queued, then running, on another panel if the first died, and then
 * ends. It counts as undone once another job, which refers to it, has undone it; its row keeps the state in which it
 * ended.
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

/**
 * True if a job in the state `from` may next be in the state `to`, by the table above. This does not check the items of
 * the job: the code that ends a job checks that none of them is still waiting.
 */
export function mayFollow(to: JobState, from: JobState): boolean {
  return (following[from] as readonly JobState[]).includes(to);
}

/** SQL condition on a job: its state may change to this one. */
export const mayBecome = (to: JobState) => {
  const before = states.filter((from) => mayFollow(to, from)).map((from) => sql.lit(from));
  return sql<boolean>`jobs.state in (${sql.join(before)})`;
};

/**
 * SQL condition on an item: it is awaited. An item waits until it is carried out, and is then done,
 * failed, or skipped because its job was cancelled. An item of an undo may be awaited before it is
 * done, while its card server still has the account whose price is to be refunded.
 */
export const isAwaited = sql<boolean>`(job_items.input -> 'awaits') is not null`;
export const isToDo = sql<boolean>`(job_items.state = 'waiting' and not ${isAwaited})`;
