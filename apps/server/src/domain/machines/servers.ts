import { type ServeWay, STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../db/compiled-query.ts';
import { linesOfServer } from '../../db/lines-of-server.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import type { Db, Tx } from '../../db/transaction.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import type { Secrets } from '../../platform/keys/secrets.ts';

/** Columns that define how customers reach the lines of a server. */
export const reachedColumns = [
  'host_ip',
  'port',
  'public_host',
  'public_port',
  'protocol',
  'des_key',
  'newcamd_ports',
] as const;
export type Reached = Pick<ServerRow, (typeof reachedColumns)[number]>;

/** A server's own address and the one for customers. */
export type Addressed = Pick<Reached, 'host_ip' | 'port' | 'public_host' | 'public_port'>;

export type ChosenServer = Reached &
  Pick<ServerRow, 'id' | 'status' | 'closed_to_new_lines' | 'max_lines'>;

/** A server with its password in plain text, as calls of its API need it. */
export function withPassword<Server extends Pick<ServerRow, 'id' | 'password'>>(
  secrets: Secrets,
  server: Server,
): Server {
  return { ...server, password: secrets.open(server.password, server.id) };
}

/**
 * SQL array of the servers of a line, in their order. A line of the plan Standard is on one server,
 * which needs no look-up.
 */
export const serversOfLine = (server_id: RawBuilder<unknown>, plan_id: RawBuilder<unknown>) => sql`(
  case when coalesce(${plan_id}, ${sql.lit(STANDARD_PLAN)}) = ${sql.lit(STANDARD_PLAN)} then array[${server_id}]
    else array(select at from servers_of(${server_id}, ${plan_id}) as at) end)`;

/** `serversOfLine` for a row of `users`. */
export const serversOfUser = serversOfLine(sql`users.server_id`, sql`users.plan_id`);

/** The whole row of a server, with its password encrypted. */
export function tryFindServerRow(db: Db, id: string): Promise<ServerRow | undefined> {
  return db.selectFrom('cccam_servers').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The row of the server with this ID. Throws SERVER_NOT_FOUND. */
export async function findServerRow(db: Db, id: string): Promise<ServerRow> {
  return (await tryFindServerRow(db, id)) ?? fail('SERVER_NOT_FOUND');
}

/**
 * Locks servers against deletion and changes until the transaction ends, ordered by id to avoid
 * deadlocks. Does not block sales. Throws SERVER_NOT_FOUND for a missing one.
 */
export async function lockServers<const Ids extends readonly string[]>(tx: Tx, ids: Ids) {
  const rows = await tx
    .selectFrom('cccam_servers')
    .select([
      ...reachedColumns,
      'id',
      'api_port',
      'machine_id',
      'kind',
      'status',
      'closed_to_new_lines',
      'max_lines',
    ])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return ids.map((id) => rows.find((row) => row.id === id) ?? fail('SERVER_NOT_FOUND')) as {
    [Index in keyof Ids]: (typeof rows)[number];
  };
}

/**
 * Locks a server against sales too: waits for those in progress, and later ones see the state that the transaction
 * leaves.
 */
export async function lockAgainstSales(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('cccam_servers').select('id').where('id', '=', id).forUpdate().execute();
}

type Limited = Pick<ChosenServer, 'id' | 'max_lines'>;

const newestFirst = (db: Db) =>
  db
    .selectFrom('cccam_servers')
    .select([...reachedColumns, 'id', 'status', 'closed_to_new_lines', 'max_lines'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
const lockedServers = (db: Db) => newestFirst(db).limit(sql.lit(1)).forKeyShare();

/**
 * SQL of the number of further lines that a row of `cccam_servers` may have, without a lock; null
 * without a limit, for which no lines are counted.
 */
export const freeCapacity = sql<number | null>`(case when max_lines is not null then max_lines - (
  select count(*) from (
    select from ${linesOfServer(sql.ref('cccam_servers.id'))} as every limit max_lines) as line) end)`;

/** SQL condition on a row of `cccam_servers`: the server has as many lines as it may have. */
export const isFull = sql<SqlBool>`coalesce(${freeCapacity} <= 0, false)`;

type Offered = Pick<ChosenServer, 'closed_to_new_lines' | 'protocol' | 'newcamd_ports'>;

/** True if a server accepts new lines: it is offered, and it has an address that customers can enter. */
export const isOffered = (server: Offered) => !server.closed_to_new_lines && !lacksPorts(server);
/** SQL of `isOffered` for a row of `cccam_servers`. */
export const isOfferedColumn = sql<boolean>`(not closed_to_new_lines
  and (protocol <> 'NewCamd' or newcamd_ports <> '[]'::jsonb))`;

const isOpen = sql<boolean>`status = 'active' and ${isOfferedColumn}`;
const findServer = compiledQuery(['id'], (db, { id }) => lockedServers(db).where('id', '=', id));
const findNewestOpen = compiledQuery([], (db) => lockedServers(db).where(isOpen));
const listOpen = compiledQuery([], (db) => newestFirst(db).where(isOpen));
const lockMaxLines = compiledQuery(['id'], (db, { id }) =>
  db.selectFrom('cccam_servers').select('max_lines').where('id', '=', id).forNoKeyUpdate(),
);
// The count stops at the limit: a server of a million lines with a limit of ten counts ten of them.
const countLines = compiledQuery(
  ['id', 'max_lines'],
  (_, { id, max_lines }) => sql<{ lines: number }>`
    select count(*)::integer as lines
      from (select from ${linesOfServer(sql`${id}::uuid`)} as every limit ${max_lines}::integer) as line`,
);

/**
 * The number of further lines that a server can have; Infinity without a limit. A server with a limit is locked until
 * the transaction ends, so that concurrent sales are counted one after the other. A separate statement counts the
 * lines, because only a statement that begins after the lock sees the sales of the transaction before.
 */
export async function lockFreeCapacity(tx: Tx, { id, max_lines }: Limited): Promise<number> {
  if (max_lines === null) return Number.POSITIVE_INFINITY;
  const [locked] = await lockMaxLines(tx, { id });
  const limit = locked?.max_lines ?? null;
  if (limit === null) return Number.POSITIVE_INFINITY;
  const [counted] = await countLines(tx, { id, max_lines: limit });
  return limit - (counted?.lines ?? 0);
}

/**
 * Reserves places on the server for `count` new lines until the transaction ends. Throws SERVER_CLOSED or SERVER_FULL
 * at `field`.
 */
export async function reserveCapacity(
  tx: Tx,
  server: Limited & Offered,
  count: number,
  field: string,
): Promise<void> {
  if (count === 0) return;
  if (!isOffered(server)) failField(field, 'SERVER_CLOSED');
  const left = await lockFreeCapacity(tx, server);
  if (left < count) failField(field, 'SERVER_FULL', { left });
}

/** The first of these open servers with free capacity. */
async function findFirstWithCapacity(
  tx: Tx,
  servers: readonly ChosenServer[],
): Promise<ChosenServer | undefined> {
  for (const server of servers) {
    if ((await lockFreeCapacity(tx, server)) < 1) continue;
    const [locked] = await findServer(tx, { id: server.id });
    if (locked?.status === 'active' && isOffered(locked)) return locked;
  }
  return undefined;
}

/** The servers of a plan, in order, and how its lines are divided among them. An empty list means all servers. */
export interface Places {
  server_ids: readonly string[];
  serves: ServeWay;
}

/** True if lines of the plan can be on the server. */
export const isPlace = ({ server_ids }: Places, id: string): boolean =>
  server_ids.length === 0 || server_ids.includes(id);

/** The number of lines on each of the servers, by their first server; servers without lines are left out. */
export async function countLinesOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const counted = await db
    .selectFrom('users')
    .select(({ fn }) => ['server_id', fn.countAll<number>().as('lines')])
    .where(sql<SqlBool>`server_id = any(${ids}::uuid[])`)
    .groupBy('server_id')
    .execute();
  return new Map(counted.map((one) => [one.server_id, Number(one.lines)]));
}

/** The open servers of a plan, in the order in which they are tried: the newest, the plan's first, or the emptiest first. */
async function listPlaces(tx: Tx, places: Places): Promise<ChosenServer[]> {
  const open = (await listOpen(tx, {})).filter(({ id }) => isPlace(places, id));
  const { serves, server_ids } = places;
  if (serves === 'one') return open;
  if (serves === 'all') {
    return open.sort((one, other) => server_ids.indexOf(one.id) - server_ids.indexOf(other.id));
  }
  const lines = await countLinesOf(
    tx,
    open.map(({ id }) => id),
  );
  return open.sort((one, other) => (lines.get(one.id) ?? 0) - (lines.get(other.id) ?? 0));
}

const anywhere: Places = { server_ids: [], serves: 'one' };

/**
 * Picks the server for a line among those of its plan: the named one, or the newest active one that accepts new lines,
 * or by the plan's division. Throws SERVER_NOT_FOUND, SERVER_NOT_OF_PLAN, `refusal` if none is active, SERVER_CLOSED or
 * SERVER_FULL for a named one, and NO_SERVER_TAKES_LINES. Locks the row against deletion until the transaction ends.
 */
export async function chooseServer(
  tx: Tx,
  id: string | undefined,
  refusal: 'NO_ACTIVE_SERVERS' | 'NO_ACTIVE_CCCAM_SERVERS' = 'NO_ACTIVE_SERVERS',
  places: Places = anywhere,
): Promise<ChosenServer> {
  if (id && !isPlace(places, id)) failField('server_id', 'SERVER_NOT_OF_PLAN');
  if (id) {
    const [server = fail('SERVER_NOT_FOUND')] = await findServer(tx, { id });
    if (server.status !== 'active') return fail(refusal);
    await reserveCapacity(tx, server, 1, 'server_id');
    return server;
  }
  // If the newest server has no limit, one statement is enough.
  const isAnywhere = places.server_ids.length === 0 && places.serves === 'one';
  const [newest] = isAnywhere ? await findNewestOpen(tx, {}) : [];
  const found =
    newest?.max_lines === null
      ? newest
      : await findFirstWithCapacity(tx, await listPlaces(tx, places));
  if (found) return found;
  const active = await newestFirst(tx).where('status', '=', 'active').execute();
  return fail(
    active.some((server) => isPlace(places, server.id)) ? 'NO_SERVER_TAKES_LINES' : refusal,
  );
}

/**
 * The server that a sale would use, for display and not for a sale: the named one, or the newest
 * that accepts new lines; undefined if there is none. Throws SERVER_NOT_FOUND for a missing one.
 */
export async function findServerOfSale(
  db: Db,
  id: string | undefined,
): Promise<Pick<ChosenServer, 'id' | 'protocol'> | undefined> {
  const server = await newestFirst(db)
    .where(id ? sql<boolean>`id = ${id}::uuid` : isOpen)
    .limit(1)
    .executeTakeFirst();
  return !server && id ? fail('SERVER_NOT_FOUND') : server;
}

/** The address for customers, which is the default entry of a line's addresses; without one, the server's own. */
export function defaultHostPort(server: Addressed): string {
  return `${server.public_host ?? server.host_ip}:${server.public_port ?? server.port}`;
}

/** SQL of `defaultHostPort` for a row of `cccam_servers`. */
export const defaultHostPortColumn = sql<string>`coalesce(cccam_servers.public_host, cccam_servers.host_ip)
  || ':' || coalesce(cccam_servers.public_port, cccam_servers.port)`;

/** The protocol of lines on a server, unless a line has another. */
export function lineProtocol({ protocol }: Pick<ServerRow, 'protocol'>): string {
  return protocol.toLowerCase();
}

/** The name of the server for the next sale that does not name a server; null if no server accepts new lines. */
export async function findNameOfNextSale(db: Db): Promise<string | null> {
  const next = await newestFirst(db)
    .select('server_name')
    .where(isOpen)
    .where(sql<SqlBool>`not ${isFull}`)
    .limit(1)
    .executeTakeFirst();
  return next?.server_name ?? null;
}
