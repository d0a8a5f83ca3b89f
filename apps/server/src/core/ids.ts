import { randomUUIDv7 } from 'node:crypto';

/** Ids increase with time, so sorting by id is sorting by age. */
export function newId(): string {
  return randomUUIDv7();
}
