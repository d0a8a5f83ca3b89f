import type { LiveEvent, LiveTable } from '@linekeeper/contract/live.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import type { Connection } from '../db/connect.ts';
import { accountScope, lineScope, type SignedIn } from './access.ts';

/** What the database's triggers send: `ids` or `owners` are null where they were too many to name. */
interface Announcement {
  table: LiveTable;
  op: LiveEvent['op'];
  ids: string[] | null;
  owners: string[] | null;
}

type Revocation = { account_id: string } | { group_id: string } | { session_id: string };

export interface LiveStream {
  actor: SignedIn;
  session_id: string;
  send(event: LiveEvent): void;
  end(): void;
}

/** Carries changes from the database to the event streams of those who may see them. */
export class Live {
  readonly #connection: Connection;
  readonly #streams = new Set<LiveStream>();
  /** Announcements go out in the order they came in, though each asks the database first. */
  #queue: Promise<void> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async start(): Promise<void> {
    // What was announced while the connection was away is lost: browsers that reconnect fetch anew.
    const missedSome = () => this.endAll();
    await this.#connection.listen(
      'linekeeper',
      (payload) => {
        this.#queue = this.#queue.then(() => this.#announce(JSON.parse(payload))).catch(missedSome);
      },
      missedSome,
    );
    await this.#connection.listen('linekeeper_revoked', (payload) =>
      this.#revoke(JSON.parse(payload)),
    );
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** Returns what ends the subscription. */
  add(stream: LiveStream): () => void {
    this.#streams.add(stream);
    return () => this.#streams.delete(stream);
  }

  endAll(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  #revoke(revocation: Revocation): void {
    for (const stream of this.#streams) {
      const isMeant =
        'session_id' in revocation
          ? stream.session_id === revocation.session_id
          : 'account_id' in revocation
            ? stream.actor.id === revocation.account_id
            : stream.actor.group_id === revocation.group_id;
      if (!isMeant) continue;
      this.#streams.delete(stream);
      stream.end();
    }
  }

  async #announce(announcement: Announcement): Promise<void> {
    if (this.#streams.size === 0) return;
    const { table, op, ids, owners } = announcement;
    const above = await this.#accountsConcerned(table, owners);
    // Whose is which of them is not said: those who do not see all are told that there was a change.
    const isMixed = (ids?.length ?? 0) > 1 && (owners?.length ?? 0) > 1;
    for (const { actor, send } of this.#streams) {
      if (!maySee(actor, table, above)) continue;
      const named = isMixed && !seesAll(actor, table) ? null : ids;
      for (const id of named ?? [null]) send({ table, op, id });
    }
  }

  /** null where that is not known or not said. A job is its own account's alone. */
  async #accountsConcerned(
    table: LiveTable,
    owners: string[] | null,
  ): Promise<ReadonlySet<string> | null> {
    if (table === 'jobs') return new Set(owners);
    return owners && owners.length > 0 ? this.#accountsAbove(owners) : null;
  }

  async #accountsAbove(owners: string[]): Promise<Set<string>> {
    const rows = await this.#connection.db
      .selectFrom('account_tree')
      .select('ancestor_id')
      .distinct()
      .where('account_id', 'in', owners)
      .execute();
    return new Set(rows.map((row) => row.ancestor_id));
  }
}

function seesAll(actor: SignedIn, table: LiveTable): boolean {
  switch (table) {
    case 'users':
      return lineScope(actor).sees_all;
    case 'auth_users':
      return accountScope(actor).sees_all;
    case 'jobs':
      return actor.is_admin;
    case 'cccam_servers':
      return true;
  }
}

/** `above`: the accounts in whose subtree the change lies; null where it is nobody's in particular. */
function maySee(actor: SignedIn, table: LiveTable, above: ReadonlySet<string> | null): boolean {
  const mayList = table === 'auth_users' || can(actor, ['view_users']);
  return mayList && (seesAll(actor, table) || above === null || above.has(actor.id));
}
