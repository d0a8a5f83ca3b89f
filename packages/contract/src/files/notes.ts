import type { Day } from '../dates.ts';
import { endSaidIn } from './day-in-comment.ts';
import { UnreadableRow } from './faults.ts';
import { endedIn, offIn } from './states.ts';

/**
 * Refuses a running line of which its note says that it is off, or has ended and no day before today says
 * when. Whoever wrote so meant something, and nobody else knows what. Throws an UnreadableRow.
 */
export function refuseOffInNotes(notes: string, expiry: Day | null, today: Day): void {
  const off = offIn(notes);
  if (off !== null) throw new UnreadableRow('notes', 'STATE_IN_NOTES', { text: off });
  const ended = endedIn(notes);
  if (ended === null || (expiry !== null && expiry < today)) return;
  throw new UnreadableRow('notes', 'STATE_ENDED', { text: ended });
}

/** Refuses a row without a day if its note names one: no other day may take its place. Throws an UnreadableRow. */
export function refuseEndInNotes(notes: string, today: Day): void {
  const text = endSaidIn(notes, today);
  if (text !== null) throw new UnreadableRow('expiry_date', 'DAY_IN_NOTES', { text });
}
