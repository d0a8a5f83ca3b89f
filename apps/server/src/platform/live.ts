import {
  BACK_MARGIN_MS,
  type LiveEvent,
  type LiveTable,
  liveRules,
} from '@linekeeper/contract/live.ts';
import { type Actor, can } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import type { Connection } from '../db/connect.ts';
import { newId } from './ids.ts';

/**
 * Payload of the database triggers' NOTIFY; `ids` or `owners` are null if there were too many to
 * list.
 */
interface Announcement {
  table: LiveTable;
  op: LiveEvent['op'];
  ids: string[] | null;
  owners: string[] | null;
  /** True if the change concerns every account. */
  everyone?: boolean;
}

type Revocation = { account_id: string } | { group_id: string } | { session_id: string };

interface Listener extends Actor {
  id: string;
  group_id: string;
}

export interface LiveStream {
  actor: Listener;
  /** Id of the session or API key that opened the stream. */
  session_id: string;
  send(event: LiveEvent): void;
  end(): void;
}

/**
 * Streams of one account, at most. The tabs of a browser share one, so an account with more must be a faulty script.
 */
const MOST_OF_ONE_ACCOUNT = 20;

/** Milliseconds for which announcements are kept for pages that are just opening; their number is limited, too. */
const KEPT_MS = 60_000;
const MOST_KEPT = 1000;

/** The hub that passes changes of the database on to the event streams of the accounts that may see them. */
export class Live {
  readonly #connection: Connection;
  readonly #streams = new Set<LiveStream>();
  readonly #probes = new Map<string, () => void>();
  /**
   * A chain of promises that sends announcements in order, although each one queries the database
   * first.
   */
  #queue: Promise<void> = Promise.resolve();
  #recent: { at: number; announcement: Announcement }[] = [];
  /** The time since which `#recent` is complete, on the monotonic clock. */
  #wholeSince = Number.POSITIVE_INFINITY;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async start(): Promise<void> {
    // Announcements made while the connection was lost are missing, so all streams end: browsers
    // reconnect and refetch everything.
    const missedSome = () => {
      this.#wholeSince = performance.now();
      this.endAll();
    };
    await this.#connection.listen(
      'linekeeper',
      (payload) => {
        const announcement: Announcement = JSON.parse(payload);
        this.#keep(announcement);
        this.#queue = this.#queue
          .then(() => this.#announce(announcement, this.#streams))
          .catch(missedSome);
      },
      missedSome,
    );
    this.#wholeSince = performance.now();
    await this.#connection.listen('linekeeper_revoked', (payload) =>
      this.#revoke(JSON.parse(payload)),
    );
    await this.#connection.listen('linekeeper_probe', (payload) => this.#probes.get(payload)?.());
  }

  /** True if a notification that is sent now arrives within `ms`. */
  async probe(ms: number): Promise<boolean> {
    const id = newId();
    let timer: NodeJS.Timeout | undefined;
    const heard = new Promise<boolean>((resolve) => {
      this.#probes.set(id, () => resolve(true));
      timer = setTimeout(() => resolve(false), ms);
    });
    try {
      await sql`select pg_notify('linekeeper_probe', ${id})`.execute(this.#connection.db);
      return await heard;
    } finally {
      clearTimeout(timer);
      this.#probes.delete(id);
    }
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  hasRoomFor(accountId: string): boolean {
    const own = [...this.#streams].filter(({ actor }) => actor.id === accountId);
    return own.length < MOST_OF_ONE_ACCOUNT;
  }

  /** Returns a function that removes the stream. */
  add(stream: LiveStream): () => void {
    this.#streams.add(stream);
    return () => this.#streams.delete(stream);
  }

  #keep(announcement: Announcement): void {
    const now = performance.now();
    this.#recent.push({ at: now, announcement });
    const oldest = this.#recent.length - MOST_KEPT;
    this.#recent = this.#recent.filter(({ at }, index) => index >= oldest && now - at <= KEPT_MS);
    if (oldest > 0) this.#wholeSince = Math.max(this.#wholeSince, this.#recent[0]?.at ?? now);
  }

  /** Sends the announcements since the page was opened; false if some of them are unknown. */
  catchUp(stream: LiveStream, backMs: number): boolean {
    const from = performance.now() - backMs - BACK_MARGIN_MS;
    const isKnown = backMs + BACK_MARGIN_MS <= KEPT_MS && from >= this.#wholeSince;
    if (!isKnown) return false;
    const missed = this.#recent.filter(({ at }) => at >= from);
    for (const { announcement } of missed) {
      this.#queue = this.#queue
        .then(() => this.#announce(announcement, [stream]))
        .catch(() => stream.end());
    }
    return true;
  }

  endAll(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  #revoke(revocation: Revocation): void {
    for (const stream of this.#streams) {
      const { session_id, actor } = stream;
      const ids = { session_id, account_id: actor.id, group_id: actor.group_id };
      const isRevoked = Object.entries(revocation).every(
        ([name, id]) => ids[name as keyof typeof ids] === id,
      );
      if (!isRevoked) continue;
      this.#streams.delete(stream);
      stream.end();
    }
  }

  async #announce(announcement: Announcement, streams: Iterable<LiveStream>): Promise<void> {
    if (this.#streams.size === 0) return;
    const { table, op, ids, owners, everyone = false } = announcement;
    const above = await this.#accountsConcerned(table, owners);
    // The announcement does not show which owner has which row, so accounts that do not see all
    // rows only learn that something changed.
    const isMixed = (ids?.length ?? 0) > 1 && (owners?.length ?? 0) > 1;
    for (const { actor, send } of streams) {
      if (!maySee(actor, table, everyone ? null : above)) continue;
      const named = isMixed && !seesAll(actor, table) ? null : ids;
      for (const id of named ?? [null]) send({ table, op, id });
    }
  }

  /** The accounts that may see a change; null if that does not depend on owners, or if the owners are unknown. */
  async #accountsConcerned(
    table: LiveTable,
    owners: string[] | null,
  ): Promise<ReadonlySet<string> | null> {
    if (liveRules[table].ownHeardBy === 'owner') return new Set(owners);
    if (!owners || owners.length === 0) return null;
    const rows = await this.#connection.db
      .selectFrom('account_tree')
      .select('ancestor_id')
      .distinct()
      .where('account_id', 'in', owners)
      .execute();
    return new Set(rows.map((row) => row.ancestor_id));
  }
}

function seesAll(actor: Listener, table: LiveTable): boolean {
  const { allHeardBy } = liveRules[table];
  return allHeardBy !== null && can(actor, allHeardBy);
}

/**
 * True if the account may see a change. `above` contains the accounts whose subtree the change is
 * in; null if it has no particular owner.
 */
function maySee(actor: Listener, table: LiveTable, above: ReadonlySet<string> | null): boolean {
  const hears = can(actor, liveRules[table].heardBy);
  return hears && (seesAll(actor, table) || above === null || above.has(actor.id));
}
