import type { StatusItem } from '@linekeeper/contract/fields/line-fields.ts';

/** A line that was taken off its server until it is resumed. */
export interface StoredSuspension {
  /** null where the migration found the label. */
  by_id: string | null;
  reason: string | null;
  at: string;
  /** The first label before; it comes back with the line. */
  label: StatusItem;
  /** The account whose ban suspended the line; lifting that ban may resume it. */
  ban_of?: string;
}
