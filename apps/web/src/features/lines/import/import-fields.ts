import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';
import type { Mapping } from '@linekeeper/line-files/csv-columns.ts';
import type { LineField } from '@linekeeper/line-files/faults.ts';

const SHOWN_LETTERS = 100;

/**
 * A cell as shown in the preview, shortened, without the apostrophe that the panel's exports put
 * before a text which a spreadsheet would run as a formula; the reader removes it, too.
 */
export function shownCell(text: string): string {
  const meant = unescapeFormula(text);
  return meant.length > SHOWN_LETTERS ? `${meant.slice(0, SHOWN_LETTERS)}…` : meant;
}

/**
 * Required fields without a column. An expiry date for all rows replaces its column, and renewed
 * lines have passwords already.
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
