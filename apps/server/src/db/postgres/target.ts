import pg from 'pg';
import { eachHost } from './hosts.ts';

/**
 * Where a connection string leads, without user and password: `127.0.0.1:5432/linekeeper`. Throws if it
 * cannot be read.
 */
export function databaseTarget(connectionString: string): string {
  const clients = eachHost(connectionString).map(
    (address) => new pg.Client({ connectionString: address }),
  );
  const hosts = clients.map(({ host, port }) => `${host}:${port}`).join(',');
  return `${hosts}/${clients[0]?.database ?? ''}`;
}

function sentenceOf(error: unknown): string {
  // When all addresses of a name fail, Node puts the messages into the inner errors.
  if (error instanceof AggregateError && !error.message) return sentenceOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The server is not there, or refuses the session: for its password or a missing database, say. */
export class CannotConnect extends Error {
  readonly reason: string;

  constructor(connectionString: string, cause: unknown) {
    const reason = sentenceOf(cause);
    super(
      `The database at ${databaseTarget(connectionString)}, which DATABASE_URL names, cannot be used: ${reason}`,
      { cause },
    );
    this.reason = reason;
  }
}
