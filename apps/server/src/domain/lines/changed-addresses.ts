import { enteredLines, mustChange, namedLine } from '@linekeeper/contract/lines/receivers.ts';
import { type SqlBool, sql } from 'kysely';
import { furtherLines } from '../../db/lines-of-server.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import type { Cell } from '../../platform/paging/csv.ts';
import {
  type Addressed,
  defaultHostPort,
  type Reached,
  reachedColumns,
} from '../machines/servers.ts';
import { notify } from '../notices/notify.ts';

/** Lines named in a notification; the others are counted. */
const NAMED = 10;

/** SQL condition on a row of `job_items`: the customer of its line must change the receiver. */
export const isReaddressed = sql<SqlBool>`(state = 'done' and after is not null
  and before -> 'receivers' is distinct from after -> 'receivers')`;

/** The C and N lines that a customer enters, before and after a change, with placeholders for name and password. */
export interface ChangedLines {
  old_lines: string[];
  new_lines: string[];
}

const linesOn = (server: Reached, host_port: readonly string[]) =>
  enteredLines(server, host_port.length > 0 ? host_port : [defaultHostPort(server)]);

/** A line's addresses with those of the old server replaced by those of the new one. */
export function addressesAt(host_port: readonly string[], left: Addressed, target: Addressed) {
  return host_port.map((address) =>
    address === defaultHostPort(left) ? defaultHostPort(target) : address,
  );
}

/**
 * The changed C and N lines; null if the customer has to change nothing. If a line has several addresses, only those
 * that differ are included.
 */
function changedLines(
  left: Reached,
  target: Reached,
  before: readonly string[],
  after: readonly string[],
): ChangedLines | null {
  const [old_lines, new_lines] = [linesOn(left, before), linesOn(target, after)];
  if (!mustChange(old_lines, new_lines)) return null;
  if (before.length < 2 || before.length !== after.length) return { old_lines, new_lines };
  const differ = before.map((address, index) =>
    mustChange(linesOn(left, [address]), linesOn(target, after.slice(index, index + 1))),
  );
  const differing = (addresses: readonly string[]) => addresses.filter((_, index) => differ[index]);
  return {
    old_lines: linesOn(left, differing(before)),
    new_lines: linesOn(target, differing(after)),
  };
}

type PlacedLine = { server_id: string; host_port: string[] };
export type ServersById = ReadonlyMap<string, Reached>;

/** Reads the addresses of all servers for customers; there are few servers. */
export async function readReached(db: Db): Promise<ServersById> {
  const servers = await db
    .selectFrom('cccam_servers')
    .select([...reachedColumns, 'id'])
    .execute();
  return new Map(servers.map((server) => [server.id, server]));
}

/** True if the line is on another server or has other addresses. */
const isReplaced = (before: PlacedLine, after: PlacedLine) =>
  before.server_id !== after.server_id || String(before.host_port) !== String(after.host_port);

/** The C and N lines of a line before and after a change; undefined if server and addresses stay. */
export function changedReceiverLines(
  servers: ServersById,
  before: PlacedLine,
  after: PlacedLine,
): ChangedLines | null | undefined {
  if (!isReplaced(before, after)) return undefined;
  const [left, target] = [servers.get(before.server_id), servers.get(after.server_id)];
  return left && target ? changedLines(left, target, before.host_port, after.host_port) : null;
}

/** The change of C and N lines that all lines with the same list of addresses share. */
export interface EnteredAt extends ChangedLines {
  host_port: string[];
}

/**
 * Addresses of a server's lines, without those of lines from another server, which have that
 * server's addresses. Locked lines keep theirs until the transaction ends.
 */
async function readAddresses(db: Db, server_id: string, lock: 'lock' | 'read' = 'read') {
  const locked = lock === 'lock' ? sql`order by id for no key update` : sql``;
  const { rows } = await sql<{ host_port: string[] }>`
    with found as materialized (select host_port from users where server_id = ${server_id} ${locked})
    select distinct host_port from found
    union select '{}' where exists (select from ${furtherLines(sql`${server_id}::uuid`)} as further)`.execute(
    db,
  );
  return rows.map(({ host_port }) => host_port);
}

type FoundServer = Reached & { id: string };

const changedAt = (left: Reached, target: Reached, host_port: readonly string[]) =>
  changedLines(left, target, host_port, addressesAt(host_port, left, target));

/** The addresses of a server's lines whose customers must change the receiver once the server is as `target`. */
export async function readEntered(
  db: Db,
  left: FoundServer,
  target: Reached,
): Promise<EnteredAt[]> {
  return (await readAddresses(db, left.id)).flatMap((host_port) => {
    const changed = changedAt(left, target, host_port);
    return changed ? [{ host_port, ...changed }] : [];
  });
}

/**
 * A list of addresses that some locked lines of a server share, with their C and N lines before and after; both are
 * null if their customers change nothing.
 */
export interface LockedAt {
  host_port: string[];
  old_lines: string[] | null;
  new_lines: string[] | null;
}

/**
 * Locks the lines of a server and returns the C and N lines of their customers for each list of addresses: those of
 * now, and those after the server becomes `target`.
 */
export async function lockReceiverLines(
  tx: Tx,
  left: FoundServer,
  target: Reached,
): Promise<LockedAt[]> {
  const nothing = { old_lines: null, new_lines: null };
  return (await readAddresses(tx, left.id, 'lock')).map((host_port) => ({
    host_port,
    ...(changedAt(left, target, host_port) ?? nothing),
  }));
}

/** The C and N lines at the server's own address, as both the former and the new ones. */
export async function receiverLinesNow(db: Db, server: FoundServer): Promise<EnteredAt[]> {
  return (await readAddresses(db, server.id))
    .filter((host_port) => host_port.length === 0 || host_port.includes(defaultHostPort(server)))
    .map((host_port) => {
      const lines = linesOn(server, host_port);
      return { host_port, old_lines: lines, new_lines: lines };
    });
}

interface ReaddressedLine extends ChangedLines {
  owner_id: string;
  line_id: string;
  username: string;
  server_id: string;
}

/** Notifies an owner that customers of `lines`, which are all of this account, need new receiver settings. */
export async function notifyOwner(
  tx: Tx,
  lines: readonly ReaddressedLine[],
  link: string,
): Promise<void> {
  const [first] = lines;
  if (!first) return;
  const { owner_id, old_lines, new_lines } = first;
  const isAlike = (field: keyof ReaddressedLine) =>
    lines.every((line) => String(line[field]) === String(first[field]));
  const areSame = isAlike('old_lines') && isAlike('new_lines');
  await notify(tx, [
    {
      event: 'address_changed',
      facts: {
        count: lines.length,
        named: lines.slice(0, NAMED).map(({ username }) => username),
        entered: areSame ? { old_lines, new_lines } : null,
      },
      account_id: owner_id,
      link,
    },
  ]);
}

/** Notifies each owner of lines whose C or N lines the job changed, once, in the transaction that ends the job. */
export async function notifyOwnersOfJob(tx: Tx, jobId: string, actorId: string): Promise<void> {
  const rows = await tx
    .selectFrom('job_items')
    .innerJoin('users', 'users.id', 'job_items.line_id')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .select(['users.owner_id', 'users.id as line_id', 'users.username', 'users.server_id'])
    .select(['job_items.before', 'job_items.after'])
    .where('job_items.job_id', '=', jobId)
    .where(isReaddressed)
    .where('users.owner_id', '!=', actorId)
    .where('owner.banned', '=', false)
    .orderBy('users.username')
    .execute();
  const toTell = rows.map(
    ({ before, after, ...line }): ReaddressedLine => ({
      ...line,
      ...linesOfRow(before, after),
    }),
  );
  for (const lines of Map.groupBy(toTell, ({ owner_id }) => owner_id).values()) {
    await notifyOwner(tx, lines, `/users/tell/${jobId}`);
  }
}

type RowFields = Record<string, unknown> | null;

/** Changed C and N lines of a job's item. */
export function linesOfRow(before: RowFields, after: RowFields): ChangedLines {
  const stored = (fields: RowFields) =>
    Array.isArray(fields?.receivers) ? (fields.receivers as string[]) : [];
  return { old_lines: stored(before), new_lines: stored(after) };
}

export const customerColumns = ['username', 'name', 'owner_email', 'notes', 'old', 'new'] as const;

interface Customer extends ChangedLines {
  username: string;
  name: string | null;
  owner_email: string;
  notes: string | null;
}

/** A customer's cells in the CSV: both C and N lines, with a placeholder for the password. */
export function customerCells(customer: Customer): Cell[] {
  const { username, name, owner_email, notes, old_lines, new_lines } = customer;
  const [old = '', next = ''] = [old_lines, new_lines].map((lines) =>
    lines.map((line) => namedLine(line, username)).join('\n'),
  );
  return [username, name, owner_email, notes, old, next];
}
