import type { Finding } from '@linekeeper/contract/findings.ts';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { ServerAccountsTable, ServerRow } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { Reachable } from '../machines/open-driver.ts';
import { isSameMachine, type Machine } from '../machines/same-machine.ts';
import { isDue, isFormer, wantedAgain } from '../machines/server-accounts.ts';

/** Longer than any attempt, so an expired lease means that its holder died. */
export const LEASE_SECONDS = 15;
const FIRST_RETRY_SECONDS = 2;
export const LAST_RETRY_SECONDS = 20;

/** The account that the machine should have under a name, running or switched off; its password is encrypted. */
export interface Target {
  kind: 'present' | 'suspended';
  line_id: string;
  expiry_date: string;
  password: string;
}

/** A push leased to this panel, with the server's settings at that time. */
export type Claim = Pick<
  Selectable<ServerAccountsTable>,
  | 'server_id'
  | 'username'
  | 'wanted'
  | 'operation'
  | 'on_server'
  | 'is_unanswered'
  | 'revision'
  | 'attempts'
  | 'of_line'
> & {
  lease: string;
  /** The line whose row of before this is, or was delivered last, and its password then, encrypted. */
  left: { line_id: string; password: string } | null;
  target: Target | null;
  /** The former name of the line, whose account its server still has. */
  formerly: string | null;
  /** Whether the line works by an account under a former name or on a former server. */
  has_former: boolean;
  server: Pick<ServerRow, keyof Reachable | keyof Machine | 'failures' | 'status'> & {
    /** Whether its API told of itself what only an agent does. */
    is_agent: boolean;
  };
};

/** SQL condition: the next try of a due push has been reached. */
export const isTimeToTry = sql<boolean>`next_try_at <= now()`;
/** SQL condition: no attempt is running. */
export const isUnclaimed = sql<boolean>`(claimed_until is null or claimed_until <= now())`;

/** A lease that was not given back is of a panel that died: its attempt may have brought the account there. */
const leased = sql`
      set is_unanswered = server_accounts.is_unanswered or server_accounts.claimed_until is not null,
        claimed_until = clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`;

/** SQL id of the line whose account this is; null for a former account. Of a suspended line nothing is wanted. */
const lineNow = (wanted: RawBuilder<unknown>, username: RawBuilder<unknown>) => sql`
  case when (${wanted} ->> 'is_former') is null then coalesce(${wanted} ->> 'line_id',
    (select line.id::text from users line
      where line.server_id = server.id and line.username = ${username})) end`;

/**
 * SQL object of the account that the machine should have under this name; null if none. A name that is not wanted here may
 * be another entry's of the same machine, and a suspended line's is switched off where accounts of such lines stay.
 */
const readTarget = (wanted: RawBuilder<unknown>, username: RawBuilder<unknown>) => sql`
        coalesce(
          (select json_build_object('kind', case when (${wanted} ->> 'is_suspended') is null then 'present' else 'suspended' end,
              'line_id', line.id, 'expiry_date', ${wanted} ->> 'expiry_date', 'password', line.password)
            from users line where line.id = (${wanted} ->> 'line_id')::uuid),
          (select json_build_object('kind', case when line.suspension is null then 'present' else 'suspended' end,
              'line_id', line.id, 'expiry_date', line.expiry_date, 'password', line.password)
            from users line join cccam_servers entry on entry.id = line.server_id
            where line.username = ${username} and ${isSameMachine('entry', 'server')}
              and (line.suspension is not null or entry.id <> server.id)
            order by line.suspension is not null limit 1))`;

/** SQL columns that an attempt needs besides the push itself. */
const readBeside = (wanted: RawBuilder<unknown>, username: RawBuilder<unknown>) => sql`
        ${readTarget(wanted, username)} as target,
        coalesce(
          (select former.username from server_accounts former
            where ${isFormer('former')} and former.wanted ->> 'line_id' = ${lineNow(wanted, username)}
              and former.server_id = server.id and former.username <> ${username}),
          (select former.username from server_accounts former
            where former.left_password is not null
              and former.left_password ->> 'line_id' = ${lineNow(wanted, username)}
              and former.server_id = server.id and former.username <> ${username}
            order by former.wanted_since limit 1)) as formerly,
        exists (select from server_accounts former
          where ${isFormer('former')} and former.wanted ->> 'line_id' = ${lineNow(wanted, username)}) as has_former,
        json_build_object('id', server.id, 'host_ip', server.host_ip, 'api_port', server.api_port,
          'machine_id', server.machine_id,
          'api_scheme', server.api_scheme, 'username', server.username,
          'password', server.password, 'kind', server.kind,
          'tls_fingerprint', server.tls_fingerprint,
          'plain_http_allowed', server.plain_http_allowed, 'failures', server.failures,
          'status', server.status,
          'is_agent', coalesce(server.instance, server.zone) is not null) as server`;

/**
 * SQL condition: no other push must come first. A name that passes from one line to another (`left_password` says whose
 * account it may still be) waits until its former line has its new name, unless the card server has refused that one or
 * that one waits itself.
 */
export const isInTurn = sql<SqlBool>`(server_accounts.left_password is null
    or server_accounts.wanted is null
    or not exists (
      select from server_accounts ahead
        where ahead.of_line = (server_accounts.left_password ->> 'line_id')::uuid
          and ahead.of_line <> server_accounts.of_line
          and ahead.server_id = server_accounts.server_id
          and ahead.wanted is not null and not ${isFormer('ahead')}
          and ahead.revision > ahead.synced_revision
          and ahead.last_finding is null and ahead.left_password is null))`;

/** `seen_revision` is the revision at the moment of which everything beside the row was read. */
type Leased = Claim & { seen_revision: Claim['revision'] };

const returningClaim = sql`
      returning server_accounts.server_id, server_accounts.username, server_accounts.wanted, server_accounts.operation,
        server_accounts.on_server, server_accounts.is_unanswered, server_accounts.revision, server_accounts.attempts,
        server_accounts.of_line, server_accounts.left_password as left,
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
  const { rows } = await sql<Pick<Claim, 'target' | 'formerly' | 'has_former' | 'server'>>`
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

/**
 * The account that the machine should have by now under the name of a claim. The name may have been sold by another entry of the
 * machine while it was deleted here.
 */
export async function readTargetNow(db: Db, { server, username }: Claim): Promise<Target | null> {
  const { rows } = await sql<{ target: Target | null }>`
    select ${readTarget(sql`null::jsonb`, sql`${username}::text`)} as target
      from cccam_servers server where server.id = ${server.id}`.execute(db);
  return rows[0]?.target ?? null;
}

function held({ server_id, username, lease }: Pick<Claim, 'server_id' | 'username' | 'lease'>) {
  return sql<boolean>`server_id = ${server_id} and username = ${username}
    and claimed_until = cast(${lease} as timestamptz)`;
}

/** The line whose account a claim brings to its target or removes; null of one that is no line's. */
const lineOf = ({ wanted, of_line, left }: Claim): string | null =>
  wanted?.line_id ?? of_line ?? left?.line_id ?? null;

/** Adds the push that `kept` returns to the history of this line, unless the line was deleted. */
const intoHistory = (
  kept: RawBuilder<unknown>,
  id: string,
  line_id: string | null,
  values: RawBuilder<unknown>,
) => sql`
  with kept as (${kept})
  insert into line_pushes (id, line_id, owner_id, server_id, username, operation, took_ms,
      ok, failures, finding)
    select cast(${id} as uuid), line.id, line.owner_id, kept.server_id, kept.username,
        kept.operation,
        greatest(0, extract(epoch from clock_timestamp() - kept.wanted_since) * 1000)::bigint,
        ${values}
      from kept join users line on line.id = cast(${line_id} as uuid)`;

const markSynced = compiledQuery(
  ['id', 'line_id', 'server_id', 'username', 'lease', 'revision', 'on_server', 'failures'],
  (db, { id, line_id, revision, on_server, failures, ...claim }) => ({
    compile: () =>
      intoHistory(
        sql`update server_accounts
          set synced_revision = ${revision}, on_server = ${on_server}, is_unanswered = false, attempts = 0,
            claimed_until = null, last_finding = null, left_password = null, updated_at = now()
          where ${held(claim)}
          returning server_id, username, operation, wanted_since`,
        id,
        line_id,
        sql`true, cast(${failures} as integer), null::jsonb`,
      ).compile(db),
  }),
);

/**
 * Lets the account go by which a line worked until its new one was taken, unless the line has changed its name or server
 * again. Before the success is recorded, so that no crash leaves it there.
 */
async function releaseFormer(db: Db, { server_id, username }: Claim): Promise<void> {
  await sql`
    update server_accounts
      set wanted = null, operation = 'edit',
        left_password = coalesce(left_password,
          jsonb_build_object('line_id', line.id::text, 'password', line.password)),
        ${wantedAgain}
      from users line
      where line.server_id = ${server_id} and line.username = ${username}
        and ${isFormer()} and wanted ->> 'line_id' = line.id::text`.execute(db);
}

/**
 * Records that the card server has taken a push. One that is not final stays due, because more is wanted now than was
 * delivered; `hasAccount` is whether the account is there now.
 */
export async function recordSuccess(
  db: Db,
  claim: Claim,
  { isFinal, hasAccount }: { isFinal: boolean; hasAccount: boolean },
): Promise<void> {
  const { server_id, username, lease, attempts, wanted, has_former } = claim;
  if (has_former && hasAccount) await releaseFormer(db, claim);
  const revision = isFinal ? claim.revision : claim.revision - 1;
  const about = { server_id, username, lease, revision, on_server: wanted !== null && hasAccount };
  await markSynced(db, { id: newId(), line_id: lineOf(claim), failures: attempts, ...about });
  // An account that is of no line any more needs no row.
  if (wanted !== null) return;
  await db
    .deleteFrom('server_accounts')
    .where('server_id', '=', claim.server_id)
    .where('username', '=', claim.username)
    .where('of_line', 'is', null)
    .whereRef('revision', '=', 'synced_revision')
    .execute();
}

/** Gives back an attempt that was not made. */
export async function postpone(db: Db, claim: Claim): Promise<void> {
  await sql`update server_accounts
    set claimed_until = null, next_try_at = now() + make_interval(secs => ${FIRST_RETRY_SECONDS})
    where ${held(claim)}`.execute(db);
}

/** Findings that say that the account of this name is not the panel's. */
const OF_OTHERS: readonly Finding['code'][] = ['KEPT_BY_HAND', 'WORKS_AS', 'WORKS_ON'];

/** Schedules the next try. Only the first failure of a push goes into the line's history. */
export async function recordFailure(
  db: Db,
  claim: Claim,
  finding: Finding,
  isUnanswered = false,
): Promise<void> {
  const wait = Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** claim.attempts);
  const text = JSON.stringify(finding);
  const isOthers = OF_OTHERS.includes(finding.code);
  const kept = sql`update server_accounts
    set attempts = attempts + 1, next_try_at = now() + make_interval(secs => ${wait}),
      claimed_until = null, last_finding = ${text}::jsonb, updated_at = now(),
      is_unanswered = ${isUnanswered} or (is_unanswered and not ${isOthers})
    where ${held(claim)}
    returning server_id, username, operation, wanted_since`;
  const isFirst = claim.attempts === 0;
  const history = () => intoHistory(kept, newId(), lineOf(claim), sql`false, 0, ${text}::jsonb`);
  await (isFirst ? history() : kept).execute(db);
  if (isFirst && claim.wanted === null) await tellOfFormer(db, claim);
}

/** Delivers a line again whose former account stays, so that the line says so. */
async function tellOfFormer(db: Db, { server_id, left }: Claim): Promise<void> {
  if (!left) return;
  await sql`
    update server_accounts set ${wantedAgain}
      from users line
      where line.id = ${left.line_id}::uuid and line.server_id = ${server_id}
        and (server_accounts.server_id, server_accounts.username) = (line.server_id, line.username)
        and not (${isDue})`.execute(db);
}

/** The name, and the server if it is another one, by which a line works until its new ones are taken. */
export async function readFormer(
  db: Db,
  { server_id, username }: Claim,
): Promise<{ works_as?: string; works_on?: string }> {
  const { rows } = await sql<{ works_as: string; works_on: string | null }>`
    select former.username as works_as,
        case when former.server_id <> line.server_id then server_name end as works_on
      from users line
        join server_accounts former on ${isFormer('former')} and former.wanted ->> 'line_id' = line.id::text
        join cccam_servers on cccam_servers.id = former.server_id
      where line.server_id = ${server_id} and line.username = ${username}`.execute(db);
  const { works_as, works_on } = rows[0] ?? {};
  return { ...(works_as && { works_as }), ...(works_on && { works_on }) };
}

/**
 * Why the account that a line has by its former name still lets its customer in; undefined if it does not. That of a
 * line that is not suspended lets it in until it has been tried to remove it.
 */
export async function findLeftRow(db: Db, { server_id, formerly, wanted }: Claim) {
  if (formerly === null) return undefined;
  return db
    .selectFrom('server_accounts')
    .select(['operation', 'last_finding'])
    .where('server_id', '=', server_id)
    .where('username', '=', formerly)
    .where(isDue)
    .where(sql<SqlBool>`(${wanted === null} or (wanted is null and last_finding is not null))`)
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
