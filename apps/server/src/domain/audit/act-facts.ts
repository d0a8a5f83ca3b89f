import type { ActFacts } from '@linekeeper/contract/audit.ts';
import { topUpNumber } from '@linekeeper/contract/credits/top-ups.ts';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { AuditLogTable } from '../../db/schema/append-only-schema.ts';
import type { Db } from '../../db/transaction.ts';
import { type Scope, visibleTo } from '../context/access.ts';

export type AuditRow = Selectable<AuditLogTable>;

export const noFacts: ActFacts = {
  months: null,
  until: null,
  cost: null,
  credits: null,
  count: null,
  lines: null,
  code: null,
  label: null,
  reason: null,
};

const numberOf = (...values: unknown[]) =>
  (values.find((value) => typeof value === 'number') as number | undefined) ?? null;
const textOf = (...values: unknown[]) =>
  (values.find((value) => typeof value === 'string' && value !== '') as string | undefined) ?? null;

/** The difference of the balance, for acts whose entry shows it before and after. */
function movedCredits({ action, before, after }: AuditRow): number | null {
  const [was, is] = [before?.credits, after?.credits];
  const isBalance = action.startsWith('credits.');
  return isBalance && typeof was === 'number' && typeof is === 'number' ? is - was : null;
}

function factsOf(row: AuditRow, codes: ReadonlyMap<string, string>): ActFacts {
  const { action, before, after } = row;
  const data = row.data as Record<string, unknown>;
  const isCodes = typeof data.count === 'number';
  const isNew = action === 'line.create' || action === 'line.import';
  const isDelete = after === null && before !== null;
  return {
    months: numberOf(data.months, isNew ? after?.subscription_months : null),
    until: textOf(after?.expiry_date, after?.expires_at, data.expires_at),
    cost: numberOf(data.cost) || null,
    credits:
      movedCredits(row) ??
      (action.startsWith('credits.')
        ? null
        : numberOf(after?.credits, data.credits, isDelete ? before?.credits : null) || null),
    count: numberOf(data.count),
    lines: numberOf(data.suspended_lines, data.resumed_lines, data.moved, data.retried),
    code: codes.get(textOf(data.transfer_id) ?? '') ?? textOf(data.code),
    label: isCodes || action.startsWith('code.') ? textOf(after?.description) : null,
    reason: textOf(data.reason, after?.reason),
  };
}

/** The expression of the index on the audit log's words. */
export const auditWords = sql`folded_audit_words(subject_id, data, before, after, address, request_id)`;

/**
 * SQL condition: the redemption is of a code with one of these texts, and the reader may read it. The array is read
 * once, so that the index of redemptions finds their entries.
 */
export const isOfCode = (reader: Scope | null, pattern: string) => sql<SqlBool>`(
  ${reader !== null} and action = 'credits.redeem' and data ->> 'transfer_id' = any(array(
    select transfer_id::text from redeem_code_history where code ilike ${pattern}
      and (${reader?.sees_all ?? false} or user_id::text = ${reader?.account_id ?? ''}))))`;

/**
 * Texts of redeemed codes, by transfer. Only administrators and the account that redeemed a code
 * get its text, because others could redeem the code too.
 */
async function readRedeemedCodes(
  db: Db,
  reader: Scope | null,
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows
    .filter(({ action }) => action === 'credits.redeem')
    .flatMap(({ data }) => textOf((data as Record<string, unknown>).transfer_id) ?? []);
  if (ids.length === 0 || !reader) return new Map();
  const { rows: found } = await sql<{ id: string; code: string }>`
    select transfer_id as id, code from redeem_code_history where transfer_id = any(${ids}::uuid[])
      and (${reader.sees_all} or user_id::text = ${reader.account_id})`.execute(db);
  return new Map(found.map(({ id, code }) => [id, code]));
}

interface Asked {
  accounts?: readonly (string | null)[];
  lines?: readonly (string | null)[];
  servers?: readonly (string | null)[];
}

interface NamedAccount {
  name: string;
  email: string;
}

/** Names of the subjects that still exist and that the reader may see. */
interface SubjectNames {
  accounts: ReadonlyMap<string, NamedAccount>;
  lines: ReadonlyMap<string, string>;
  servers: ReadonlyMap<string, string>;
}

/** A UUID. Subjects in the audit log are texts, and the panel itself has no id. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const idsOf = (given: readonly (string | null)[] = []) => [
  ...new Set(given.filter((id): id is string => id !== null && UUID.test(id))),
];

/** Reads the names of all requested ids in one statement. Anyone who may sell sees the names of servers. */
export async function readNames(
  db: Db,
  scopes: { accounts: Scope; lines: Scope },
  asked: Asked,
): Promise<SubjectNames> {
  const [accounts, lines, servers] = [asked.accounts, asked.lines, asked.servers].map(idsOf);
  const { rows } = await sql<{ kind: keyof Asked; id: string; name: string; email: string }>`
    select 'accounts' as kind, id, coalesce(nullif(full_name, ''), email) as name, email
      from auth_users
      where id = any(${accounts}::uuid[]) and ${visibleTo(scopes.accounts, 'auth_users.id')}
    union all
    select 'lines', id, username, '' from users
      where id = any(${lines}::uuid[]) and ${visibleTo(scopes.lines, 'users.owner_id')}
    union all
    select 'servers', id, server_name, '' from cccam_servers
      where id = any(${servers}::uuid[])`.execute(db);
  const of = (kind: keyof Asked) => rows.filter((row) => row.kind === kind);
  return {
    accounts: new Map(of('accounts').map(({ id, name, email }) => [id, { name, email }])),
    lines: new Map(of('lines').map(({ id, name }) => [id, name])),
    servers: new Map(of('servers').map(({ id, name }) => [id, name])),
  };
}

interface NamedRecord {
  name: string;
  exists: boolean;
}

/** Table and column with the names of records other than accounts, lines and servers, by type of subject. */
const recordNames: Record<string, [table: string, name: RawBuilder<unknown>]> = {
  group: ['groups', sql`name`],
  code: ['redeem_codes', sql`code`],
  article: ['articles', sql`title`],
  contact: ['contact_messages', sql`subject`],
  plan: ['plans', sql`name`],
  pricelist: ['price_lists', sql`name`],
  package: ['credit_packages', sql`name`],
  message: ['messages', sql`title`],
  ticket: ['tickets', sql`'#' || number || ' ' || title`],
  cannedreply: ['canned_replies', sql`title`],
  topup: [
    'top_ups',
    sql`(select coalesce(nullif(full_name, ''), email) from auth_users
      where auth_users.id = account_id)`,
  ],
};

/**
 * Reads names of records other than accounts, lines and servers, by their ids. Of deleted records only codes have a
 * name, as the entry of their deletion has it: earlier entries must not hold a code that could still be redeemed.
 */
async function readRecordNames(
  db: Db,
  subjects: readonly Pick<AuditRow, 'subject_type' | 'subject_id'>[],
  sees_codes: boolean,
): Promise<ReadonlyMap<string, NamedRecord>> {
  const byType = Map.groupBy(subjects, ({ subject_type }) => subject_type);
  const selects = Object.entries(recordNames).flatMap(([type, [table, name]]) => {
    const ids = byType.get(type)?.map(({ subject_id }) => subject_id);
    if (!ids || (type === 'code' && !sees_codes)) return [];
    const isText = type === 'group';
    const found = sql`select id::text, ${name} as name, true as exists,
        ${type === 'topup' ? sql`number` : sql`null::bigint`} as number
      from ${sql.table(table)} where id = any(${ids}${isText ? sql`::text[]` : sql`::uuid[]`})`;
    if (type !== 'code') return [found];
    const deleted = sql`select subject_id, data ->> 'code', false, null from audit_log
      where subject_type = 'code' and subject_id = any(${ids}::text[])
        and action = 'code.delete' and data ? 'code'`;
    return [found, deleted];
  });
  if (selects.length === 0) return new Map();
  const { rows } = await sql<NamedRecord & { id: string; number: number | null }>`
    ${sql.join(selects, sql` union all `)}`.execute(db);
  return new Map(
    rows.map(({ id, name, number, exists }) => [
      id,
      { name: number === null ? name : `${topUpNumber(Number(number))} · ${name}`, exists },
    ]),
  );
}

/** Fields of entries that contain ids, by the type of record. */
const idFields = {
  accounts: ['account_id', 'assigned_to', 'owner_id', 'recipient_id', 'user_id'],
  servers: ['server_id', 'to_server_id'],
  articles: ['translation_of'],
};

function idsIn(rows: readonly AuditRow[], fields: readonly string[]): string[] {
  const held = rows.flatMap(({ before, after, data }) => [before, after, data]);
  const values = held.flatMap((state) =>
    fields.map((field) => (state as Record<string, unknown> | null)?.[field]),
  );
  return values.filter((value): value is string => typeof value === 'string');
}

/** Names of the records and codes that audit entries refer to, as far as the reader may see them. */
export interface EntryNames extends SubjectNames {
  records: ReadonlyMap<string, NamedRecord>;
  codes: ReadonlyMap<string, string>;
}

interface EntryReader {
  accounts: Scope;
  lines: Scope;
  /** Accounts whose codes the reader may see; null if none. */
  codes: Scope | null;
  /** True for administrators, who alone see the names of groups, packages and so on. */
  isAdmin: boolean;
}

/** Reads the names of all records that entries refer to, and of the other ids requested. */
export async function readEntryNames(
  db: Db,
  reader: EntryReader,
  rows: readonly AuditRow[],
  more: Asked = {},
): Promise<EntryNames> {
  const subjects = (type: string) =>
    rows.filter(({ subject_type }) => subject_type === type).map(({ subject_id }) => subject_id);
  const names = await readNames(db, reader, {
    accounts: [
      ...rows.map(({ actor_id }) => actor_id),
      ...subjects('account'),
      ...idsIn(rows, idFields.accounts),
      ...(more.accounts ?? []),
    ],
    lines: [...subjects('line'), ...(more.lines ?? [])],
    servers: [...subjects('server'), ...idsIn(rows, idFields.servers), ...(more.servers ?? [])],
  });
  const articles = idsIn(rows, idFields.articles).map((subject_id) => ({
    subject_type: 'article',
    subject_id,
  }));
  const records = reader.isAdmin
    ? await readRecordNames(db, [...rows, ...articles], reader.codes !== null)
    : new Map();
  return { ...names, records, codes: await readRedeemedCodes(db, reader.codes, rows) };
}

/** The names of the existing records that the fields of one entry refer to, by id. */
export function namesIn(row: AuditRow, names: EntryNames): Record<string, string> {
  const ids = idsIn([row], Object.values(idFields).flat());
  const nameOf = (id: string) =>
    names.accounts.get(id)?.name ?? names.servers.get(id) ?? names.records.get(id)?.name;
  return Object.fromEntries(
    ids.flatMap((id) => {
      const name = nameOf(id);
      return name === undefined ? [] : [[id, name] as const];
    }),
  );
}

const nameFields = ['server_name', 'username', 'email', 'title', 'package_name', 'name'] as const;

/** The name of the subject in the entry itself, because the subject may be deleted; null if the entry has none. */
const lastNameOf = ({ data, before, after }: AuditRow) =>
  textOf(
    ...nameFields.flatMap((field) =>
      [after, before, data as Record<string, unknown>].map((fields) => fields?.[field]),
    ),
  );

/** The facts of an act, and the name of its subject. Several codes have the name of their label. */
export function describeAct(row: AuditRow, names: EntryNames) {
  const { subject_id } = row;
  const facts = factsOf(row, names.codes);
  const current =
    names.lines.get(subject_id) ??
    names.accounts.get(subject_id)?.name ??
    names.servers.get(subject_id);
  const record = names.records.get(subject_id);
  return {
    facts,
    subject_name: facts.count === null ? (current ?? record?.name ?? lastNameOf(row)) : facts.label,
    subject_exists: current !== undefined || record?.exists === true,
  };
}
