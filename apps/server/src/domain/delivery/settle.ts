import type { PushOperation } from '@linekeeper/contract/push-operations.ts';
import { sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import { plannedForValues } from '../../db/prepared.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  isDue,
  isFormer,
  mayBeThere,
  wantedAgain,
  wantedAgainAt,
} from '../machines/server-accounts.ts';

/** An account whose wanted state changed, or by which a line still lets its customer in. */
export interface SettledAccount {
  line_id: string;
  server_id: string;
  username: string;
  /** The account of the line's name and server, the one that the line works by meanwhile, or one that goes. */
  part: 'own' | 'former' | 'left';
  operation: PushOperation;
  is_changed: boolean;
  /** Its server has not taken its last change. */
  is_due: boolean;
}

/** The request that made the change tries first; the loop takes over after a second. */
const firstTry = sql<Date>`now() + interval '1 second'`;

const AT_ONCE = 500;
/** A statement that is planned once, for any number of lines, is slow with more. */
const PLANNED_ONCE = 20;

const formerOf = sql`jsonb_build_object(
        'line_id', parted.line_id, 'expiry_date', parted.expiry_date, 'is_former', true)`;

/**
 * SQL of the wanted state as it follows from lines. Of a line that runs, its account is wanted with its last day; of a
 * suspended one, none. A new name or server leaves the account of before: the line works by it until the new one is
 * taken, and then it goes. Of a line that is gone, all accounts go.
 */
const settling = (ids: unknown, again: unknown) => sql<SettledAccount>`
  with line as materialized (
    select users.id, users.server_id, users.username, users.expiry_date,
        users.suspension is not null as is_suspended
      from users where users.id = any(cast(${ids} as uuid[]))),
  account as materialized (
    select server_accounts.of_line as line_id, server_accounts.server_id, server_accounts.username,
        server_accounts.wanted is null as is_off, ${isFormer()} as is_former,
        ${mayBeThere} or server_accounts.synced_revision > 0 as may_be_there, ${isDue} as is_due,
        server.kind = 'oscam_webif' as keeps_suspended,
        line.id is null as is_gone, line.is_suspended, line.expiry_date, line.server_id as line_server_id,
        coalesce((server_accounts.server_id, server_accounts.username) = (line.server_id, line.username), false)
          as is_own
      from server_accounts
        join cccam_servers server on server.id = server_accounts.server_id
        left join line on line.id = server_accounts.of_line
      where server_accounts.of_line = any(cast(${ids} as uuid[]))),
  known as materialized (
    select line_id, bool_or(is_former) as has_former, bool_or(server_id <> line_server_id) as was_elsewhere
      from account group by line_id),
  parted as materialized (
    select account.line_id, account.server_id, username, is_off, is_former, is_due, keeps_suspended, is_gone,
        expiry_date,
        case
          when is_gone then 'goes'
          when is_former then 'stays'
          -- The account of a suspended line stays on an OSCam, switched off; elsewhere there is none, or it is on its way out.
          when is_off and not keeps_suspended then case when is_due then 'stays' else 'none' end
          when is_off and is_suspended and server_id = line_server_id and not has_former then 'former, off'
          when not is_off and not is_suspended and may_be_there and not has_former then 'former'
          else 'goes' end as fate
      from account join known using (line_id) where not is_own),
  own as (
    insert into server_accounts (server_id, username, wanted, operation, of_line, on_server, next_try_at,
        synced_revision)
      select line.server_id, line.username,
          case when not line.is_suspended
            then jsonb_build_object('line_id', line.id, 'expiry_date', line.expiry_date) end,
          case when known.line_id is null then 'add' else 'edit' end,
          line.id,
          -- An OSCam may have the account of a suspended line that is new here.
          line.is_suspended and known.line_id is null and server.kind = 'oscam_webif',
          ${firstTry},
          -- Nothing is made for a suspended line that comes from elsewhere, so that nothing is waited for.
          case when line.is_suspended and known.was_elsewhere then 1 else 0 end
        from line join cccam_servers server on server.id = line.server_id
          left join known on known.line_id = line.id
        order by line.server_id, line.username
    on conflict (server_id, username) do update
      set wanted = excluded.wanted,
        operation = case
          when server_accounts.of_line is distinct from excluded.of_line then excluded.operation
          when not ${again}::boolean and (server_accounts.wanted - 'expiry_date') = (excluded.wanted - 'expiry_date')
            then 'renew' else 'edit' end,
        of_line = excluded.of_line, ${wantedAgainAt(firstTry)}
      where ${again}::boolean or server_accounts.of_line is distinct from excluded.of_line
        or server_accounts.wanted is distinct from excluded.wanted
    returning of_line as line_id, server_id, username, operation, revision > synced_revision as is_due),
  former as (
    update server_accounts
      set wanted = ${formerOf}, updated_at = now()
      from parted
      where parted.fate = 'former' and server_accounts.server_id = parted.server_id
        and server_accounts.username = parted.username
    returning parted.line_id, server_accounts.server_id, server_accounts.username, server_accounts.operation,
      ${isDue} as is_due),
  former_off as (
    update server_accounts
      set wanted = ${formerOf} || '{"is_suspended": true}', operation = 'edit', on_server = true, ${wantedAgain}
      from parted
      where parted.fate = 'former, off' and server_accounts.server_id = parted.server_id
        and server_accounts.username = parted.username
    returning parted.line_id, server_accounts.server_id, server_accounts.username, server_accounts.operation),
  gone as (
    update server_accounts
      set wanted = null, of_line = null,
        operation = case when parted.is_gone then 'delete' else 'edit' end,
        on_server = server_accounts.on_server or (parted.is_off and parted.keeps_suspended),
        ${wantedAgain}
      from parted
      where parted.fate = 'goes' and server_accounts.server_id = parted.server_id
        and server_accounts.username = parted.username
    returning parted.line_id, server_accounts.server_id, server_accounts.username, server_accounts.operation),
  dropped as (
    delete from server_accounts using parted
      where parted.fate = 'none' and server_accounts.server_id = parted.server_id
        and server_accounts.username = parted.username)
  select line_id, server_id, username, 'own' as part, operation, true as is_changed, is_due from own
  union all select line_id, server_id, username, 'former', operation, false, is_due from former
  union all select line_id, server_id, username, 'former', operation, true, true from former_off
  union all select line_id, server_id, username, 'former', 'edit', false, is_due from parted
    where fate = 'stays' and is_former
  union all select line_id, server_id, username, 'left', operation, true, true from gone
  union all select cast(left_password ->> 'line_id' as uuid), server_id, username, 'left', operation, false, ${isDue}
    from server_accounts
    where left_password ->> 'line_id' = any(cast(${ids} as text[])) and wanted is null and of_line is null
      and (server_id, username) not in (select server_id, username from gone)`;

const settleFew = compiledQuery(['ids', 'again'], (db, { ids, again }) => ({
  compile: () => settling(ids, again).compile(db),
}));

async function settleSome(
  tx: Tx,
  ids: readonly string[],
  again: boolean,
): Promise<SettledAccount[]> {
  const list = `{${ids.join(',')}}`;
  if (ids.length <= PLANNED_ONCE) return settleFew(tx, { ids: list, again });
  return (await sql<SettledAccount>`${plannedForValues} ${settling(list, again)}`.execute(tx)).rows;
}

/**
 * Makes the wanted state follow these lines, which the transaction has added, changed or deleted: the only writer of what
 * card servers should have. `again` delivers each line's account once more even if nothing differs, after a new password or
 * where the account on the server is in doubt. Returns the accounts concerned.
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

/** Deletes lines and queues the deletion of their accounts. Refunds nothing; the names are available at once. */
export async function removeLines(tx: Tx, ids: readonly string[]): Promise<SettledAccount[]> {
  if (ids.length === 0) return [];
  await tx.deleteFrom('users').where('id', 'in', ids).execute();
  return settle(tx, ids);
}

/**
 * Accounts of one changed line to push, in order: the one that the line works by first, as it goes last. Empty if
 * nothing changed.
 */
export function pushesOf(settled: readonly SettledAccount[]) {
  const own = settled.filter(({ part, is_changed }) => part === 'own' && is_changed);
  const others = settled.filter(({ part }) => part !== 'own');
  const isFirst = ({ part, is_due, is_changed }: SettledAccount) =>
    part === 'former' && is_due && !is_changed;
  const after =
    own.length > 0
      ? others.filter((account) => !isFirst(account))
      : others.filter(({ is_changed }) => is_changed);
  return [...others.filter(isFirst), ...own, ...after].map(({ server_id, username }) => ({
    server_id,
    username,
  }));
}
