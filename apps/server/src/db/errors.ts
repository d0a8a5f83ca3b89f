/** The code of an error, PostgreSQL's or the operating system's; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** True if the database refused a row because of one of these constraints. */
export function violates(error: unknown, ...constraints: string[]): boolean {
  return (
    error instanceof Error &&
    'constraint' in error &&
    constraints.includes(String(error.constraint))
  );
}

/**
 * True for the two errors of a full disk: read_only_sql_transaction, which refuses a change while space is low, and
 * disk_full, which rolls back a change during which space ran out.
 */
export function isDiskFull(error: unknown): boolean {
  return ['25006', '53100'].includes(codeOf(error));
}

/** True for PostgreSQL's error `disk_full`, and for no other lack of resources. */
export function isOutOfSpace(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** Runs an update that the caller can do without; returns false if the disk was too full for it. */
export async function unlessDiskIsFull(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (isDiskFull(error)) return false;
    throw error;
  }
}

/** PostgreSQL's class 22: a value that its type does not have, such as the date in a forged cursor. */
export function isInvalidValue(error: unknown): boolean {
  return codeOf(error).startsWith('22');
}

/** True for a deadlock or a serialization failure. The transaction has changed nothing, and a retry may succeed. */
export function isConflict(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error));
}

/** PostgreSQL's errors after which a retry may succeed: no connection, no resources, shutdown, I/O. */
const PASSING = /^(08|53|57|58030)/;
/** Codes with which PostgreSQL refuses sessions until an operator fixes its roles, passwords or databases. */
const NO_SESSION = /^(28|3D000)/;
const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'];
const LOST = /Connection terminated|is not queryable|timeout exceeded when trying to connect/;

/** True if the database cannot be reached or refuses the session; the statement may succeed later. */
export function isDatabaseAway(error: Error): boolean {
  const code = codeOf(error);
  return (
    PASSING.test(code) ||
    NO_SESSION.test(code) ||
    UNREACHABLE.includes(code) ||
    LOST.test(error.message)
  );
}
