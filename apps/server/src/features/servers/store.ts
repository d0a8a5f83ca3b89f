import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { NewcamdPort } from '@linekeeper/contract/fields/receiver-fields.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import {
  type serverFindings,
  serversList,
  type sessionsList,
} from '@linekeeper/contract/lists/lists.ts';
import type { ServerCheck } from '@linekeeper/contract/servers/health.ts';
import type {
  OnlineLine,
  ServerPresence,
  serverSessions,
} from '@linekeeper/contract/servers/presence.ts';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import type { Reload, Server } from '@linekeeper/contract/servers/servers.ts';
import { type InferResult, type RawBuilder, type SqlBool, sql } from 'kysely';
import { furtherLines, isOnServer } from '../../db/lines-of-server.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { StoredReload } from '../../db/schema/server-schema.ts';
import type { Db } from '../../db/transaction.ts';
import type { SignedIn } from '../../domain/context/access.ts';
import { isSameMachine } from '../../domain/machines/same-machine.ts';
import { isDue, isFormer, isKeptByHand, isLost } from '../../domain/machines/server-accounts.ts';
import {
  defaultHostPortColumn,
  findServerRow,
  isFull,
  isOfferedColumn,
  reachedColumns,
} from '../../domain/machines/servers.ts';
import { canEndSessions, isKnown, momentInJson } from '../../domain/presence/presence.ts';
import { version } from '../../platform/config/version.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { escapeLike } from '../../platform/paging/escape-like.ts';
import { anyOf, filtered, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, readPage } from '../../platform/paging/pages.ts';

/** The checks of a day, of which there is one a minute, and some tests by administrators. */
const MAX_CHECKS = 1500;

const columns = [
  ...reachedColumns,
  'id',
  'server_name',
  'api_port',
  'api_scheme',
  'username',
  'status',
  'status_finding',
  'repair_automatically',
  'closed_to_new_lines',
  'max_lines',
  'reload',
  'zone',
  'server_day',
  'day_finding',
  'latency_ms',
  'agent_version',
  'kind',
  'tls_fingerprint',
  'plain_http_allowed',
  'user_id',
  'created_at',
  'last_connection',
] as const;

const lineCount = sql<number>`(
  (select count(*) from users where users.server_id = cccam_servers.id)
  + (select count(*) from ${furtherLines(sql.ref('cccam_servers.id'))} as further))`;

const countAccounts = (which: RawBuilder<SqlBool>) => sql<number>`(
  select count(*) from server_accounts
    where server_accounts.server_id = cccam_servers.id and ${which})`;

/** SQL condition: the account is to be removed, immediately or once the line's new server has accepted the line. */
const isToGo = sql<SqlBool>`(${isDue} and server_accounts.wanted is null or ${isFormer()})`;

/**
 * SQL of the number of lines that are not on the server because the operator has a row with their name there. A renamed
 * line counts once, although the push of its former name is due, too.
 */
const linesKeptByHand = sql<number>`(
  select count(distinct coalesce(of_line::text, left_password ->> 'line_id', username))
    from server_accounts
    where server_accounts.server_id = cccam_servers.id and ${isDue} and ${isKeptByHand})`;

/**
 * SQL of the server's awaited agent: one that the panel has not reached yet, or not since its last
 * installation, or whose address is not confirmed.
 */
const awaitedId = sql<string | null>`(
  select id from awaited_servers where awaited_servers.server_id = cccam_servers.id
    and (last_connection is null or called_at is not null)
    and (found is null or found ->> 'finding' is not null
      or (last_connection is null and confirmed_at is null)))`;

const presence = sql<Omit<ServerPresence, 'message'> | null>`(
  select json_build_object('is_known', ${isKnown}, 'at', ${momentInJson('read_at')},
      'lines_online', lines_online, 'connections', connections, 'card_server', card_server,
      'started_at', ${momentInJson('started_at')}, 'finding', finding,
      'can_end_sessions', ${canEndSessions}, 'most_online', (
        select coalesce(json_agg(most_online order by hour), '[]'::json) from server_presence_hours
          where server_presence_hours.server_id = cccam_servers.id and hour > now() - interval '1 day'))
    from server_presence where server_presence.server_id = cccam_servers.id)`;

/** SQL of the other entries of the machine, in the order of the list. */
const sameMachine = sql<Server['same_machine']>`(
  select coalesce(json_agg(json_build_object('id', entry.id, 'server_name', entry.server_name)
      order by entry.created_at desc, entry.id desc), '[]'::json)
    from cccam_servers entry
    where entry.id <> cccam_servers.id and ${isSameMachine('entry', 'cccam_servers')})`;

const counts = [
  sameMachine.as('same_machine'),
  presence.as('presence'),
  awaitedId.as('awaited_id'),
  lineCount.as('line_count'),
  countAccounts(isDue).as('pushes_due'),
  countAccounts(isToGo).as('deletions_due'),
  countAccounts(isLost).as('accounts_missing'),
  linesKeptByHand.as('kept_by_hand'),
] as const;

const sortColumns: SortColumns<typeof serversList> = {
  created_at: { ref: 'cccam_servers.created_at', type: 'timestamptz' },
  server_name: { ref: 'cccam_servers.server_name', type: 'text' },
};

const servers = (db: Db) => db.selectFrom('cccam_servers').select(columns).select(counts);

function toServer(row: InferResult<ReturnType<typeof servers>>[number]): Server {
  const { created_at, last_connection, reload, presence: read, ...server } = row;
  return {
    ...server,
    reload: toReload(reload),
    presence: read && { ...read, ...findingWithMessage(read.finding) },
    agent_outdated:
      (server.agent_version?.localeCompare(version, 'en', { numeric: true }) ?? 0) < 0,
    status_message: findingWithMessage(server.status_finding).message,
    day_message: findingWithMessage(server.day_finding).message,
    created_at: created_at.toISOString(),
    last_connection: last_connection?.toISOString() ?? null,
  };
}

export function toReload(stored: StoredReload | null): Reload | null {
  return stored && { ...stored, ...findingWithMessage(stored.finding) };
}

/** SQL conditions for the values of the filter. An inactive server is never called, so its reports are old. */
const withFinding = {
  not_taken: sql<SqlBool>`(status <> 'inactive' and reload #>> '{finding,code}' is not null
    and ((reload ->> 'waiting')::integer > 0 or reload ->> 'ok' = 'false'))`,
  another_day: sql<SqlBool>`(status <> 'inactive' and day_finding is not null)`,
} as const satisfies Record<(typeof serverFindings)[number], RawBuilder<SqlBool>>;

export async function listServers(
  db: Db,
  query: Parsed<typeof contract.listServers>['query'],
): Promise<Page<Server>> {
  const matching = filtered(serversList, db.selectFrom('cccam_servers'), query, {
    status: 'status',
    finding: (asked) => anyOf(asked.map((one) => withFinding[one])),
    q: (text) => {
      const pattern = `%${escapeLike(text)}%`;
      return sql<SqlBool>`(server_name ilike ${pattern} or host_ip ilike ${pattern})`;
    },
  });
  const rows = servers(db);
  const page = await readPage(db, query, sortColumns, 'cccam_servers.id', matching, rows);
  return { ...page, items: page.items.map(toServer) };
}

/** The server with this ID, as the API returns it. Throws SERVER_NOT_FOUND. */
export async function findServer(db: Db, id: string): Promise<Server> {
  const row = await servers(db).where('id', '=', id).executeTakeFirst();
  return row ? toServer(row) : fail('SERVER_NOT_FOUND');
}

/**
 * Lists the servers to choose from, newest first, because a line without a server goes to the newest active server that
 * accepts it.
 */
export async function listChoices(db: Db, actor: SignedIn) {
  const forAdmin = sql.lit(actor.is_admin);
  return db
    .selectFrom('cccam_servers')
    .select(['id', 'server_name', 'status', 'protocol'])
    .select([
      sql<string | null>`case when ${forAdmin} then ${defaultHostPortColumn} end`.as('host_port'),
      sql<string | null>`case when ${forAdmin} then des_key end`.as('des_key'),
      sql<NewcamdPort[]>`case when ${forAdmin} then newcamd_ports else '[]' end`.as(
        'newcamd_ports',
      ),
      sql<'closed' | 'full' | null>`case when not ${isOfferedColumn} then 'closed'
        when ${isFull} then 'full' end`.as('takes_no_lines'),
    ])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The latest checks within these hours, oldest first. Throws SERVER_NOT_FOUND. */
export async function listChecks(db: Db, serverId: string, hours: number) {
  await findServer(db, serverId);
  const rows = await db
    .selectFrom('server_checks')
    .select(['checked_at', 'status', 'latency_ms', 'finding'])
    .where('server_id', '=', serverId)
    .where('checked_at', '>', sql<Date>`now() - make_interval(hours => ${hours})`)
    .orderBy('checked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CHECKS)
    .execute();
  const items = rows.map(
    ({ checked_at, finding, ...check }): ServerCheck => ({
      ...check,
      ...findingWithMessage(finding),
      checked_at: checked_at.toISOString(),
    }),
  );
  return { items: items.reverse() };
}

/** The newest active server, which a new line gets by default. */
export async function findNewestActive(db: Db): Promise<ServerRow | undefined> {
  return db
    .selectFrom('cccam_servers')
    .selectAll()
    .where('status', '=', 'active')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

const sessionColumns: SortColumns<typeof sessionsList> = {
  since: { ref: 'line_presence.since', type: 'timestamptz' },
  username: { ref: 'users.username', type: 'text' },
  connections: { ref: 'line_presence.connections', type: 'bigint' },
};

/** The server's report of the lines that are online there: of lines on this server alone, and of lines on several. */
function onlineOn(db: Db, serverId: string) {
  const place = sql`line_presence.places -> ${serverId}::text`;
  const isThere = sql<SqlBool>`line_presence.places is not null and (${place} ->> 'connections')::integer > 0
    and ${isOnServer(sql`${serverId}`)}`;
  const present = db
    .selectFrom('line_presence')
    .innerJoin('users', 'users.id', 'line_presence.line_id')
    .where('line_presence.connections', '>', 0);
  const alone = present
    .where('line_presence.server_id', '=', serverId)
    .whereRef('line_presence.server_id', '=', 'users.server_id')
    .where('line_presence.places', 'is', null)
    .select(['line_presence.line_id', 'line_presence.connections', 'line_presence.since'])
    .select('line_presence.sessions');
  return alone.unionAll(
    present
      .where(isThere)
      .select('line_presence.line_id')
      .select(sql<number>`(${place} ->> 'connections')::integer`.as('connections'))
      .select(sql<Date>`(${place} ->> 'since')::timestamptz`.as('since'))
      .select(
        sql<OnlineLine['sessions']>`jsonb_path_query_array(line_presence.sessions,
          '$[*] ? (@.server_id == $id)', jsonb_build_object('id', ${serverId}::text))`.as(
          'sessions',
        ),
      ),
  );
}

/** The lines of a server that were online at its last reading. Throws SERVER_NOT_FOUND. */
export async function listSessions(
  db: Db,
  serverId: string,
  query: Parsed<typeof serverSessions>['query'],
): Promise<Page<OnlineLine>> {
  await findServerRow(db, serverId);
  const online = db
    .selectFrom(onlineOn(db, serverId).as('line_presence'))
    .innerJoin('users', 'users.id', 'line_presence.line_id');
  const matching = query.q
    ? online.where('users.username', 'like', `${escapeLike(query.q)}%`)
    : online;
  const rows = online
    .leftJoin('line_usage_hours as used', (join) =>
      join
        .onRef('used.line_id', '=', 'users.id')
        .on('used.hour', '=', sql<Date>`date_trunc('hour', now())`),
    )
    .select([
      'users.id',
      'users.username',
      'line_presence.connections',
      'line_presence.sessions',
      'line_presence.since',
      sql<number>`coalesce(requests_ok, 0)`.as('requests_ok'),
      sql<number>`coalesce(requests_refused, 0)`.as('requests_refused'),
    ]);
  const page = await readPage(db, query, sessionColumns, 'users.id', matching, rows);
  const items = page.items.map(({ id: line_id, since, ...line }) => ({
    line_id,
    since: since.toISOString(),
    ...line,
  }));
  return { ...page, items };
}
