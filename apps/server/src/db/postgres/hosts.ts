import pg from 'pg';

// A password may have a comma, too: it ends with the @ before the hosts.
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^@/?]*,[^@/?]*)((?:[/?].*)?)$/s;

/** Splits a connection string with several hosts, as libpq accepts it, into one for each host. */
export function eachHost(connectionString: string): string[] {
  const [, start = '', hosts = '', rest = ''] = SEVERAL.exec(connectionString) ?? [];
  if (hosts === '') return [connectionString];
  return hosts.split(',').map((host) => start + host + rest);
}

/**
 * The servers of one database: a primary, and standbys, one of which replaces a lost primary. The
 * client of pg supports only one host.
 */
export class DatabaseHosts {
  readonly count: number;
  readonly #addresses: readonly string[];
  #chosen = 0;

  constructor(connectionString: string) {
    this.#addresses = eachHost(connectionString);
    this.count = this.#addresses.length;
  }

  /** Connection string of the server that was the primary last, or is to be tried next. */
  get address(): string {
    return this.#addresses[this.#chosen] as string;
  }

  /** Switches to the next server, unless another caller who found this one lost has already done so. */
  passOver(address: string): void {
    if (address === this.address) this.#chosen = (this.#chosen + 1) % this.count;
  }
}

/**
 * Host, port and database of a connection string, such as `127.0.0.1:5432/linekeeper`, to be logged: user and password
 * are left out. Throws if the string cannot be read.
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

/** The server is not available, or refuses the session, for example because of its password or a missing database. */
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
