// Only this file writes the wanted state of card servers; `push-claims.ts` writes the results of deliveries.
import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import { isOnServer } from '../../db/lines-of-server.ts';
import { plannedForValues } from '../../db/prepared.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { isStillUnknown } from '../machines/orphans.ts';
import { isDue, isFormer, isLost, isOfSuspended, mayBeThere } from '../machines/server-accounts.ts';

/** An account that is, or should be, on a card server: a row of `server_accounts`. */
export interface ServerAccount {
  server_id: string;
  username: string;
}

/** Accounts of one line in the order in which they are pushed. */
const parts = [
  /** The former account by which the line works, because a server has not accepted its last change. */
  'former',
  /** The account with the line's name and server, if it changed. */
  'own',
  'changed',
  /** An unchanged account of an earlier name or server, which is removed once the line's own account is accepted. */
  'left',
] as const;

/**
 * An account of a changed line that `settle` found: one whose wanted state differs now, or one by which the customer
 * still connects. `part` is its place in the order of the line's pushes.
 */
export interface SettledAccount extends ServerAccount {
  part: (typeof parts)[number];
}

/** Column values that make a push due again. A push that is already due keeps the time since which it waits. */
const raised = (next_try_at: RawBuilder<Date>) => sql`
  revision = server_accounts.revision + 1,
  attempts = 0,
  next_try_at = ${next_try_at},
  last_finding = null,
  wanted_since = case when ${isDue} then server_accounts.wanted_since else now() end`;
const raisedNow = raised(sql<Date>`now()`);

/** The request that made the change attempts the push first; the loop takes over after a second. */
const firstTry = sql<Date>`now() + interval '1 second'`;

const AT_ONCE = 500;

const formerOf = sql`jsonb_build_object(
        'line_id', parted.line_id, 'expiry_date', parted.expiry_date, 'is_former', true)`;

/**
 * Ids of one line or several. The statement for one is planned once; that for a list is planned at each call, because a
 * prepared plan assumes lists of ten.
 */
type Ids = string | readonly string[];

/** SQL condition: `id` is one of these lines. */
const isOf = (id: RawBuilder<unknown>, type: 'uuid' | 'text', ids: Ids) =>
  typeof ids === 'string'
    ? sql`${id} = ${ids}::${sql.raw(type)}`
    : sql`${id} = any(${ids}::${sql.raw(type)}[])`;

/** SQL of the accounts of lines, each with its `line` unless that was deleted. */
const accountsOf = (ids: Ids) => sql`
      from server_accounts left join users line on line.id = server_accounts.of_line
      where ${isOf(sql`server_accounts.of_line`, 'uuid', ids)}`;

/** SQL condition: the line is on the server of the account. */
const isHere = isOnServer(sql.ref('server_accounts.server_id'), 'line');

/** SQL condition: the account has another name than its `line`, or is on a server where the line is not. */
const isOther = sql`(line.id is null or server_accounts.username <> line.username or not ${isHere})`;

/** SQL of accounts to be removed that belonged to these lines under another name. */
const leavingAccounts = (ids: Ids) => sql`
      from server_accounts
      where ${isOf(sql`left_password ->> 'line_id'`, 'text', ids)} and wanted is null and of_line is null`;

/**
 * The own account of a line, if it has changed, or the line alone if it has other accounts; and whether the line has
 * worked by a former account so far.
 */
type SettledOwn = Record<keyof ServerAccount | 'line_id', string | null> & {
  has_former: boolean | null;
};

/**
 * SQL of the lines' own accounts, one on each server of the line: the account of an active line is wanted with its last
 * day and the rights of its plan, that of a suspended line is not wanted. Returns the accounts that have changed, and the
 * lines that now have other accounts.
 */
const settlingOwn = (ids: Ids, again: unknown) => sql<SettledOwn>`
  with own as (
    insert into server_accounts (server_id, username, wanted, operation, of_line, on_server, next_try_at,
        synced_revision)
      select server.id, line.username,
          case when line.suspension is null then jsonb_strip_nulls(jsonb_build_object(
            'line_id', line.id, 'expiry_date', line.expiry_date, 'rights', place.rights)) end,
          case when known.accounts = 0 then 'add' else 'edit' end,
          line.id,
          -- An OSCam may have the account of a suspended line that is new here.
          line.suspension is not null and known.accounts = 0 and server.kind = 'oscam_webif',
          ${firstTry},
          -- Nothing is made for a suspended line that comes from elsewhere, so that nothing is waited for.
          case when line.suspension is not null and known.was_elsewhere then 1 else 0 end
        from users line
          cross join lateral servers_of(line.server_id, line.plan_id) as at
          join cccam_servers server on server.id = at
          left join plan_servers place on place.plan_id = line.plan_id and place.server_id = at
          cross join lateral (
            select count(*) as accounts, bool_or(server_id <> at) as was_elsewhere
              from server_accounts where of_line = line.id) known
        where ${isOf(sql`line.id`, 'uuid', ids)}
        order by server.id, line.username
    on conflict (server_id, username) do update
      set wanted = excluded.wanted,
        operation = case
          when server_accounts.of_line is distinct from excluded.of_line then excluded.operation
          when not ${again}::boolean and (server_accounts.wanted - 'expiry_date') = (excluded.wanted - 'expiry_date')
            then 'renew' else 'edit' end,
        of_line = excluded.of_line, ${raised(firstTry)}
      where ${again}::boolean or server_accounts.of_line is distinct from excluded.of_line
        or server_accounts.wanted is distinct from excluded.wanted
    returning server_id, username)
  select server_id, username, null::uuid as line_id, null::boolean as has_former from own
  union all
  select null, null, line_id, bool_or(is_former) from (
      select of_line as line_id, ${isFormer()} as is_former, ${isOther} as is_other ${accountsOf(ids)}
      union all select (left_password ->> 'line_id')::uuid, false, true ${leavingAccounts(ids)}) account
    group by line_id having bool_or(is_other)`;

/**
 * SQL of the accounts that lines have in addition to their own. After a new name or server, the
 * line works by its previous account until the new one is accepted; then the previous one is
 * removed. All accounts of a deleted line are removed.
 */
const settlingOthers = (ids: Ids, withFormer: unknown) => sql<SettledAccount>`
  with account as materialized (
    select server_accounts.of_line as line_id, server_accounts.server_id, server_accounts.username,
        server_accounts.wanted is null as is_off, ${isFormer()} as is_former,
        ${mayBeThere} or server_accounts.synced_revision > 0 as may_be_there, ${isDue} as is_due,
        (select kind = 'oscam_webif' from cccam_servers where id = server_accounts.server_id) as keeps_suspended,
        line.id is null as is_gone, line.suspension is not null as is_suspended, line.expiry_date,
        ${isHere} as is_here, line.id = any(${withFormer}::uuid[]) as has_former,
        exists (select from server_accounts own
          where own.of_line = line.id and own.username = line.username and own.on_server
            and own.revision <= own.synced_revision and not ${isFormer('own')}
            and ${isOnServer(sql.ref('own.server_id'), 'line')}) as is_served
      ${accountsOf(ids)} and ${isOther}),
  parted as materialized (
    select line_id, server_id, username, is_former, is_due, is_off, keeps_suspended, is_gone, expiry_date,
        case
          when is_gone then 'goes'
          when is_former then 'stays'
          -- The account of a suspended line stays on an OSCam, switched off (kept_disabled if the line has left it); elsewhere
          -- there is none, or it is on its way out.
          when is_off and not keeps_suspended then case when is_due then 'stays' else 'none' end
          when is_off and is_suspended and is_here and not has_former then 'kept_disabled'
          when not is_off and not is_suspended and may_be_there and not has_former and not is_served then 'former'
          else 'goes' end as fate
      from account),
  former as (
    update server_accounts
      set wanted = ${formerOf}
      from parted
      where parted.fate = 'former' and server_accounts.server_id = parted.server_id
        and server_accounts.username = parted.username),
  changed as (
    update server_accounts
      set wanted = case when fate = 'kept_disabled' then ${formerOf} || '{"is_suspended": true}' end,
        of_line = case when fate = 'kept_disabled' then of_line end,
        operation = case when is_gone then 'delete' else 'edit' end,
        on_server = on_server or fate = 'kept_disabled' or (is_off and keeps_suspended),
        ${raisedNow}
      from parted
      where fate in ('kept_disabled', 'goes') and server_accounts.server_id = parted.server_id
        and server_accounts.username = parted.username
    returning server_accounts.server_id, server_accounts.username),
  dropped as (
    delete from server_accounts using parted
      where parted.fate = 'none' and server_accounts.server_id = parted.server_id
        and server_accounts.username = parted.username)
  select server_id, username, 'changed' as part from changed
  union all select server_id, username, case when is_due then 'former' else 'left' end from parted
    where fate = 'former' or fate = 'stays' and is_former
  union all select server_id, username, 'left' ${leavingAccounts(ids)}
      and (server_id, username) not in (select server_id, username from changed)`;

const settleOwn = compiledQuery(['id', 'again'], (_, { id, again }) => settlingOwn(id, again));
const settleOthers = compiledQuery(['id', 'withFormer'], (_, { id, withFormer }) =>
  settlingOthers(id, withFormer),
);

async function settleSome(
  tx: Tx,
  ids: readonly string[],
  again: boolean,
): Promise<SettledAccount[]> {
  const id = ids.length === 1 ? ids[0] : undefined;
  const ask = async <Row>(settling: RawBuilder<Row>) =>
    (await sql<Row>`${plannedForValues} ${settling}`.execute(tx)).rows;
  const found = id ? await settleOwn(tx, { id, again }) : await ask(settlingOwn(ids, again));
  const own = found.flatMap(({ server_id, username }) =>
    server_id && username ? [{ server_id, username, part: 'own' as const }] : [],
  );
  if (own.length === found.length) return own;
  const withFormer = found.flatMap(({ line_id, has_former }) => (has_former && line_id) || []);
  const others = id
    ? await settleOthers(tx, { id, withFormer })
    : await ask(settlingOthers(ids, withFormer));
  return [...own, ...others];
}

/**
 * Updates the wanted state for these lines, which the transaction has added, changed or deleted. `again` delivers each
 * line's account once more even if nothing differs, for example after a new password. Returns the accounts concerned.
 * Decision 0005: a wanted state has no order that could get wrong, unlike a queue of operations.
 */
export async function settle(
  tx: Tx,
  line_ids: readonly string[],
  { again = false } = {},
): Promise<SettledAccount[]> {
  const settled: SettledAccount[] = [];
  for (let at = 0; at < line_ids.length; at += AT_ONCE) {
    settled.push(...(await settleSome(tx, line_ids.slice(at, at + AT_ONCE), again)));
  }
  return settled;
}

/** Deletes lines and queues the deletion of their accounts. Refunds nothing; the names are available immediately. */
export async function removeLines(tx: Tx, ids: readonly string[]): Promise<SettledAccount[]> {
  if (ids.length === 0) return [];
  await tx.deleteFrom('users').where('id', 'in', ids).execute();
  return settle(tx, ids);
}

/**
 * The accounts to push after a change of a line, in the order of the pushes. Accounts that the line left on other
 * servers or under other names are included only if its own account has changed, too. Empty if no account has changed.
 */
export function pushesOf(settled: readonly SettledAccount[]): SettledAccount[] {
  const isOwnChanged = settled.some(({ part }) => part === 'own');
  return settled
    .filter(({ part }) => isOwnChanged || part !== 'left')
    .toSorted((one, other) => parts.indexOf(one.part) - parts.indexOf(other.part));
}

/**
 * SQL of `on_server` if it is unknown whether the card server has an account: true if the account was there before, or
 * belongs to a suspended line, because a card server may keep such an account and let it work.
 */
export const isThereInDoubt = sql<boolean>`(on_server or ${isOfSuspended})`;

/**
 * Queues the accounts that meet an SQL condition once more, although nothing about them has
 * changed. `on_server` is SQL that is true if the card server has an account: it replaces the
 * recorded value, and decides if the account is added, edited or removed. Returns their number.
 */
export async function deliverAgain(
  db: Db,
  condition: RawBuilder<unknown>,
  on_server?: RawBuilder<boolean>,
): Promise<number> {
  const operation = sql`case when wanted is not null then 'add' when of_line is null then 'delete' else 'edit' end`;
  const anew = on_server && sql`on_server = ${on_server}, operation = ${operation},`;
  const { numAffectedRows } =
    await sql`update server_accounts set ${anew ?? sql``} ${raisedNow} where ${condition}`.execute(
      db,
    );
  return Number(numAffectedRows);
}

/** Queues the lost accounts of a server. Returns their number. */
export const deliverLost = (tx: Tx, server_id: string): Promise<number> =>
  deliverAgain(tx, sql`server_id = ${server_id} and ${isLost}`, isThereInDoubt);

/**
 * Queues the delivery of the lines with these usernames on a server, and the removal of those that are suspended. Locks
 * the lines, so that it waits for a change in progress and includes it. Returns the number of lines.
 */
export async function deliverLines(
  tx: Tx,
  server_id: string,
  usernames: readonly string[],
): Promise<number> {
  await sql`select from users where username = any (${usernames}::text[])
      and ${isOnServer(sql`${server_id}`)}
    order by id for no key update`.execute(tx);
  const isOwn = sql`exists (select from users line where line.id = of_line and not ${isOther})`;
  return deliverAgain(
    tx,
    sql`server_id = ${server_id} and username = any (${usernames}::text[]) and ${isOwn}`,
    sql`false`,
  );
}

/**
 * Delivers everything once more, because card servers may differ from a restored database: changes that were pending in
 * it may have been delivered since. Returns the number of accounts.
 */
export async function deliverEverything(db: Db): Promise<number> {
  await sql`update server_accounts set on_server = ${isThereInDoubt},
      claimed_until = case when ${isDue} then coalesce(claimed_until, now()) end`.execute(db);
  return deliverAgain(db, sql`true`);
}

/**
 * Sets the wanted state of lines that are created for accounts found on their servers. The lines of `asFound` match
 * their servers and are not pushed.
 */
export async function settleFound(
  tx: Tx,
  line_ids: readonly string[],
  asFound: readonly string[],
): Promise<void> {
  await settle(tx, line_ids);
  await sql`
    update server_accounts set on_server = true, operation = 'edit',
        synced_revision = case when of_line = any(${asFound}::uuid[]) then revision else synced_revision end
      where of_line = any(${line_ids}::uuid[])`.execute(tx);
}

/**
 * Queues the removal of accounts that belong to no line. Returns the accounts that the panel still does not know on
 * their machines.
 */
export async function removeUnknown(
  tx: Tx,
  server_ids: readonly string[],
  usernames: readonly string[],
): Promise<ServerAccount[]> {
  const { rows } = await sql<ServerAccount>`
    insert into server_accounts (server_id, username, operation, on_server)
      select server.id, orphan.username, 'delete', true
        from unnest(${server_ids}::uuid[], ${usernames}::text[]) as orphan (server_id, username)
          join cccam_servers server on server.id = orphan.server_id
        where ${isStillUnknown}
        order by server.id, orphan.username
    on conflict do nothing
    returning server_id, username`.execute(tx);
  return rows;
}

/**
 * Removes the accounts by which a line worked until a server of it accepted its own account, unless the line has
 * changed its name or servers again. Runs before the success is recorded, so that no crash leaves the account there.
 */
export async function releaseFormer(db: Db, { server_id, username }: ServerAccount): Promise<void> {
  await sql`
    update server_accounts
      set wanted = null, of_line = null, operation = 'edit',
        left_password = coalesce(left_password,
          jsonb_build_object('line_id', line.id::text, 'password', line.password)),
        ${raisedNow}
      from users line
      where line.username = ${username}
        and ${isOnServer(sql`${server_id}`, 'line')}
        and ${isFormer()} and of_line = line.id`.execute(db);
}
