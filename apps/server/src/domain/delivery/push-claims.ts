import type { Finding } from '@linekeeper/contract/findings.ts';
import type { Rights } from '@linekeeper/contract/servers/rights.ts';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import type { ServerAccountsTable, ServerRow } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import type { Reachable } from '../machines/open-driver.ts';
import { isSameMachine, type Machine } from '../machines/same-machine.ts';
import { isDue, isFormer } from '../machines/server-accounts.ts';
import { deliverAgain, releaseFormer } from './settle.ts';

/**
 * The length of a push's lease in seconds. It is longer than any attempt, so an expired lease belongs to a process that
 * died.
 */
export const LEASE_SECONDS = 15;
const FIRST_RETRY_SECONDS = 2;
export const LAST_RETRY_SECONDS = 20;

/** The account that a name should have on the machine, switched on or off; its password is encrypted. */
export interface Target {
  kind: 'present' | 'suspended';
  line_id: string;
  expiry_date: string;
  password: string;
  /**
   * The rights of the plan; null for a former account, under which the line works until its new one is delivered: its
   * rights stay unchanged.
   */
  rights: Rights | null;
}

/** A push leased to this panel, with the server's settings at that time. */
export type Claim = Pick<
  Selectable<ServerAccountsTable>,
  | 'server_id'
  | 'username'
  | 'wanted'
  | 'operation'
  | 'on_server'
  | 'revision'
  | 'attempts'
  | 'of_line'
> & {
  lease: string;
  /** True if an attempt before had no response, or its panel died: the account may be on the server. */
  is_unanswered: boolean;
  /** The line that had this account at the last delivery, with the password that the card server may still have, encrypted. */
  previous: { line_id: string; password: string } | null;
  target: Target | null;
  /** The rights that the card server last got, with this name or the line's former one. */
  rights_before: Rights | null;
  /** The former name of the line, whose account is still on its server. */
  formerly: string | null;
  /** The former account, with which the line works in the meantime, and its server if that is another one. */
  former: { username: string; server_name: string | null } | null;
  server: Pick<ServerRow, keyof Reachable | keyof Machine | 'failures' | 'status'> & {
    /** True if the server's API reported data that only an agent does. */
    is_agent: boolean;
  };
};

/** SQL condition: the time of the next attempt of a due push has come. */
export const isTimeToTry = sql<boolean>`next_try_at <= now()`;
/** SQL condition on a push: no process is delivering it at the moment. */
export const isUnclaimed = sql<boolean>`(claimed_until is null or claimed_until <= now())`;

/**
 * SQL object of the account that the machine of `server` should have with the name of `account`; null for none. A name
 * that is not wanted for this entry may be wanted for another entry of the machine, and a suspended line's account is
 * switched off on servers that keep such accounts.
 */
const target = sql`
      coalesce(
        (select json_build_object('kind', case when (account.wanted ->> 'is_suspended') is null then 'present' else 'suspended' end,
            'line_id', line.id, 'expiry_date', account.wanted ->> 'expiry_date', 'password', line.password,
            'rights', case when not ${isFormer('account')} then coalesce(account.wanted -> 'rights', '{}') end)
          from users line where line.id = account.of_line and account.wanted is not null),
        (select json_build_object('kind', case when line.suspension is null then 'present' else 'suspended' end,
            'line_id', line.id, 'expiry_date', line.expiry_date, 'password', line.password,
            'rights', coalesce(place.rights, '{}'))
          from users line
            cross join lateral servers_of(line.server_id, line.plan_id) as at
            join cccam_servers entry on entry.id = at
            left join plan_servers place on place.plan_id = line.plan_id and place.server_id = at
          where line.username = account.username and ${isSameMachine('entry', 'server')}
            and (line.suspension is not null or entry.id <> server.id)
          order by line.suspension is not null, entry.id <> server.id, entry.id limit 1))`;

/** SQL of the former account, and its server, of the line whose own account is `account`. */
const formerAccount = sql`
        from server_accounts former join cccam_servers at on at.id = former.server_id
        where ${isFormer('former')} and former.of_line = account.of_line and not ${isFormer('account')}`;

/** SQL columns that an attempt on `account` of `server` needs in addition to the push itself. */
const beside = sql`
      ${target} as target,
      coalesce(
        (select known.rights from server_accounts known
          where known.server_id = server.id and known.username = account.username),
        (select known.rights from server_accounts known
          where known.of_line = account.of_line and known.server_id = server.id
            and known.rights is not null limit 1)) as rights_before,
      coalesce(
        (select former.username ${formerAccount} and at.id = server.id and former.username <> account.username),
        (select left_one.username from server_accounts left_one
          where left_one.left_password is not null
            and left_one.left_password ->> 'line_id' = account.of_line::text and not ${isFormer('account')}
            and left_one.server_id = server.id and left_one.username <> account.username
          order by left_one.wanted_since limit 1)) as formerly,
      (select json_build_object('username', former.username,
          'server_name', case when at.id <> server.id then at.server_name end) ${formerAccount} limit 1) as former,
      json_build_object('id', server.id, 'host_ip', server.host_ip, 'api_port', server.api_port,
          'machine_id', server.machine_id,
          'api_scheme', server.api_scheme, 'username', server.username,
          'password', server.password, 'kind', server.kind,
          'tls_fingerprint', server.tls_fingerprint,
          'plain_http_allowed', server.plain_http_allowed, 'failures', server.failures,
          'status', server.status,
          'is_agent', coalesce(server.instance, server.zone) is not null) as server`;

/**
 * SQL condition: no other push must come first. A name that passes from one line to another
 * (`left_password` names the line whose account it may still be) waits until its former line has
 * its new name, unless the card server has refused that name, or that push waits itself.
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

/** A claim. Everything outside its row was read as of `seen_revision`. */
type Leased = Claim & { seen_revision: Claim['revision'] };

/** SQL of a lease of up to `limit` due pushes to this panel, with all data needed for an attempt. */
const claiming = (
  condition: RawBuilder<unknown>,
  limit: number,
  locking: 'for update' | 'for update skip locked',
) => sql<Leased>`
  with due as materialized (
    select server_id, username, claimed_until is not null as is_unanswered from server_accounts
      where ${isDue} and ${isUnclaimed} and ${isInTurn} and ${condition}
      order by next_try_at limit ${sql.lit(limit)} ${sql.raw(locking)})
  update server_accounts account
    set claimed_until = clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})
    from due join cccam_servers server on server.id = due.server_id
    where account.server_id = due.server_id and account.username = due.username
    returning account.server_id, account.username, account.wanted, account.operation, account.on_server,
      account.revision, account.attempts, account.of_line, account.left_password as previous,
      account.claimed_until::text as lease, due.is_unanswered,
      (select seen.revision from server_accounts seen
        where seen.server_id = account.server_id and seen.username = account.username) as seen_revision,
      ${beside}`;

/**
 * Completes a lease that waited until a change of the push was committed. The lease has the changed
 * row, but password and server from before, with which the old state would count as delivered. Both
 * are read again; null if the server was deleted.
 */
async function completed(db: Db, { seen_revision, ...claim }: Leased): Promise<Claim | null> {
  if (seen_revision === claim.revision) return claim;
  const { wanted, username, of_line, server_id } = claim;
  const { rows } = await sql<
    Pick<Claim, 'target' | 'rights_before' | 'formerly' | 'former' | 'server'>
  >`
    select ${beside}
      from (select cast(${wanted && JSON.stringify(wanted)} as jsonb) as wanted, ${username}::text as username,
          ${of_line}::uuid as of_line) as account
        join cccam_servers server on server.id = ${server_id}`.execute(db);
  return rows[0] ? { ...claim, ...rows[0] } : null;
}

/** Leases up to `limit` due pushes that match `condition` to this panel. */
export async function claimPushes(
  db: Db,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<Claim[]> {
  const { rows } = await claiming(condition, limit, 'for update skip locked').execute(db);
  const claims = await Promise.all(rows.map((leased) => completed(db, leased)));
  return claims.filter((claim) => claim !== null);
}

const leaseOne = compiledQuery(['server_id', 'username'], (_, { server_id, username }) =>
  claiming(sql`server_id = ${server_id} and username = ${username}`, 1, 'for update'),
);

/**
 * Leases the due push of one account after a change that is about to be committed. Returns null if the push is not due,
 * or leased already.
 */
export async function claimOne(
  db: Db,
  account: Pick<Claim, 'server_id' | 'username'>,
): Promise<Claim | null> {
  const [found] = await leaseOne(db, account);
  return found ? completed(db, found) : null;
}

/**
 * The current target for the name of a claim. Another entry of the machine may have sold the name
 * while it was deleted here.
 */
export async function readTargetNow(db: Db, { server, username }: Claim): Promise<Target | null> {
  const { rows } = await sql<{ target: Target | null }>`
    select ${target} as target
      from (select null::jsonb as wanted, ${username}::text as username, null::uuid as of_line) as account
        join cccam_servers server on server.id = ${server.id}`.execute(db);
  return rows[0]?.target ?? null;
}

function held({ server_id, username, lease }: Pick<Claim, 'server_id' | 'username' | 'lease'>) {
  return sql<boolean>`server_id = ${server_id} and username = ${username}
    and claimed_until = cast(${lease} as timestamptz)`;
}

/** The line whose account the claim changes or removes; null for an account that belongs to no line. */
const lineOf = ({ of_line, previous }: Claim): string | null =>
  of_line ?? previous?.line_id ?? null;

/** SQL that adds the push returned by `kept` to the history of this line, unless the line was deleted. */
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
  [
    'id',
    'line_id',
    'server_id',
    'username',
    'lease',
    'revision',
    'on_server',
    'rights',
    'failures',
  ],
  (_, { id, line_id, revision, on_server, rights, failures, ...claim }) =>
    intoHistory(
      sql`update server_accounts
        set synced_revision = ${revision}, on_server = ${on_server}, attempts = 0,
          claimed_until = null, last_finding = null, left_password = null,
          rights = coalesce(${rights}::jsonb, rights)
        where ${held(claim)}
        returning server_id, username, operation, wanted_since`,
      id,
      line_id,
      sql`true, cast(${failures} as integer), null::jsonb`,
    ),
);

/**
 * Stores that the card server has accepted a push. With `isFinal` false the push stays due, because
 * the wanted state has changed since; `hasAccount` is true if the account exists there now.
 */
export async function recordSuccess(
  db: Db,
  claim: Claim,
  { isFinal, hasAccount }: { isFinal: boolean; hasAccount: boolean },
): Promise<void> {
  const { server_id, username, lease, attempts, wanted, former, target } = claim;
  if (former && hasAccount) await releaseFormer(db, claim);
  const revision = isFinal ? claim.revision : claim.revision - 1;
  const rights = target?.rights ? JSON.stringify(target.rights) : null;
  const about = {
    server_id,
    username,
    lease,
    revision,
    rights,
    on_server: wanted !== null && hasAccount,
  };
  await markSynced(db, { id: newId(), line_id: lineOf(claim), failures: attempts, ...about });
  // An account without a line needs no row any more.
  if (wanted !== null) return;
  await db
    .deleteFrom('server_accounts')
    .where('server_id', '=', claim.server_id)
    .where('username', '=', claim.username)
    .where('of_line', 'is', null)
    .whereRef('revision', '=', 'synced_revision')
    .execute();
}

/**
 * SQL of `claimed_until` after an attempt: the end of the lease stays if the account may exist
 * there without a confirmation.
 */
const leaseEnd = (isUnanswered: boolean) => (isUnanswered ? sql`now()` : sql`null`);

/** Gives up the lease of a push that was not attempted, so that any process can claim it later. */
export async function postpone(db: Db, claim: Claim): Promise<void> {
  await sql`update server_accounts
    set claimed_until = ${leaseEnd(claim.is_unanswered)},
      next_try_at = now() + make_interval(secs => ${FIRST_RETRY_SECONDS})
    where ${held(claim)}`.execute(db);
}

/** Seconds from a failed attempt to the next, by the number of attempts before. */
export const retrySeconds = (attempts: number) =>
  Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** attempts);

/** Findings that mean that the account with this name does not belong to the panel. */
const OF_OTHERS: readonly Finding['code'][] = ['KEPT_BY_HAND', 'WORKS_AS', 'WORKS_ON'];

/** Schedules the next try. Only the first failure of a push goes into the line's history. */
export async function recordFailure(
  db: Db,
  claim: Claim,
  finding: Finding,
  isUnanswered = false,
): Promise<void> {
  const text = JSON.stringify(finding);
  const mayBeThere = isUnanswered || (claim.is_unanswered && !OF_OTHERS.includes(finding.code));
  const kept = sql`update server_accounts
    set attempts = attempts + 1, last_finding = ${text}::jsonb, claimed_until = ${leaseEnd(mayBeThere)},
      next_try_at = now() + make_interval(secs => ${retrySeconds(claim.attempts)})
    where ${held(claim)}
    returning server_id, username, operation, wanted_since`;
  const isFirst = claim.attempts === 0;
  const history = () => intoHistory(kept, newId(), lineOf(claim), sql`false, 0, ${text}::jsonb`);
  await (isFirst ? history() : kept).execute(db);
  const { previous, server_id, wanted } = claim;
  if (!isFirst || wanted !== null || !previous) return;
  // The line whose former account stays gets a finding about it.
  const isOwn = sql`of_line = ${previous.line_id}::uuid and server_id = ${server_id} and not ${isFormer()}`;
  await deliverAgain(db, sql`${isOwn} and not (${isDue})`);
}

/**
 * The finding that keeps the account with the former username of a line working; undefined if no such account works. A
 * line that is not suspended keeps that account until the panel has tried to remove it.
 */
export async function findStaying(db: Db, { server_id, formerly, wanted }: Claim) {
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
 * Ends a deletion that the card server refuses because the operator has a row with that name, if nothing was ever
 * delivered under the name. The row then belongs to a customer of the operator and stays: a line was only moved to the
 * server and has left it again. Returns false if something was delivered; the deletion is then retried.
 */
export async function dropNeverTaken(db: Db, claim: Claim): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('server_accounts')
    .where(held(claim))
    .where('revision', '=', claim.revision)
    .where('wanted', 'is', null)
    .where('of_line', 'is', null)
    .where('synced_revision', '=', 0)
    .where(
      // The list of an OSCam includes the operator's accounts, and the panel may have been asked to
      // remove one. Accounts of the panel are known there by mark or password, so an account that
      // was found there without them is the operator's.
      sql<SqlBool>`(not on_server and left_password is null or exists (select from cccam_servers
        where id = server_accounts.server_id and kind = 'oscam_webif'))`,
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
