import type { Day } from '../dates.ts';
import { endNamedIn } from './day-in-comment.ts';
import { UnreadableRow } from './faults.ts';
import { endedWordIn, offWordIn } from './states.ts';

/**
 * Refuses a running line whose note says that it is off, or has ended without a past day. The author of the note
 * meant something, and the file does not say what. Throws an UnreadableRow.
 */
export function refuseOffInNotes(notes: string, expiry: Day | null, today: Day): void {
  const off = offWordIn(notes);
  if (off !== null) throw new UnreadableRow('notes', 'STATE_IN_NOTES', { text: off });
  const ended = endedWordIn(notes);
  if (ended === null || (expiry !== null && expiry < today)) return;
  throw new UnreadableRow('notes', 'STATE_ENDED', { text: ended });
}

/** Refuses a row without a last day if one of its texts has a day. Throws an UnreadableRow. */
export function refuseEndElsewhere(text: string, today: Day): void {
  const end = endNamedIn(text, today);
  if (end !== null) throw new UnreadableRow('expiry_date', 'DAY_ELSEWHERE', { text: end });
}
