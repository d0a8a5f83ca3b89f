import type { StatusItem } from '@linekeeper/contract/fields/line-fields.ts';

/** The suspension of a line, which is off its server until it is resumed. */
export interface StoredSuspension {
  /** The account that suspended the line; null for the panel itself, and if it was not recorded. */
  by_id: string | null;
  reason: string | null;
  at: string;
  /** The first label before the suspension, which is restored with the line. */
  label: StatusItem;
  /** The account whose ban suspended the line; lifting that ban may resume it. */
  ban_of?: string;
  /** Time when the panel resumes the line. Only automatic suspensions have it. */
  until?: string;
  /** The panel's reason for the suspension. */
  cause?: 'sharing';
}
