import type * as contract from '@linekeeper/contract/servers/servers.ts';
import { type SqlBool, sql } from 'kysely';
import { pagesAsCsv } from '../../core/csv/pages-as-csv.ts';
import { customerCells, customerColumns } from '../../core/lines/changed-addresses.ts';
import { readPage, type SortColumn } from '../../core/pages.ts';
import { fail } from '../../core/refusal.ts';
import { defaultHostPort } from '../../core/servers.ts';
import type { Action } from '../../core/use-case.ts';
import type { Db } from '../../db/transaction.ts';
import { findServerRow } from './store.ts';

/** The lines that have their server's address; those with one of their own are not concerned by its change. */
async function linesAtAddress(db: Db, id: string) {
  const old_address = defaultHostPort((await findServerRow(db, id)) ?? fail('SERVER_NOT_FOUND'));
  const lines = db
    .selectFrom('users')
    .where('users.server_id', '=', id)
    .where(sql<SqlBool>`${old_address} = any (users.host_port)`);
  return { old_address, lines };
}

export const countCustomers: Action<typeof contract.serverCustomers> = async (
  { db },
  { params },
) => {
  const { lines } = await linesAtAddress(db, params.id);
  return lines
    .select(sql<number>`count(*)::integer`.as('lines'))
    .select(sql<number>`count(distinct users.owner_id)::integer`.as('owners'))
    .executeTakeFirstOrThrow();
};

const byName: Record<string, SortColumn> = { username: { ref: 'users.username', type: 'text' } };

export const customersCsv: Action<typeof contract.serverCustomersCsv> = async (
  ctx,
  { params, query: { host, port } },
) => {
  const { db } = ctx;
  const { old_address, lines } = await linesAtAddress(db, params.id);
  const [, old_host = '', old_port = ''] = /^(.*):(\d+)$/.exec(old_address) ?? [];
  const new_address = `${host ?? old_host}:${port ?? old_port}`;
  const rows = lines
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .select(['users.id', 'users.username', 'users.name', 'users.notes', 'users.protocol'])
    .select('owner.email as owner_email');
  ctx.saveAs(`customers-${ctx.today()}.csv`);
  return pagesAsCsv(
    customerColumns,
    'username',
    (request) => readPage(db, request, byName, 'users.id', lines, rows),
    (line) => customerCells({ ...line, old_address, new_address }),
  );
};
