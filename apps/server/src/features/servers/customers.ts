import { newcamdPorts } from '@linekeeper/contract/fields/receiver-fields.ts';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import { sql } from 'kysely';
import { isOfFurtherPlan } from '../../db/lines-of-server.ts';
import type { Db } from '../../db/transaction.ts';
import {
  type ChangedLines,
  customerCells,
  customerColumns,
  type EnteredAt,
  readEntered,
  receiverLinesNow,
} from '../../domain/lines/changed-addresses.ts';
import type { Reached } from '../../domain/machines/servers.ts';
import { findServerRow } from '../../domain/machines/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { failField } from '../../platform/errors/refusal.ts';
import { pagesAsCsv } from '../../platform/paging/csv.ts';
import { readPage, type SortColumn } from '../../platform/paging/pages.ts';

type Query = Parameters<Action<typeof contract.serverCustomers>>[1]['query'];

/** The ports in a query, where they are JSON. Throws INVALID_VALUE. */
function portsOf(text: string) {
  try {
    return newcamdPorts.parse(JSON.parse(text));
  } catch {
    return failField('newcamd_ports', 'INVALID_VALUE');
  }
}

function withQuery(server: Reached, query: Query): Reached {
  const { host, port, protocol, des_key, newcamd_ports } = query;
  return {
    ...server,
    public_host: host ?? server.public_host,
    public_port: port ?? server.public_port,
    protocol: protocol ?? server.protocol,
    des_key: des_key === undefined ? server.des_key : des_key || null,
    newcamd_ports: newcamd_ports === undefined ? server.newcamd_ports : portsOf(newcamd_ports),
  };
}

/** The C and N lines of the server's customers, by the addresses of their lines. Throws SERVER_NOT_FOUND and INVALID_VALUE. */
async function readConcerned(db: Db, id: string, query: Query): Promise<EnteredAt[]> {
  const server = await findServerRow(db, id);
  if (Object.keys(query).length === 0) return receiverLinesNow(db, server);
  const { to_server_id } = query;
  const target = to_server_id ? await findServerRow(db, to_server_id) : server;
  return readEntered(db, server, withQuery(target, query));
}

/**
 * The lines of the server with these addresses. If the server's own address is among them, lines
 * for which it is a further server are included, except those that are on the target already.
 */
const linesAt = (db: Db, id: string, entered: readonly EnteredAt[], { to_server_id }: Query) => {
  const isEntered = sql<boolean>`users.host_port in (
        select host_port
          from jsonb_to_recordset(${JSON.stringify(entered.map(({ host_port }) => ({ host_port })))}::jsonb)
            as entered (host_port text[]))`;
  const isAtOwn = entered.some(({ host_port }) => host_port.length === 0) && !to_server_id;
  return db
    .selectFrom('users')
    .where(
      isAtOwn
        ? sql<boolean>`(users.server_id = ${id} and ${isEntered}
            or users.server_id <> ${id} and ${isOfFurtherPlan(id)})`
        : sql<boolean>`(users.server_id = ${id} and ${isEntered})`,
    )
    .$if(to_server_id !== undefined, (lines) =>
      lines.where(sql<boolean>`not ${isOfFurtherPlan(String(to_server_id))}`),
    );
};

/**
 * The number of lines, and of their owners, whose customers would have to change their receivers if the server's
 * address became `query`. Throws SERVER_NOT_FOUND and INVALID_VALUE.
 */
export const countCustomers: Action<typeof contract.serverCustomers> = async (
  { db },
  { params: { id }, query },
) =>
  linesAt(db, id, await readConcerned(db, id, query), query)
    .select(sql<number>`count(*)::integer`.as('lines'))
    .select(sql<number>`count(distinct users.owner_id)::integer`.as('owners'))
    .executeTakeFirstOrThrow();

const byName: Record<string, SortColumn> = { username: { ref: 'users.username', type: 'text' } };
const keyOf = (host_port: readonly string[]) => JSON.stringify(host_port);

/**
 * The lines that `countCustomers` counts as a CSV file, each with the present and the new settings
 * of its customer's receiver. Throws SERVER_NOT_FOUND and INVALID_VALUE.
 */
export const customersCsv: Action<typeof contract.serverCustomersCsv> = async (
  ctx,
  { params: { id }, query },
) => {
  const { db } = ctx;
  const entered = await readConcerned(db, id, query);
  const byAddresses = new Map(
    entered.map(({ host_port, ...changed }): [string, ChangedLines] => [keyOf(host_port), changed]),
  );
  const lines = linesAt(db, id, entered, query);
  const rows = lines
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .select(['users.id', 'users.username', 'users.name', 'users.notes'])
    .select(
      sql<string[]>`case when users.server_id = ${id} then users.host_port else '{}' end`.as(
        'host_port',
      ),
    )
    .select('owner.email as owner_email');
  ctx.saveAs(`customers-${ctx.today()}.csv`);
  return pagesAsCsv(
    customerColumns,
    'username',
    (request) => readPage(db, request, byName, 'users.id', lines, rows),
    ({ host_port, ...line }) => {
      const changed = byAddresses.get(keyOf(host_port)) ?? { old_lines: [], new_lines: [] };
      return customerCells({ ...line, ...changed });
    },
  );
};
