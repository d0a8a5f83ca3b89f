import type { Finding } from '@linekeeper/contract/findings.ts';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { ServerAccountsTable, ServerRow } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { isReached } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import type { Reachable } from './open-driver.ts';
import type { Machine } from './same-machine.ts';
import { isDue } from './server-accounts.ts';

/** Longer than any attempt, so an expired lease means that its holder died. */
const LEASE_SECONDS = 15;
const FIRST_RETRY_SECONDS = 2;
const LAST_RETRY_SECONDS = 20;

/** A push leased to this panel, with the server's settings at that time. */
export type Claim = Pick<
  Selectable<ServerAccountsTable>,
  'server_id' | 'username' | 'wanted' | 'operation' | 'on_server' | 'revision' | 'attempts' | 'sold'
> & {
  lease: string;
  /** The line whose row of before this is, or was delivered last, and its password then, encrypted. */
  left: { line_id: string; password: string } | null;
  /** Encrypted password of the wanted line. */
  line_password: string | null;
  /** The name of before of the line, whose row its server still has. */
  formerly: string | null;
  server: Pick<ServerRow, keyof Reachable | keyof Machine | 'failures' | 'status'> & {
    /** Whether its API told of itself what only an agent does. */
    is_agent: boolean;
  };
};

/** SQL condition: the next try of a due push has been reached. */
export const isTimeToTry = isReached(sql.ref('next_try_at'), LAST_RETRY_SECONDS);
/** SQL condition: no attempt is running. */
export const isUnclaimed = sql<boolean>`(claimed_until is null
  or ${isReached(sql.ref('claimed_until'), LEASE_SECONDS)})`;

const leased = sql`
      set claimed_until = clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

/** SQL columns that an attempt needs besides the push itself. */
const readBeside = (wanted: RawBuilder<unknown>, username: RawBuilder<unknown>) => sql`
        (select users.password from users
          where users.id = (${wanted} ->> 'line_id')::uuid) as line_password,
        (select former.username from server_accounts former
          where former.left_password is not null
            and former.left_password ->> 'line_id' = coalesce(${wanted} ->> 'line_id',
              -- Of a suspended line nothing is wanted.
              (select line.id::text from users line
                where line.server_id = server.id and line.username = ${username}))
            and former.server_id = server.id and former.username <> ${username}
          order by former.wanted_since limit 1) as formerly,
        json_build_object('id', server.id, 'host_ip', server.host_ip, 'api_port', server.api_port,
          'machine', server.machine, 'instance', server.instance,
          'api_scheme', server.api_scheme, 'username', server.username,
          'password', server.password, 'kind', server.kind,
          'tls_fingerprint', server.tls_fingerprint,
          'plain_http_allowed', server.plain_http_allowed, 'failures', server.failures,
          'status', server.status,
          'is_agent', coalesce(server.instance, server.zone) is not null) as server`;

/** The line whose row this was, and the push of the name that it has now. */
const lineOfRow = sql`users line
      join server_accounts now_named on now_named.server_id = line.server_id
        and now_named.username = line.username
      where line.id = (server_accounts.left_password ->> 'line_id')::uuid
        and line.server_id = server_accounts.server_id
        and now_named.wanted is not null and now_named.revision > now_named.synced_revision`;

/**
 * The line that had this name here before it was moved, and that its new server has not taken yet. A name
 * that was sold again since it was deleted here is another line's.
 */
const movedAndNotTaken = sql`select from users line
      join server_accounts there on there.server_id = line.server_id and there.username = line.username
      where line.username = server_accounts.username and line.server_id <> server_accounts.server_id
        and line.created_at <= server_accounts.wanted_since
        and there.wanted is not null and there.revision > there.synced_revision`;

/**
 * SQL condition: no other push must come first. A moved line works on its old server until the new one has
 * taken it. A renamed line gets its new name before the row of the old one is deleted: it works all the
 * time, under the old name as long as the new one is refused. Another line that has been given the old name
 * is pushed after that, too. A suspended line has no new row: its change
 * is complete once the old row is deleted.
 */
export const isInTurn = sql<SqlBool>`(server_accounts.left_password is null
    or server_accounts.left_password ->> 'line_id' = server_accounts.wanted ->> 'line_id'
    or not exists (
      select from ${lineOfRow}
        and (server_accounts.wanted is null
          or (now_named.last_finding is null and now_named.left_password is null))))
  and (server_accounts.wanted is not null or not exists (
    select from users line
      join server_accounts former on former.server_id = line.server_id
        and former.left_password ->> 'line_id' = line.id::text
      where line.server_id = server_accounts.server_id
        and line.username = server_accounts.username and former.left_password is not null
        and former.username <> line.username
        and former.wanted is null and former.last_finding is null))
  and (server_accounts.wanted is not null or not exists (${movedAndNotTaken}))`;

/** `seen_revision` is the revision at the moment of which everything beside the row was read. */
type Leased = Claim & { seen_revision: Claim['revision'] };

const returningClaim = sql`
      returning server_accounts.server_id, server_accounts.username, server_accounts.wanted, server_accounts.operation,
        server_accounts.on_server, server_accounts.revision, server_accounts.attempts,
        server_accounts.sold, server_accounts.left_password as left,
        server_accounts.claimed_until::text as lease,
        (select seen.revision from server_accounts seen
          where seen.server_id = server_accounts.server_id
            and seen.username = server_accounts.username) as seen_revision,
        ${readBeside(sql.ref('server_accounts.wanted'), sql.ref('server_accounts.username'))}`;

/**
 * A lease may have waited until a change of the push was committed. It has the changed row then, but
 * password and server as they were before, with which the old would count as delivered. Those are read
 * again; null if the server is gone.
 */
async function completed(db: Db, { seen_revision, ...claim }: Leased): Promise<Claim | null> {
  if (seen_revision === claim.revision) return claim;
  const wanted = sql`cast(${claim.wanted && JSON.stringify(claim.wanted)} as jsonb)`;
  const { rows } = await sql<Pick<Claim, 'line_password' | 'formerly' | 'server'>>`
    select ${readBeside(wanted, sql`${claim.username}::text`)} from cccam_servers server where server.id = ${claim.server_id}`.execute(
    db,
  );
  return rows[0] ? { ...claim, ...rows[0] } : null;
}

/**
 * Leases up to `limit` due pushes that match `condition` to this panel, and reads all data needed
 * for an attempt.
 */
export async function claimPushes(
  db: Db,
  condition: ReturnType<typeof sql>,
  limit: number,
): Promise<Claim[]> {
  const claiming = sql<Leased>`
    with due as materialized (
      select server_id, username from server_accounts
        where ${isDue}
          and ${isUnclaimed}
          and ${isInTurn}
          and ${condition}
        order by next_try_at limit ${limit} for update skip locked)
    update server_accounts ${leased}
      from due join cccam_servers server on server.id = due.server_id
      where server_accounts.server_id = due.server_id
        and server_accounts.username = due.username
      ${returningClaim}`;
  const { rows } = await claiming.execute(db);
  const claims = await Promise.all(rows.map((leased) => completed(db, leased)));
  return claims.filter((claim) => claim !== null);
}

const leaseOne = compiledQuery(['server_id', 'username'], (db, { server_id, username }) => ({
  compile: () =>
    sql<Leased>`
        update server_accounts ${leased}
          from cccam_servers server
          where server.id = server_accounts.server_id
            and server_accounts.server_id = ${server_id}
            and server_accounts.username = ${username} and ${isDue} and ${isUnclaimed}
            and ${isInTurn}
          ${returningClaim}`.compile(db),
}));

/**
 * Leases the due push of one account, after a change to it that is being committed. null if it is not
 * due, or leased already.
 */
export async function claimOne(
  db: Db,
  account: Pick<Claim, 'server_id' | 'username'>,
): Promise<Claim | null> {
  const [found] = await leaseOne(db, account);
  return found ? completed(db, found) : null;
}

function held({ server_id, username, lease }: Pick<Claim, 'server_id' | 'username' | 'lease'>) {
  return sql<boolean>`server_id = ${server_id} and username = ${username}
    and claimed_until = cast(${lease} as timestamptz)`;
}

/** Adds the push that `kept` returns to the history of its line, unless the line was deleted. */
const intoHistory = (kept: RawBuilder<unknown>, id: string, values: RawBuilder<unknown>) => sql`
  with kept as (${kept})
  insert into line_pushes (id, line_id, owner_id, server_id, username, operation, took_ms,
      ok, failures, finding)
    select cast(${id} as uuid), line.id, line.owner_id, kept.server_id, kept.username,
        kept.operation,
        greatest(0, extract(epoch from clock_timestamp() - kept.wanted_since) * 1000)::bigint,
        ${values}
      from kept join users line on line.id = coalesce((kept.wanted ->> 'line_id')::uuid,
        -- Deleted here: the line was moved to another server.
        (select id from users where users.username = kept.username))`;

const markSynced = compiledQuery(
  ['id', 'server_id', 'username', 'lease', 'revision', 'on_server', 'failures'],
  (db, { id, revision, on_server, failures, ...claim }) => ({
    compile: () =>
      intoHistory(
        sql`update server_accounts
          set synced_revision = ${revision}, on_server = ${on_server}, attempts = 0,
            claimed_until = null, last_finding = null, left_password = null, updated_at = now()
          where ${held(claim)}
          returning server_id, username, wanted, operation, wanted_since`,
        id,
        sql`true, cast(${failures} as integer), null::jsonb`,
      ).compile(db),
  }),
);

/** A push that is not final stays due, because more is wanted now than was delivered. */
export async function recordSuccess(db: Db, claim: Claim, isFinal: boolean): Promise<void> {
  const { server_id, username, lease, attempts } = claim;
  const revision = isFinal ? claim.revision : claim.revision - 1;
  const on_server = claim.wanted !== null;
  const about = { server_id, username, lease, revision, on_server };
  await markSynced(db, { id: newId(), failures: attempts, ...about });
  // An account that is neither wanted nor present needs no row.
  if (on_server) return;
  await db
    .deleteFrom('server_accounts')
    .where('server_id', '=', claim.server_id)
    .where('username', '=', claim.username)
    .where('wanted', 'is', null)
    .whereRef('revision', '=', 'synced_revision')
    .execute();
}

/** Gives back an attempt that was not made. */
export async function postpone(db: Db, claim: Claim): Promise<void> {
  await sql`update server_accounts
    set claimed_until = null, next_try_at = now() + make_interval(secs => ${FIRST_RETRY_SECONDS})
    where ${held(claim)}`.execute(db);
}

/** Schedules the next try. Only the first failure of a push goes into the line's history. */
export async function recordFailure(db: Db, claim: Claim, finding: Finding): Promise<void> {
  const wait = Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** claim.attempts);
  const text = JSON.stringify(finding);
  const kept = sql`update server_accounts
    set attempts = attempts + 1, next_try_at = now() + make_interval(secs => ${wait}),
      claimed_until = null, last_finding = ${text}::jsonb, updated_at = now()
    where ${held(claim)}
    returning server_id, username, wanted, operation, wanted_since`;
  const isFirst = claim.attempts === 0;
  await (isFirst ? intoHistory(kept, newId(), sql`false, 0, ${text}::jsonb`) : kept).execute(db);
}

/** Why the row that the line has by its name of before is still there; undefined if it is gone. */
export async function findLeftRow(db: Db, { server_id, formerly }: Claim) {
  if (formerly === null) return undefined;
  return db
    .selectFrom('server_accounts')
    .select(['operation', 'last_finding'])
    .where('server_id', '=', server_id)
    .where('username', '=', formerly)
    .where('left_password', 'is not', null)
    .executeTakeFirst();
}

/**
 * Drops the deletion of a name of which the server never took anything, and whose row there is therefore of
 * a customer of the operator's: the line was only moved there, and is gone again. False for any other.
 */
export async function dropNeverTaken(db: Db, claim: Claim): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('server_accounts')
    .where(held(claim))
    .where('revision', '=', claim.revision)
    .where('wanted', 'is', null)
    .where('synced_revision', '=', 0)
    .where(
      // An OSCam lists accounts of the operator's own as well, which the panel may have been told to remove; and what
      // it has of the panel's is known by mark or password, so that this is not.
      sql<SqlBool>`(not on_server and left_password is null or exists (select from cccam_servers
        where id = server_accounts.server_id and kind = 'oscam_webif'))`,
    )
    .where(
      sql<SqlBool>`not exists (select from users where users.server_id = server_accounts.server_id
        and users.username = server_accounts.username)`,
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
