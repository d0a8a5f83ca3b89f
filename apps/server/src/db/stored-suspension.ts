import type { StatusItem } from '@linekeeper/contract/fields/line-fields.ts';

/** A line that was taken off its server until it is resumed. */
export interface StoredSuspension {
  /** null where the migration found the label, and for the panel itself. */
  by_id: string | null;
  reason: string | null;
  at: string;
  /** The first label before; it comes back with the line. */
  label: StatusItem;
  /** The account whose ban suspended the line; lifting that ban may resume it. */
  ban_of?: string;
  /** The moment at which the panel resumes the line by itself; only what the panel has suspended has one. */
  until?: string;
  /** The cause for which the panel has suspended the line. */
  cause?: 'sharing';
}
