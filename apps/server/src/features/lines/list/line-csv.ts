import { lineDetailNames } from '@linekeeper/contract/fields/line-details.ts';
import type { NewcamdPort } from '@linekeeper/contract/fields/receiver-fields.ts';
import type * as contract from '@linekeeper/contract/lines/lines.ts';
import { desKeyBytes } from '@linekeeper/contract/lines/receivers.ts';
import { sql } from 'kysely';
import type { Db } from '../../../db/transaction.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { selectedDetails } from '../../../domain/lines/line-details.ts';
import { filterForPage, visibleLines } from '../../../domain/lines/line-sets.ts';
import type { Action } from '../../../domain/use-cases/use-case.ts';
import type { Cell } from '../../../platform/paging/csv.ts';
import { pagesAsCsv } from '../../../platform/paging/csv.ts';
import { readLinePage } from './line-order.ts';

/** The first columns of a file, in the order that files have always had. */
const firstColumns = [
  'username',
  'protocol',
  'server',
  'host_port',
  'newcamd_ports',
  'des_key',
  'user_value',
  'added_date',
  'expiry_date',
  'is_trial',
  'subscription_months',
  'status',
  'live_channel',
  'info',
  'notes',
  'name',
  'company',
  'role',
  'email',
  'avatar_url',
] as const;

const csvColumns = [
  ...firstColumns,
  ...lineDetailNames.filter((name) => !firstColumns.some((column) => column === name)),
  'owner_email',
] as const;
type CsvColumn = (typeof csvColumns)[number] | 'plan';

/** True if the panel has several plans, so that files need a column for the plan. */
export async function hasPlans(db: Db): Promise<boolean> {
  return (await db.selectFrom('plans').select('id').limit(2).execute()).length > 1;
}

/** Every field of a line except its password, with the column names that an import accepts. */
export async function readCsvColumns(db: Db): Promise<readonly CsvColumn[]> {
  return (await hasPlans(db)) ? [...csvColumns, 'plan'] : csvColumns;
}

/** SQL of a plan's name; if several plans have the name, the id, so that an import finds the same plan. */
const planName = sql<string>`case when exists (
  select from plans other where lower(other.name) = lower(plans.name) and other.id <> plans.id)
  then plans.id::text else plans.name end`;

/** A NewCamd port and its CAID as OSCam writes them: '12001@0500:030B00|12002@0B00'. */
function portsCell(ports: readonly NewcamdPort[]): string {
  return ports
    .map(({ port, caid, provid }) => `${port}@${caid}${provid ? `:${provid}` : ''}`.toUpperCase())
    .join('|');
}

/** Adds the columns of a CSV file to the lines found by `visibleLines`. */
export function withCsvFields(lines: ReturnType<typeof visibleLines>) {
  return lines
    .innerJoin('cccam_servers as server', 'server.id', 'users.server_id')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .innerJoin('plans', 'plans.id', 'users.plan_id')
    .leftJoin('line_presence', 'line_presence.line_id', 'users.id')
    .select(['users.id', 'users.username', 'users.protocol', 'server.server_name as server'])
    .select(['users.host_port', 'users.added_date', 'users.expiry_date', 'users.is_trial'])
    .select(['users.subscription_months', 'users.status', ...selectedDetails])
    .select(['owner.email as owner_email', 'server.newcamd_ports', 'server.des_key'])
    .select(planName.as('plan'));
}
type CsvLine = Awaited<ReturnType<ReturnType<typeof withCsvFields>['execute']>>[number];

export function csvCells(columns: readonly CsvColumn[], line: CsvLine): Cell[] {
  const host_port = line.host_port.join('|');
  const status = line.status.map(({ label }) => label).join('|');
  const newcamd_ports = portsCell(line.newcamd_ports);
  // The bytes are separated, so that a spreadsheet does not read them as a number.
  const des_key = newcamd_ports && desKeyBytes(line.des_key);
  const cells = { ...line, host_port, status, newcamd_ports, des_key };
  return columns.map((column) => cells[column]);
}

export const linesCsv: Action<typeof contract.linesCsv> = async (ctx, { query }) => {
  ctx.saveAs(`lines-${ctx.today()}.csv`);
  const lines = visibleLines(ctx.db, lineScope(ctx.actor, query));
  const matching = await filterForPage(ctx.db, lines, query, ctx.today());
  const columns = await readCsvColumns(ctx.db);
  return pagesAsCsv(
    columns,
    query.sort,
    (request) => readLinePage(ctx.db, request, matching, withCsvFields(lines)),
    (line) => csvCells(columns, line),
  );
};
