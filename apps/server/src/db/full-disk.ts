/**
 * read_only_sql_transaction, for a change while space is low, and disk_full, for one during which
 * space ran out.
 */
const CODES = ['25006', '53100'];

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.includes(String(error.code));
}
