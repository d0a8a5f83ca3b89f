import {
  bytesOf,
  MAX_CCCAM_NAME_BYTES,
  type NameProblem,
} from '@linekeeper/contract/fields/line-credentials.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { failField } from '../../platform/errors/refusal.ts';
import type { SignedIn } from '../context/access.ts';
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

/** What keeps a name from a server, in the order in which it is told. */
type Reason = 'long' | 'by_hand' | 'held' | 'shared';
export type NameRefusal = NameProblem | 'USERNAME_EXISTS';

/** A name that is to be given out on a server. */
export type GivenName = Pick<Line, 'server_id' | 'username'>;

export type RefusedName = GivenName & { refusal: NameRefusal };

/** By whom names are given out, and which rules hold. */
export interface NameRules {
  /** To whom names are refused that are there by hand: not to administrators, who bring their customers. */
  actor?: Pick<SignedIn, 'is_admin'> | undefined;
  /** What else does not count. */
  except?: readonly Reason[] | undefined;
  /** The line that has the name, or is going to have it. */
  line_id?: string | undefined;
  /** The server that the names come from: while they stay on its machine, they may be long and shared. */
  from_server_id?: string | undefined;
  /** Lines of this job, and those that were there before it and stayed, shared the names then, too. */
  undone_job_id?: string | undefined;
  /** True if names may share with others of their own server. */
  isElsewhere?: boolean | undefined;
  /** Stored names keep others from giving out what is sent of them, until the transaction ends. */
  isStored?: boolean | undefined;
}

/** SQL condition: the names come from another machine, or to clients that send fewer characters of them. */
const isNewFrom = (from_server_id: string) => sql`not exists (
  select from cccam_servers before
    where before.id = ${from_server_id} and ${isSameMachine('before', 'server')}
      and (server.protocol <> 'CCcam' or before.protocol = 'CCcam'))`;

/** SQL condition: `other` is one of the job's lines, or was there by its name before it and stayed. */
const wasThereAt = (job_id: string) => sql`(
  exists (
    select from job_items item
      where item.job_id = ${job_id} and item.line_id = other.id and item.username = other.username)
  or exists (
    select from jobs job
      where job.id = ${job_id} and other.created_at < job.created_at
        and not exists (
          select from line_pushes push
            where push.line_id = other.id and push.created_at >= job.created_at
              and (push.operation = 'add'
                or (push.server_id, push.username) <> (other.server_id, other.username)))))`;

/** SQL condition: `given` shares what is sent of it with another name on the machine of `server`. */
function isShared({ line_id, undone_job_id, isElsewhere }: NameRules) {
  const isCounted = isElsewhere ? sql`entry.id <> server.id` : sql`true`;
  const wasThere = undone_job_id ? wasThereAt(undone_job_id) : sql`false`;
  return sql`${isLong('given.username')} and (
    exists (
      select from users other join cccam_servers entry on entry.id = other.server_id
        where ${isSameSent} and ${isCounted} and other.id is distinct from ${line_id ?? null}::uuid
          and not ${wasThere})
    or exists (
      select from server_orphans other join cccam_servers entry on entry.id = other.server_id
        where ${isSameSent} and ${isCounted})
    or exists (
      select from cccam_servers entry, unnest(entry.names_by_hand) as other (username)
        where ${isSameSent} and ${isCounted}
          -- One of the operator's own that moves in.
          and given.username <> all (entry.names_by_hand)))`;
}

/** SQL condition: the operator has the name on the machine of its server by hand. */
const isByHand = (server_ids: readonly string[]) => sql`(given.server_id, given.username) in (
  select server.id, unnest(entry.names_by_hand)
    from cccam_servers server join cccam_servers entry on ${isSameMachine('entry', 'server')}
    where server.id in (${sql.join(server_ids)}))`;

/** SQL condition: another line still works by the name on the machine of its server, until that takes its new one. */
const isHeld = (line_id: string | undefined) => sql`exists (
  select from cccam_servers entry join server_accounts former on former.server_id = entry.id
    where ${isSameMachine('entry', 'server')} and former.username = given.username and ${isFormer('former')}
      and former.wanted ->> 'line_id' is distinct from ${line_id ?? null}::text)`;

/** SQL of names as rows. A single one is no list, so that the statement of a sale is planned once (decision 0044). */
function asRows(given: readonly GivenName[]) {
  const [first] = given;
  if (first && given.length === 1)
    return sql`(select ${first.server_id}::uuid as server_id, ${first.username}::text as username)`;
  const servers = given.map(({ server_id }) => server_id);
  const names = given.map(({ username }) => username);
  return sql`unnest(${servers}::uuid[], ${names}::text[])`;
}

/**
 * The names that cannot be given out on their servers, each with what is told first of it, by one statement for all.
 * The unique index refuses names that other lines have, so that stored names are checked once they are the lines'.
 */
export async function checkNames(
  db: Db,
  given: readonly GivenName[],
  rules: NameRules,
): Promise<RefusedName[]> {
  const { from_server_id, actor, line_id, except = [], isStored } = rules;
  const names = given.map(({ username }) => username);
  const servers = [...new Set(given.map(({ server_id }) => server_id))];
  const mayShare = names.some(mayBeShared);
  if (mayShare && isStored) await lockSharedNames(db, servers, names);
  const isNew = from_server_id === undefined ? sql`true` : isNewFrom(from_server_id);
  const isTooLong = sql`server.protocol = 'CCcam'
    and octet_length(given.username) > ${sql.lit(MAX_CCCAM_NAME_BYTES)}`;
  const isByHandCounted = actor?.is_admin === false;
  const reasons: [Reason, boolean, RawBuilder<unknown>, NameRefusal][] = [
    ['long', mayShare, sql`${isNew} and ${isTooLong}`, 'NAME_TOO_LONG_FOR_CCCAM'],
    ['by_hand', isByHandCounted, isByHand(servers), 'USERNAME_EXISTS'],
    ['held', true, isHeld(line_id), 'USERNAME_EXISTS'],
    ['shared', mayShare, sql`${isNew} and ${isShared(rules)}`, 'NAME_SHARES_FIRST_20'],
  ];
  const cases = reasons.flatMap(([reason, isCounted, isSo, refusal]) =>
    isCounted && !except.includes(reason) ? sql`when ${isSo} then ${sql.lit(refusal)}` : [],
  );
  if (names.length === 0 || cases.length === 0) return [];
  const { rows } = await sql<RefusedName>`
    select server_id, username, refusal from (
      select given.server_id, given.username, case ${sql.join(cases, sql` `)} end as refusal
        from ${asRows(given)} as given (server_id, username)
          join cccam_servers server on server.id = given.server_id) as checked
      where refusal is not null`.execute(db);
  return rows;
}

/**
 * Throws the first of the refusals: USERNAME_EXISTS at the name, NAME_TOO_LONG_FOR_CCCAM and NAME_SHARES_FIRST_20 at the
 * field that was changed.
 */
export function refuseName(refused: readonly RefusedName[], field = 'username'): void {
  for (const { refusal } of refused) {
    failField(refusal === 'USERNAME_EXISTS' ? 'username' : field, refusal);
  }
}

/** How many names a refusal spells out. */
const NAMED = 10;

/** Throws NAMES_NOT_FOR_CCCAM with how many names are refused and the first of them. */
export function refuseNames(refused: readonly RefusedName[], field: string): void {
  if (refused.length === 0) return;
  const all = refused.map(({ username }) => username).sort();
  const names = all.slice(0, NAMED).join(', ');
  const more = all.length > NAMED ? ' …' : '';
  failField(field, 'NAMES_NOT_FOR_CCCAM', { count: all.length, names: names + more });
}

/**
 * Keeps others from giving out names with the same first 20 bytes on the machines of these servers
 * until the transaction ends. Names of 20 bytes never share them with each other, so they wait for
 * longer ones only. Called when the names are stored, and before they are compared.
 */
export async function lockSharedNames(
  db: Db,
  server_ids: readonly string[],
  usernames: readonly string[],
): Promise<void> {
  const names = usernames.filter(mayBeShared);
  if (names.length === 0) return;
  // Locked, so that the address stays what it is.
  const servers = await db
    .selectFrom('cccam_servers')
    .select(['machine', 'machine_id'])
    .where('id', 'in', [...new Set(server_ids)])
    .orderBy('id')
    .forKeyShare()
    .execute();
  const isAnyLonger = names.some((name) => bytesOf(name) > MAX_CCCAM_NAME_BYTES);
  const lock = sql.raw(isAnyLonger ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  // A panel of 1.5 beside this one locks by the address.
  const keys = new Set(servers.flatMap(({ machine, machine_id }) => [machine, machine_id]));
  for (const key of [...keys].sort()) {
    await sql`select ${lock}(hashtext(${`names on ${key}`}))`.execute(db);
  }
}

type NamedLine = Pick<Line, 'id' | 'username' | 'server_id'>;

/**
 * Throws NAME_TOO_LONG_FOR_CCCAM, USERNAME_EXISTS and NAME_SHARES_FIRST_20 where a line gets a name, or gets to a server,
 * that does not go with the other.
 */
export async function refuseUnfitChange(
  tx: Tx,
  before: NamedLine,
  { username, server_id }: Omit<NamedLine, 'id'>,
  how: Pick<NameRules, 'actor' | 'except' | 'undone_job_id' | 'isStored'>,
): Promise<void> {
  const isRenamed = username !== before.username;
  if (!isRenamed && server_id === before.server_id) return;
  const from_server_id = isRenamed ? undefined : before.server_id;
  const rules = { line_id: before.id, from_server_id, ...how };
  const refused = await checkNames(tx, [{ server_id, username }], rules);
  refuseName(refused, isRenamed ? 'username' : 'server_id');
}

type Entry = Pick<ServerRow, 'id' | 'protocol' | keyof Machine>;

/**
 * Throws NAMES_NOT_FOR_CCCAM where the lines of a server that was changed have names that do not go with
 * its new protocol, or with the other names on its new machine.
 */
export async function refuseUnfitServer(tx: Tx, before: Entry, after: Entry): Promise<void> {
  const isCccamNow = after.protocol === 'CCcam' && before.protocol !== 'CCcam';
  if (!isCccamNow && before.machine_id === after.machine_id) return;
  const lines = await tx
    .selectFrom('users')
    .select(['username', 'server_id'])
    .where('server_id', '=', after.id)
    .where(isLong('username'))
    .execute();
  const refused = await checkNames(tx, lines, {
    // A machine takes what it has along, however long.
    except: isCccamNow ? ['held'] : ['held', 'long'],
    isElsewhere: !isCccamNow,
    isStored: true,
  });
  refuseNames(refused, isCccamNow ? 'protocol' : 'host_ip');
}

/**
 * Problems of the names of a page. No query is made where no name is longer than a CCcam client
 * sends, which is nearly always.
 */
export async function readNameProblems(
  db: Db,
  rows: readonly NamedLine[],
): Promise<(row: NamedLine) => Line['name_problem']> {
  const long = rows.filter(({ username }) => bytesOf(username) > MAX_CCCAM_NAME_BYTES);
  if (long.length === 0) return () => null;
  const servers = await db
    .selectFrom('cccam_servers')
    .select('id')
    .where('id', 'in', [...new Set(long.map(({ server_id }) => server_id))])
    .where('protocol', '=', 'CCcam')
    .execute();
  const isOn = new Set(servers.map(({ id }) => id));
  const onCccam = long.filter(({ server_id }) => isOn.has(server_id));
  const refused = await checkNames(db, onCccam, { except: ['long', 'held'] });
  const shared = new Set(refused.map(({ username }) => username));
  return ({ username, server_id }) => {
    if (!isOn.has(server_id) || bytesOf(username) <= MAX_CCCAM_NAME_BYTES) return null;
    return shared.has(username) ? 'NAME_SHARES_FIRST_20' : 'NAME_TOO_LONG_FOR_CCCAM';
  };
}
