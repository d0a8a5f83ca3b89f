import { randomUUIDv7 } from 'node:crypto';

/** Ids rise with time, so a page sorted by id is sorted by age. */
export function newId(): string {
  return randomUUIDv7();
}
