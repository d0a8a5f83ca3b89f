import type { LineColumn } from '@linekeeper/contract/preferences.ts';

type Column = LineColumn | 'select' | 'renew' | 'more';

const widths: Record<Column, number> = {
  select: 50,
  password: 126,
  expiry: 214,
  status: 96,
  server: 160,
  owner: 112,
  name: 144,
  company: 144,
  email: 176,
  notes: 192,
  added: 104,
  term: 104,
  renew: 66,
  more: 44,
};

/** Where words are longer. */
const longer: Record<string, Partial<Record<Column, number>>> = {
  de: { expiry: 220, status: 106, server: 168, owner: 112, renew: 94 },
  pl: { expiry: 236, status: 106, server: 168, owner: 112, renew: 78 },
  pt: { expiry: 220, server: 168, owner: 112, renew: 80 },
};

/** What is left is for the username, */
export const LEAST_USERNAME = 160;
/** and more where the table scrolls anyway. */
export const SCROLLED_USERNAME = 208;

export function columnWidth(column: Column, language: string): number {
  return longer[language]?.[column] ?? widths[column];
}

/** Narrower than this, the table scrolls. */
export function leastWidth(shown: readonly LineColumn[], language: string): number {
  const all: Column[] = ['select', ...shown, 'renew', 'more'];
  return all.reduce((sum, column) => sum + columnWidth(column, language), LEAST_USERNAME);
}
