import { randomInt, randomUUIDv7 } from 'node:crypto';

/** Length of the part of an id that is the millisecond. */
const MOMENT_LENGTH = 13;
const TAIL_BEGINS = 24;
const TAILS = 2 ** 48;
/** The largest step between two ids of one millisecond, so that one id does not reveal the next. */
const WIDEST_STEP = 2 ** 24;

let latest = '';

/** Makes an id. Ids increase with time, so sorting by id is sorting by age, also for ids of one millisecond. */
export function newId(): string {
  let id: string = randomUUIDv7();
  while (id <= latest && id.startsWith(latest.slice(0, MOMENT_LENGTH))) {
    id = after(latest) ?? randomUUIDv7();
  }
  latest = id;
  return id;
}

/** A greater id of the same millisecond; null in the rare case that the step exceeds its range. */
function after(id: string): string | null {
  const tail = Number.parseInt(id.slice(TAIL_BEGINS), 16) + 1 + randomInt(WIDEST_STEP);
  if (tail >= TAILS) return null;
  return id.slice(0, TAIL_BEGINS) + tail.toString(16).padStart(12, '0');
}
