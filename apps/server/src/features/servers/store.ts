import type { Server, ServerCheck, ServerStatus } from '@linekeeper/contract/servers.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { literalInPattern } from '../../core/literal.ts';
import { type Page, readPage, type SortColumn } from '../../core/pages.ts';
import { fail } from '../../core/refusal.ts';
import { isDue } from '../../core/server-accounts.ts';
import type { ServerRow } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

const MAX_CHECKS = 1000;

const columns = [
  'id',
  'server_name',
  'host_ip',
  'port',
  'api_port',
  'api_scheme',
  'username',
  'protocol',
  'status',
  'status_message',
  'latency_ms',
  'user_id',
  'created_at',
  'last_connection',
] as const;

const lineCount = sql<number>`(
  select count(*) from users where users.server_id = cccam_servers.id)`;

const duePushes = (only: RawBuilder<SqlBool> = sql<SqlBool>`true`) => sql<number>`(
  select count(*) from server_accounts
    where server_accounts.server_id = cccam_servers.id and ${isDue} and ${only})`;

const counts = [
  lineCount.as('line_count'),
  duePushes().as('pushes_due'),
  duePushes(sql<SqlBool>`server_accounts.wanted is null`).as('deletions_due'),
] as const;

const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'cccam_servers.created_at', type: 'timestamptz' },
  server_name: { ref: 'cccam_servers.server_name', type: 'text' },
};

type Counts = Pick<Server, 'line_count' | 'pushes_due' | 'deletions_due'>;

function toServer(row: Pick<ServerRow, (typeof columns)[number]> & Counts): Server {
  const { created_at, last_connection, ...server } = row;
  return {
    ...server,
    created_at: created_at.toISOString(),
    last_connection: last_connection?.toISOString() ?? null,
  };
}

export async function listServers(
  db: Db,
  query: {
    q?: string | undefined;
    status?: ServerStatus | undefined;
    limit: number;
    sort: string;
    cursor?: string | undefined;
  },
): Promise<Page<Server>> {
  let matching = db.selectFrom('cccam_servers');
  if (query.status) matching = matching.where('status', '=', query.status);
  if (query.q) {
    const pattern = `%${literalInPattern(query.q)}%`;
    matching = matching.where((where) =>
      where.or([where('server_name', 'ilike', pattern), where('host_ip', 'ilike', pattern)]),
    );
  }
  const rows = db.selectFrom('cccam_servers').select(columns).select(counts);
  const page = await readPage(db, query, sortColumns, 'cccam_servers.id', matching, rows);
  return { ...page, items: page.items.map(toServer) };
}

export async function findServer(db: Db, id: string): Promise<Server> {
  const row = await db
    .selectFrom('cccam_servers')
    .select(columns)
    .select(counts)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? toServer(row) : fail('SERVER_NOT_FOUND');
}

/** Newest first, as a new line without a chosen server takes the first active one. */
export async function listChoices(db: Db) {
  return db
    .selectFrom('cccam_servers')
    .select(['id', 'server_name', 'status'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The last ones of that time, oldest first. */
export async function listChecks(db: Db, serverId: string, hours: number) {
  await findServer(db, serverId);
  const rows = await db
    .selectFrom('server_checks')
    .select(['checked_at', 'status', 'latency_ms', 'message'])
    .where('server_id', '=', serverId)
    .where('checked_at', '>', sql<Date>`now() - make_interval(hours => ${hours})`)
    .orderBy('checked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CHECKS)
    .execute();
  const items = rows.map(
    ({ checked_at, ...check }): ServerCheck => ({ ...check, checked_at: checked_at.toISOString() }),
  );
  return { items: items.reverse() };
}

/** Where the server is that a new line would go to. */
export async function findNewestActive(db: Db): Promise<ServerRow | undefined> {
  return db
    .selectFrom('cccam_servers')
    .selectAll()
    .where('status', '=', 'active')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}
