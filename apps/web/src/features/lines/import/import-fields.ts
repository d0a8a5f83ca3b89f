import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import type { Mapping } from '@linekeeper/line-files/csv-columns.ts';
import type { LineField } from '@linekeeper/line-files/faults.ts';

const SHOWN_LETTERS = 100;

/**
 * A cell as shown in the preview, shortened. Strips the apostrophe that our own exports put before
 * text a spreadsheet would run as a formula; the reader strips it, too.
 */
export function shownCell(text: string): string {
  const meant = unescapeFormula(text);
  return meant.length > SHOWN_LETTERS ? `${meant.slice(0, SHOWN_LETTERS)}…` : meant;
}

/**
 * Required fields that no column fills; a last day for all rows stands for a column, and lines that are
 * extended have their passwords.
 */
export function missingFields(
  mapping: Mapping,
  { hasLastDay = false, isExtending = false } = {},
): LineField[] {
  const required = isExtending ? (['username'] as const) : (['username', 'password'] as const);
  const needed: LineField[] = required.filter((field) => !mapping.includes(field));
  const hasTerm = (['subscription_months', 'is_trial', 'expiry_date'] as const).some((field) =>
    mapping.includes(field),
  );
  return hasTerm || hasLastDay ? needed : [...needed, 'subscription_months'];
}
