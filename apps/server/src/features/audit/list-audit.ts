import type * as contract from '@linekeeper/contract/audit.ts';
import type { AuditEntry } from '@linekeeper/contract/audit.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import type { AuditSubject } from '@linekeeper/contract/lists/audit-subjects.ts';
import type { auditList } from '@linekeeper/contract/lists/lists.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { plannedForValues } from '../../db/prepared.ts';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import {
  type AuditRow,
  auditWords,
  describeAct,
  isOfCode,
  namesIn,
  readEntryNames,
} from '../../domain/audit/act-facts.ts';
import { everything } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { withinDays } from '../../platform/clock.ts';
import { listAsCsv } from '../../platform/paging/csv.ts';
import { escapeLike, likeFolded } from '../../platform/paging/escape-like.ts';
import type { SortColumns } from '../../platform/paging/filtered.ts';
import { type PageRequest, readPage } from '../../platform/paging/pages.ts';
import { foundFirst, isRare } from '../../platform/paging/rare-rows.ts';
import { sentRow } from '../../platform/rows.ts';

type Filters = Omit<Parsed<typeof contract.listAudit>['query'], 'limit' | 'cursor'>;
type Entries = SelectQueryBuilder<Database, 'audit_log', object>;

const sortColumns: SortColumns<typeof auditList> = {
  created_at: { ref: 'audit_log.created_at', type: 'timestamptz' },
};

/** Subjects with a matching name that a search follows, at most. */
const MOST_NAMED = 200;

/** Ids of accounts, lines and servers with a matching name, which the search then looks for in entries. */
async function readNamedIds(db: Db, q: string): Promise<string[]> {
  const pattern = likeFolded(q);
  const ofLine = sql<SqlBool>`search like ${pattern} and fold(username) like ${pattern}`;
  // `offset 0` reads all matching lines through the index, which is faster while they are few.
  const isFew = await isRare(db, 'users', ofLine);
  const { rows } = await sql<{ id: string }>`
    (select id from auth_users where auth_users.search like ${pattern} limit ${MOST_NAMED})
    union all (select id from (
      select id from users where ${ofLine} ${isFew ? sql`offset 0` : sql``}) few limit ${MOST_NAMED})
    union all (select id from cccam_servers where fold(server_name) like ${pattern}
      limit ${MOST_NAMED})`.execute(db);
  return rows.map(({ id }) => id);
}

async function matchEntries({ db, config, sees_codes }: Ctx, filters: Filters): Promise<Entries> {
  const { q, actor_id, action, subject_type, from, to } = filters;
  let found: Entries = db.selectFrom('audit_log');
  if (actor_id) found = found.where('actor_id', 'in', actor_id);
  if (action) found = found.where('action', 'in', action);
  if (subject_type) found = found.where('subject_type', 'in', subject_type);
  for (const within of withinDays('audit_log.created_at', { from, to }, config.time_zone)) {
    found = found.where(within);
  }
  if (!q) return found;
  const pattern = `%${escapeLike(q)}%`;
  const ids = await readNamedIds(db, q);
  const isNamed = sql<SqlBool>`(${plannedForValues} ${auditWords} like ${likeFolded(q)} or ${isOfCode(sees_codes ? everything : null, pattern)}
      or actor_id = any(${ids}::uuid[])
      or (subject_type in ('line', 'account', 'server') and subject_id = any(${ids}::text[])))`;
  const named = found.where(isNamed);
  if (!(await isRare(db, 'audit_log', isNamed))) return named;
  return foundFirst(db, 'audit_log', ['id', 'created_at'], named);
}

const administrator = {
  accounts: everything,
  lines: everything,
  isAdmin: true,
};

/** A page of the audit log, with the names of the records in its entries. Throws INVALID_CURSOR. */
async function readAudit(ctx: Ctx, query: Filters & PageRequest) {
  const { db, sees_codes } = ctx;
  const matching = await matchEntries(ctx, query);
  const selected = db.selectFrom('audit_log').selectAll();
  const page = await readPage(db, query, sortColumns, 'audit_log.id', matching, selected);
  const rows: readonly AuditRow[] = page.items;
  const reader = { ...administrator, codes: sees_codes ? everything : null };
  const names = await readEntryNames(db, reader, rows);
  const items = rows.map(
    (row): AuditEntry => ({
      ...sentRow(row),
      ...describeAct(row, names),
      actor_name: names.accounts.get(row.actor_id ?? '')?.name ?? null,
      subject_type: row.subject_type as AuditSubject,
      data: row.data as Record<string, unknown>,
      names: namesIn(row, names),
    }),
  );
  return { ...page, items };
}

export const listAudit: Action<typeof contract.listAudit> = (ctx, { query }) =>
  readAudit(ctx, query);

const csvColumns = [
  'created_at',
  'actor_id',
  'actor_name',
  'action',
  'subject_type',
  'subject_id',
  'subject_name',
  'before',
  'after',
  'data',
  'address',
  'request_id',
] as const;

export const auditCsv: Action<typeof contract.auditCsv> = async (ctx, { query }) =>
  listAsCsv(ctx, 'audit', query, csvColumns, (asked) => readAudit(ctx, asked));
