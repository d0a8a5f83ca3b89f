import {
  bytesOf,
  isSentWhole,
  MAX_CCCAM_NAME_BYTES,
} from '@linekeeper/contract/fields/line-credentials.ts';
import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { failField } from '../../platform/errors/refusal.ts';
import { isSameMachine, type Machine } from '../machines/same-machine.ts';
import { isFormer } from '../machines/server-accounts.ts';

/**
 * A CCcam client sends the first 20 bytes of a username, and the card server compares only these. Therefore
 * a new name on a CCcam server is not longer, and does not share its first 20 bytes with another name on that
 * machine. Longer names may stay if they are older than this rule, or are adopted from a card server.
 */

/** Shorter names share nothing with others. */
function mayBeShared(username: string): boolean {
  return bytesOf(username) >= MAX_CCCAM_NAME_BYTES;
}

const isLong = (name: string) =>
  sql<SqlBool>`octet_length(${sql.ref(name)}) >= ${sql.lit(MAX_CCCAM_NAME_BYTES)}`;

/** SQL condition: the name of the line is longer than a client of its server sends. */
export const hasLongName = sql<SqlBool>`octet_length(users.username) > ${sql.lit(MAX_CCCAM_NAME_BYTES)}
  and users.server_id in (select id from cccam_servers where protocol = 'CCcam')`;

/** SQL condition: `other`, a name of `entry`, has the first 20 bytes of `given` on the machine of `server`. */
const isSameSent = sql<SqlBool>`${isLong('other.username')}
  and sent_name(other.username) = sent_name(given.username)
  and other.username <> given.username
  and ${isSameMachine('entry', 'server')}
  and 'CCcam' in (server.protocol, entry.protocol)`;

interface Except {
  /** A line that is going to have another name. */
  line_id?: string | undefined;
  /** True if only names of other servers count. */
  isElsewhere?: boolean;
  /** Lines of a job, and those that were there before it and stayed: they shared the names then, too. */
  job_id?: string;
}

/** The given names that share their first 20 bytes with another one on the machine of a server. */
export async function findSharedNames(
  db: Db,
  server_id: string,
  usernames: readonly string[],
  { line_id, isElsewhere = false, job_id }: Except = {},
): Promise<Set<string>> {
  const names = usernames.filter(mayBeShared);
  if (names.length === 0) return new Set();
  const isCounted = sql<SqlBool>`(not ${isElsewhere}::boolean or entry.id <> server.id)`;
  const { rows } = await sql<{ username: string }>`
    select given.username from cccam_servers server, unnest(${names}::text[]) as given (username)
      where server.id = ${server_id} and (
        exists (
          select from users other join cccam_servers entry on entry.id = other.server_id
            where ${isSameSent} and ${isCounted} and other.id is distinct from ${line_id ?? null}::uuid
              and not exists (
                select from job_items item
                  where item.job_id = ${job_id ?? null}::uuid and item.line_id = other.id
                    and item.username = other.username)
              and not exists (
                select from jobs job
                  where job.id = ${job_id ?? null}::uuid and other.created_at < job.created_at
                    and not exists (
                      select from line_pushes push
                        where push.line_id = other.id and push.operation = 'add'
                          and push.created_at >= job.created_at)))
        or exists (
          select from server_orphans other join cccam_servers entry on entry.id = other.server_id
            where ${isSameSent} and ${isCounted})
        or exists (
          select from cccam_servers entry, unnest(entry.names_by_hand) as other (username)
            where ${isSameSent} and ${isCounted}
              -- One of the operator's own that moves in.
              and given.username <> all (entry.names_by_hand)))`.execute(db);
  return new Set(rows.map(({ username }) => username));
}

/** The given names that the operator of a server's machine has there by hand. */
export async function findNamesByHand(
  db: Db,
  server_id: string,
  usernames: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ username: string }>`
    select username from unnest(${usernames}::text[]) as given (username)
      where username in (
        select unnest(entry.names_by_hand)
          from cccam_servers server join cccam_servers entry on ${isSameMachine('entry', 'server')}
          where server.id = ${server_id})`.execute(db);
  return new Set(rows.map(({ username }) => username));
}

/** The given names by which other lines still work on a server's machine, until it takes their new ones. */
export async function findHeldNames(
  db: Db,
  server_id: string,
  usernames: readonly string[],
  line_id: string | null = null,
): Promise<Set<string>> {
  const { rows } = await sql<{ username: string }>`
    select former.username
      from cccam_servers server join cccam_servers entry on ${isSameMachine('entry', 'server')}
        join server_accounts former on former.server_id = entry.id
          and former.username = any(${usernames}::text[])
      where server.id = ${server_id} and ${isFormer('former')}
        and former.wanted ->> 'line_id' is distinct from ${line_id}::text`.execute(db);
  return new Set(rows.map(({ username }) => username));
}

/** Throws USERNAME_EXISTS for a name by which another line still works there. Called once the name is the line's. */
export async function refuseHeldName(
  tx: Tx,
  { id, username, server_id }: { id: string; username: string; server_id: string },
): Promise<void> {
  const held = await findHeldNames(tx, server_id, [username], id);
  if (held.size > 0) failField('username', 'USERNAME_EXISTS');
}

/**
 * Throws USERNAME_EXISTS for a name that the operator has there by hand: the line would never work. Not to
 * administrators, who bring customers of other panels with their names.
 */
export async function refuseNameByHand(
  db: Db,
  { is_admin }: { is_admin: boolean },
  username: string,
  server_id: string,
): Promise<void> {
  if (is_admin) return;
  const byHand = await findNamesByHand(db, server_id, [username]);
  if (byHand.size > 0) failField('username', 'USERNAME_EXISTS');
}

/**
 * Keeps others from giving out names with the same first 20 bytes on the machines of these servers
 * until the transaction ends. Names of 20 bytes never share them with each other, so they wait for
 * longer ones only. Called when the names are stored, and before they are compared.
 */
export async function lockSharedNames(
  tx: Tx,
  server_ids: readonly string[],
  usernames: readonly string[],
): Promise<void> {
  const names = usernames.filter(mayBeShared);
  if (names.length === 0) return;
  // Locked, so that the address stays what it is.
  const servers = await tx
    .selectFrom('cccam_servers')
    .select('machine_id')
    .where('id', 'in', [...new Set(server_ids)])
    .orderBy('id')
    .forKeyShare()
    .execute();
  const isAnyLonger = names.some((name) => bytesOf(name) > MAX_CCCAM_NAME_BYTES);
  const lock = sql.raw(isAnyLonger ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  for (const machine_id of [...new Set(servers.map((server) => server.machine_id))].sort()) {
    await sql`select ${lock}(hashtext(${`names on ${machine_id}`}))`.execute(tx);
  }
}

/** Throws NAME_TOO_LONG_FOR_CCCAM where clients of the server would not send the whole name. */
export function refuseLongName(
  username: string,
  { protocol }: Pick<ServerRow, 'protocol'>,
  field = 'username',
): void {
  if (!isSentWhole(username, protocol)) failField(field, 'NAME_TOO_LONG_FOR_CCCAM');
}

/** Throws NAME_SHARES_FIRST_20 where another name on the machine of the server has the same first 20 bytes. */
export async function refuseSharedName(
  db: Db,
  username: string,
  server_id: string,
  field = 'username',
): Promise<void> {
  const shared = await findSharedNames(db, server_id, [username]);
  if (shared.size > 0) failField(field, 'NAME_SHARES_FIRST_20');
}

/** `refuseSharedName` for a stored name, under a lock, so that of two stored side by side one is refused. */
export async function refuseStoredName(
  tx: Tx,
  username: string,
  server_id: string,
  field = 'username',
): Promise<void> {
  await lockSharedNames(tx, [server_id], [username]);
  await refuseSharedName(tx, username, server_id, field);
}

type Entry = Pick<ServerRow, 'id' | 'protocol' | keyof Machine>;

/** True if names meet other names on the new machine, or clients that send fewer characters of them. */
function entersNewNamespace(from: Entry, to: Entry): boolean {
  return (
    from.machine_id !== to.machine_id || (to.protocol === 'CCcam' && from.protocol !== 'CCcam')
  );
}

interface NameOnServer {
  username: string;
  server_id: string;
}

/** The server whose names the changed line must go with; null if neither its name nor its namespace changes. */
async function readNewNamespace(
  tx: Tx,
  before: NameOnServer,
  after: NameOnServer,
): Promise<Entry | null> {
  const entries = await tx
    .selectFrom('cccam_servers')
    .select(['id', 'protocol', 'machine_id'])
    .where('id', 'in', [before.server_id, after.server_id])
    .execute();
  const [from, to] = [before, after].map((one) => entries.find(({ id }) => id === one.server_id));
  if (!from || !to) return null;
  return before.username !== after.username || entersNewNamespace(from, to) ? to : null;
}

/**
 * Throws NAME_SHARES_FIRST_20 if a line, which the undo of a job has just moved back, shares its first 20
 * characters with a name that was given out since. The line's own name may be of any length: it was there.
 */
export async function refuseTakenName(
  tx: Tx,
  before: NameOnServer,
  after: NameOnServer,
  undoneJobId: string,
): Promise<void> {
  if (before.server_id === after.server_id || !mayBeShared(after.username)) return;
  await lockSharedNames(tx, [after.server_id], [after.username]);
  if (!(await readNewNamespace(tx, before, after))) return;
  const except = { job_id: undoneJobId };
  const shared = await findSharedNames(tx, after.server_id, [after.username], except);
  if (shared.size > 0) failField('server_id', 'NAME_SHARES_FIRST_20');
}

/**
 * Throws where a line gets a name, or gets to a server, that does not go with the other. A planned
 * change is only looked at; one that is stored keeps others from what it gives out.
 */
export async function refuseUnfitChange(
  tx: Tx,
  before: NameOnServer,
  after: NameOnServer,
  progress: 'planned' | 'stored',
): Promise<void> {
  const isRenamed = before.username !== after.username;
  const isMoved = before.server_id !== after.server_id;
  if (!(isRenamed || isMoved) || !mayBeShared(after.username)) return;
  if (progress === 'stored') await lockSharedNames(tx, [after.server_id], [after.username]);
  const to = await readNewNamespace(tx, before, after);
  if (!to) return;
  const field = isRenamed ? 'username' : 'server_id';
  refuseLongName(after.username, to, field);
  await refuseSharedName(tx, after.username, after.server_id, field);
}

/** How many names a refusal spells out. */
const NAMED = 10;

/** Throws NAMES_NOT_FOR_CCCAM with how many they are and the first of them. */
function refuseNames(field: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const first = [...names].sort().slice(0, NAMED);
  const more = names.length > NAMED ? ' …' : '';
  failField(field, 'NAMES_NOT_FOR_CCCAM', { count: names.length, names: first.join(', ') + more });
}

/** Throws NAMES_NOT_FOR_CCCAM unless all of these names, which have just been moved there, go with the server. */
export async function refuseUnfitNames(
  tx: Tx,
  from: Entry,
  to: Entry,
  usernames: readonly string[],
  field: string,
): Promise<void> {
  if (!entersNewNamespace(from, to)) return;
  await lockSharedNames(tx, [to.id], usernames);
  const shared = await findSharedNames(tx, to.id, usernames);
  refuseNames(
    field,
    usernames.filter((name) => !isSentWhole(name, to.protocol) || shared.has(name)),
  );
}

/**
 * Throws NAMES_NOT_FOR_CCCAM where the lines of a server that was changed have names that do not go with
 * its new protocol, or with the other names on its new machine.
 */
export async function refuseUnfitServer(tx: Tx, before: Entry, after: Entry): Promise<void> {
  if (!entersNewNamespace(before, after)) return;
  const lines = await tx
    .selectFrom('users')
    .select('username')
    .where('server_id', '=', after.id)
    .where(isLong('username'))
    .execute();
  const names = lines.map(({ username }) => username);
  const isCccamNow = after.protocol === 'CCcam' && before.protocol !== 'CCcam';
  await lockSharedNames(tx, [after.id], names);
  const shared = await findSharedNames(tx, after.id, names, { isElsewhere: !isCccamNow });
  refuseNames(
    isCccamNow ? 'protocol' : 'host_ip',
    names.filter((name) => (isCccamNow && !isSentWhole(name, 'CCcam')) || shared.has(name)),
  );
}
