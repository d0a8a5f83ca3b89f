/** Classes and codes of PostgreSQL after which a retry may succeed: no connection, no resources, shutdown, I/O. */
const PASSING = /^(08|53|57|58030)/;
/** It refuses sessions until somebody mends its roles, passwords or databases. */
const NO_SESSION = /^(28|3D000)/;
const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'];
const LOST = /Connection terminated|is not queryable|timeout exceeded when trying to connect/;

/** The database cannot be reached, or takes no session; the same may succeed later. */
export function isDatabaseAway(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return (
    PASSING.test(code) ||
    NO_SESSION.test(code) ||
    UNREACHABLE.includes(code) ||
    LOST.test(error.message)
  );
}
