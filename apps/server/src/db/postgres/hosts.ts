// A password may hold a comma, too: it ends with the @ before the hosts.
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^@/?]*,[^@/?]*)((?:[/?].*)?)$/s;

/** One connection string for each host; libpq's form `postgres://user@one:5432,two:5432/name`. */
export function eachHost(connectionString: string): string[] {
  const [, start = '', hosts = '', rest = ''] = SEVERAL.exec(connectionString) ?? [];
  if (hosts === '') return [connectionString];
  return hosts.split(',').map((host) => start + host + rest);
}

/**
 * The servers of one database: a primary, and standbys one of which takes its place when it is lost.
 * pg's own client knows one host only.
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

  /** Goes on to the next server, unless somebody else who found this one lost has done so. */
  passOver(address: string): void {
    if (address === this.address) this.#chosen = (this.#chosen + 1) % this.count;
  }
}
