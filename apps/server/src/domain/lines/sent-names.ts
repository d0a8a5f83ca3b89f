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
import { readServersOf } from './places.ts';

/**
 * A CCcam client sends the first 20 bytes of a username, and the card server compares only these. Therefore
 * a new name on a CCcam server is not longer, and does not share its first 20 bytes with another name on that
 * machine. Longer names may stay if they are older than this rule, or are adopted from a card server.
 */

/** True for names of at least 20 bytes. Shorter names cannot be equal to others in their first 20 bytes. */
function mayBeShared(username: string): boolean {
  return bytesOf(username) >= MAX_CCCAM_NAME_BYTES;
}

/** SQL condition that corresponds to `mayBeShared`. */
export const mayBeSharedColumn = (name: string) =>
  sql<SqlBool>`octet_length(${sql.ref(name)}) >= ${sql.lit(MAX_CCCAM_NAME_BYTES)}`;

/** SQL condition: the name of the line is longer than a client of its server sends. */
export const hasLongName = sql<SqlBool>`octet_length(users.username) > ${sql.lit(MAX_CCCAM_NAME_BYTES)}
  and users.server_id in (select id from cccam_servers where protocol = 'CCcam')`;

/** SQL condition: `other`, a name of `entry`, has the first 20 bytes of `given` on the machine of `server`. */
const isSameSent = sql<SqlBool>`${mayBeSharedColumn('other.username')}
  and sent_name(other.username) = sent_name(given.username)
  and other.username <> given.username
  and ${isSameMachine('entry', 'server')}
  and 'CCcam' in (server.protocol, entry.protocol)`;

export type NameRefusal = NameProblem | 'USERNAME_EXISTS';

/** A name that a line has, or is to have, on a server. */
export interface GivenName extends Pick<Line, 'server_id' | 'username'> {
  /** The line's id; undefined for a new line. */
  line_id?: string | undefined;
  /** The former server of the line. As long as it stays on that machine, its name may be long and shared. */
  from_server_id?: string;
}

export type RefusedName = Pick<GivenName, 'server_id' | 'username'> & { refusal: NameRefusal };

/** The account that chooses a name. Only administrators may use names that the operator wrote into a server's files. */
type Actor = Pick<SignedIn, 'is_admin'> | undefined;

/** A refusal of a name, and the SQL condition under which it is refused. */
type Rule = readonly [NameRefusal, RawBuilder<unknown>];

/**
 * SQL condition: the name comes from another machine, or from a protocol whose clients send more than 20 bytes of it.
 */
const isNewThere = sql`(given.from_server_id is null or not exists (
  select from cccam_servers before
    where before.id = given.from_server_id and ${isSameMachine('before', 'server')}
      and (server.protocol <> 'CCcam' or before.protocol = 'CCcam')))`;

const isLong: Rule = [
  'NAME_TOO_LONG_FOR_CCCAM',
  sql`server.protocol = 'CCcam'
    and octet_length(given.username) > ${sql.lit(MAX_CCCAM_NAME_BYTES)} and ${isNewThere}`,
];

/**
 * The rule that the first 20 bytes of the name must not be another name's on the machine. `entry` and `line` are SQL
 * conditions on the entries and lines that count.
 */
function isShared({ entry = sql`true`, line = sql`true` } = {}): Rule {
  const isSo = sql`${mayBeSharedColumn('given.username')} and ${isNewThere} and (
    exists (
      select from users other
          join cccam_servers entry on entry.id in (
            select at from servers_of(other.server_id, other.plan_id) as at)
        where ${isSameSent} and ${entry} and other.id is distinct from given.line_id
          and ${line})
    or exists (
      select from server_orphans other join cccam_servers entry on entry.id = other.server_id
        where ${isSameSent} and ${entry})
    or exists (
      select from cccam_servers entry, unnest(entry.names_by_hand) as other (username)
        where ${isSameSent} and ${entry}
          -- One of the operator's own that moves in.
          and given.username <> all (entry.names_by_hand)))`;
  return ['NAME_SHARES_FIRST_20', isSo];
}

/** SQL condition: `other` is neither one of the job's lines nor a name that was there before the job and stayed. */
const isSinceJob = (job_id: string) => sql`not exists (
    select from job_items item
      where item.job_id = ${job_id} and item.line_id = other.id and item.username = other.username)
  and not exists (
    select from jobs job
      where job.id = ${job_id} and other.created_at < job.created_at
        and not exists (
          select from line_pushes push
            where push.line_id = other.id and push.created_at >= job.created_at
              and (push.operation = 'add'
                or (push.server_id, push.username) <> (other.server_id, other.username))))`;

/** The rule that no other line may still use the name on the machine because its new name has not been accepted. */
const isHeld: Rule = [
  'USERNAME_EXISTS',
  sql`exists (
    select from cccam_servers entry join server_accounts former on former.server_id = entry.id
      where ${isSameMachine('entry', 'server')} and former.username = given.username and ${isFormer('former')}
        and former.of_line is distinct from given.line_id)`,
];

/**
 * Rules: no account with the name belongs to another line on the machine or, except for
 * administrators, to the operator.
 */
function foreignAccount(actor: Actor, given: readonly GivenName[]): Rule[] {
  if (actor?.is_admin !== false) return [isHeld];
  const servers = [...new Set(given.map(({ server_id }) => server_id))];
  const isByHand = sql`(given.server_id, given.username) in (
    select server.id, unnest(entry.names_by_hand)
      from cccam_servers server join cccam_servers entry on ${isSameMachine('entry', 'server')}
      where server.id in (${sql.join(servers)}))`;
  return [['USERNAME_EXISTS', isByHand], isHeld];
}

/**
 * SQL of names as rows. A single name is not passed as a list, so that a sale's statement is
 * planned once: statements with lists are planned at each call.
 */
function asRows(given: readonly GivenName[]) {
  const [first] = given;
  if (first && given.length === 1) {
    const { server_id, username, line_id = null, from_server_id = null } = first;
    return sql`(select ${server_id}::uuid as server_id, ${username}::text as username,
      ${line_id}::uuid as line_id, ${from_server_id}::uuid as from_server_id)`;
  }
  const servers = given.map(({ server_id }) => server_id);
  const names = given.map(({ username }) => username);
  const lines = given.map(({ line_id = null }) => line_id);
  const from = given.map(({ from_server_id = null }) => from_server_id);
  return sql`unnest(${servers}::uuid[], ${names}::text[], ${lines}::uuid[], ${from}::uuid[])`;
}

/** The names that break rules, each with the refusal of the first broken rule, found by one statement. */
async function check(
  db: Db,
  given: readonly GivenName[],
  rules: readonly Rule[],
): Promise<RefusedName[]> {
  const mayShare = given.some(({ username }) => mayBeShared(username));
  const cases = rules
    .filter(([refusal]) => mayShare || refusal === 'USERNAME_EXISTS')
    .map(([refusal, isSo]) => sql`when ${isSo} then ${sql.lit(refusal)}`);
  if (given.length === 0 || cases.length === 0) return [];
  const { rows } = await sql<RefusedName>`
    select server_id, username, refusal from (
      select given.server_id, given.username, case ${sql.join(cases, sql` `)} end as refusal
        from ${asRows(given)} as given (server_id, username, line_id, from_server_id)
          join cccam_servers server on server.id = given.server_id) as checked
      where refusal is not null`.execute(db);
  return rows;
}

/**
 * Checks whether lines may have these names there. Returns the refused ones, new or kept from before. A unique index
 * already refuses names of other lines, so this is called once the names are stored.
 */
export const checkNames = (db: Db, actor: Actor, given: readonly GivenName[]) =>
  check(db, given, [isLong, ...foreignAccount(actor, given), isShared()]);

/** Checks whether an account with this name belongs to someone else. Returns the refused names, with machines. */
export const checkAccounts = (db: Db, actor: Actor, given: readonly GivenName[]) =>
  check(db, given, foreignAccount(actor, given));

/**
 * Checks names against the 20 bytes that CCcam clients send. Returns those that are longer, and those that begin with the
 * same 20 bytes as another name on their server.
 */
export const checkSentNames = (db: Db, given: readonly GivenName[]) =>
  check(db, given, [isLong, isShared()]);

/**
 * Throws the first of the refusals, if there is one: USERNAME_EXISTS at the name, NAME_TOO_LONG_FOR_CCCAM and
 * NAME_SHARES_FIRST_20 at the field that was changed.
 */
export function refuseName(refused: readonly RefusedName[], field = 'username'): void {
  for (const { refusal } of refused) {
    failField(refusal === 'USERNAME_EXISTS' ? 'username' : field, refusal);
  }
}

/** Names that a refusal lists, at most. */
const NAMED = 10;

/** Throws NAMES_NOT_FOR_CCCAM, with the number of refused names and the first of them, if there are any. */
export function refuseNames(refused: readonly RefusedName[], field: string): void {
  if (refused.length === 0) return;
  const all = refused.map(({ username }) => username).sort();
  const names = all.slice(0, NAMED).join(', ');
  const more = all.length > NAMED ? ' …' : '';
  failField(field, 'NAMES_NOT_FOR_CCCAM', { count: all.length, names: names + more });
}

/**
 * Prevents others from using names with the same first 20 bytes on the machines of these servers
 * until the transaction ends. Two names of exactly 20 bytes never have these in common, so they
 * wait only for longer ones. Called when the names are stored, before they are compared.
 */
export async function lockSharedNames(db: Db, stored: readonly GivenName[]): Promise<void> {
  const given = stored.filter(({ username }) => mayBeShared(username));
  if (given.length === 0) return;
  // The servers are locked, so that their machines stay the same.
  const servers = await db
    .selectFrom('cccam_servers')
    .select('machine_id')
    .where('id', 'in', [...new Set(given.map(({ server_id }) => server_id))])
    .orderBy('id')
    .forKeyShare()
    .execute();
  const isAnyLonger = given.some(({ username }) => bytesOf(username) > MAX_CCCAM_NAME_BYTES);
  const lock = sql.raw(isAnyLonger ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  const machines = new Set(servers.map(({ machine_id }) => machine_id));
  for (const machine of [...machines].sort()) {
    await sql`select ${lock}(hashtext(${`names on ${machine}`}))`.execute(db);
  }
}

type NamedLine = Pick<Line, 'id' | 'username' | 'server_id'>;
type PlannedName = NamedLine & Pick<Line, 'plan_id'>;

/** Throws the errors of `refuseName` if a stored change brought a line to a server where its name cannot be used. */
async function refuseChange(
  tx: Tx,
  before: PlannedName,
  after: PlannedName,
  find: (given: readonly GivenName[]) => Promise<RefusedName[]>,
): Promise<void> {
  const { username, server_id } = after;
  const isRenamed = username !== before.username;
  if (!isRenamed && server_id === before.server_id && after.plan_id === before.plan_id) return;
  const serversOf = await readServersOf(tx);
  const had = isRenamed ? [] : serversOf(before);
  const from = isRenamed ? {} : { from_server_id: before.server_id };
  const given = serversOf(after)
    .filter((id) => !had.includes(id))
    .map((id) => ({ server_id: id, username, line_id: before.id, ...from }));
  await lockSharedNames(tx, given);
  refuseName(await find(given), isRenamed ? 'username' : 'server_id');
}

/** Checks a new name, server or plan of a line. Throws NAME_TOO_LONG_FOR_CCCAM, USERNAME_EXISTS and NAME_SHARES_FIRST_20. */
export const refuseUnfitChange = (tx: Tx, actor: Actor, before: PlannedName, after: PlannedName) =>
  refuseChange(tx, before, after, (given) => checkNames(tx, actor, given));

/**
 * Checks whether a line can return to its state before the job. Throws USERNAME_EXISTS, and NAME_SHARES_FIRST_20 unless
 * the other lines shared the name then, too.
 */
export const refuseUnfitUndo = (tx: Tx, job_id: string, before: PlannedName, after: PlannedName) =>
  refuseChange(tx, before, after, (given) =>
    check(tx, given, [isHeld, isShared({ line: isSinceJob(job_id) })]),
  );

/**
 * Refuses to resume a line whose username shares its first 20 bytes with another line on the card server, which was
 * added while it was suspended. Throws NAME_SHARES_FIRST_20.
 */
export async function refuseUnfitResumption(tx: Tx, line: PlannedName): Promise<void> {
  const { id: line_id, username } = line;
  const servers = (await readServersOf(tx))(line);
  const given = servers.map((server_id) => ({ server_id, username, line_id }));
  await lockSharedNames(tx, given);
  refuseName(await check(tx, given, [isShared()]));
}

type Entry = Pick<ServerRow, 'id' | 'protocol' | keyof Machine>;

/**
 * Checks that the lines of a changed server keep usable names, with its new protocol and with the other names on its
 * new machine. Throws NAMES_NOT_FOR_CCCAM.
 */
export async function refuseUnfitServer(tx: Tx, before: Entry, after: Entry): Promise<void> {
  const isCccamNow = after.protocol === 'CCcam' && before.protocol !== 'CCcam';
  if (!isCccamNow && before.machine_id === after.machine_id) return;
  const lines = await tx
    .selectFrom('users')
    .select(['username', 'server_id'])
    .where('server_id', '=', after.id)
    .where(mayBeSharedColumn('username'))
    .execute();
  await lockSharedNames(tx, lines);
  // The names that come with the machine may stay, no matter how long they are.
  const isSharedElsewhere = isShared({ entry: sql`entry.id <> server.id` });
  const refused = isCccamNow
    ? await checkSentNames(tx, lines)
    : await check(tx, lines, [isSharedElsewhere]);
  refuseNames(refused, isCccamNow ? 'protocol' : 'host_ip');
}

/**
 * Name problems of the lines on a page. Makes no query if no name is longer than a CCcam client sends, which is nearly
 * always so.
 */
export async function readNameProblems(
  db: Db,
  rows: readonly NamedLine[],
): Promise<(row: NamedLine) => Line['name_problem']> {
  const long = rows.filter(({ username }) => bytesOf(username) > MAX_CCCAM_NAME_BYTES);
  const [shares, isSo] = isShared();
  const isSharedHere: Rule = [shares, sql`server.protocol = 'CCcam' and ${isSo}`];
  const refused = await check(db, long, [isSharedHere, isLong]);
  const keyOf = ({ server_id, username }: GivenName) => `${server_id} ${username}`;
  const problems = new Map(refused.map((one) => [keyOf(one), one.refusal as NameProblem]));
  return (row) => problems.get(keyOf(row)) ?? null;
}
