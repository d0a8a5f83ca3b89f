import type * as contract from '@linekeeper/contract/activity.ts';
import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import type { Parsed } from '@linekeeper/contract/endpoint.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type { AuditSubject } from '@linekeeper/contract/lists/audit-subjects.ts';
import type { ActivityKind, activityList } from '@linekeeper/contract/lists/lists.ts';
import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { CreditTransfersTable, LinePushesTable } from '../../db/schema/append-only-schema.ts';
import type { Db } from '../../db/transaction.ts';
import {
  type AuditRow,
  auditWords,
  describeAct,
  type EntryNames,
  isOfCode,
  noFacts,
  readEntryNames,
} from '../../domain/audit/act-facts.ts';
import {
  accountScope,
  isVisibleTo,
  lineScope,
  requireVisible,
  type Scope,
  visibleTo,
} from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { readBalancesAfter } from '../../domain/credits/balances-after.ts';
import { ISSUANCE, SALES } from '../../domain/credits/credits.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import { withinDays } from '../../platform/clock.ts';
import { escapeLike, likeFolded } from '../../platform/paging/escape-like.ts';
import { anyOf, type SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging/pages.ts';

type TransferRow = Selectable<CreditTransfersTable>;
type PushRow = Selectable<LinePushesTable>;

const idOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** Fields of an event that depend on its source. */
type OwnFields = Omit<ActivityEntry, 'id' | 'created_at'>;

const nothing = {
  changes: [],
  facts: noFacts,
  note: null,
  cost: null,
  transfer_id: null,
  transfer: null,
  push: null,
  address: null,
  request_id: null,
} satisfies Partial<ActivityEntry>;

interface EntryContext {
  names: EntryNames;
  /** Ids of subjects that still exist but belong to others. */
  foreign: ReadonlySet<string>;
  isAdmin: boolean;
}

const accountNamed = ({ names }: EntryContext, id: string | null) => {
  const name = names.accounts.get(id ?? '')?.name ?? null;
  return { id: name === null ? null : id, name };
};

/** A field's value, with names instead of ids, and without facts about accounts that the reader may not see. */
function shownValue({ names }: EntryContext, field: string, value: unknown): unknown {
  const id = idOf(value);
  if (id && field === 'owner_id') return names.accounts.get(id)?.name ?? null;
  if (id && field === 'server_id') return names.servers.get(id) ?? id;
  return value ?? null;
}

function changesOf(
  context: EntryContext,
  { before, after, data }: AuditRow,
): ActivityEntry['changes'] {
  const fields = Object.keys({ ...before, ...after });
  const shown = fields.map((field) => ({
    field,
    before: shownValue(context, field, before?.[field]),
    after: shownValue(context, field, after?.[field]),
  }));
  // An entry shows only that a password was changed, never the password.
  const { fields: given } = data as { fields?: unknown };
  const isNew = Array.isArray(given) && given.includes('password');
  return isNew ? [...shown, { field: 'password', before: null, after: null }] : shown;
}

/** The entry of an act. If its subject belongs to others now, only kind, time and actor are shown. */
function actEntry(context: EntryContext, row: AuditRow): OwnFields {
  const { action, subject_type, subject_id, actor_id, address, request_id } = row;
  const data = row.data as Record<string, unknown>;
  const act = {
    ...nothing,
    source: 'audit' as const,
    action,
    actor: actor_id === null ? null : accountNamed(context, actor_id),
    subject_type: subject_type as AuditSubject,
    address: context.isAdmin ? address : null,
    request_id: context.isAdmin ? request_id : null,
  };
  if (context.foreign.has(subject_id)) {
    return { ...act, subject_id: null, subject_name: null, subject_exists: false };
  }
  return {
    ...act,
    ...describeAct(row, context.names),
    subject_id,
    changes: changesOf(context, row),
    note: idOf(data.note),
    cost: typeof data.cost === 'number' ? data.cost : null,
    transfer_id: idOf(data.transfer_id),
  };
}

function transferEntry(
  context: EntryContext,
  row: TransferRow,
  [owner, balance_after]: [string | null, number | null],
): OwnFields {
  const { names } = context;
  const isReceived = owner === row.to_id;
  const other = isReceived ? row.from_id : row.to_id;
  return {
    ...nothing,
    source: 'transfer',
    action: row.kind,
    actor: row.actor_id === null ? null : accountNamed(context, row.actor_id),
    subject_type: row.line_id ? 'line' : 'account',
    subject_id: row.line_id ?? accountNamed(context, owner).id,
    subject_name: row.username ?? accountNamed(context, owner).name,
    subject_exists: row.line_id === null || names.lines.has(row.line_id),
    note: row.note,
    transfer_id: row.id,
    transfer: {
      amount: isReceived ? row.amount : -row.amount,
      balance_after,
      other: [ISSUANCE, SALES].includes(other) ? null : accountNamed(context, other),
    },
  };
}

function pushEntry({ names }: EntryContext, row: PushRow): OwnFields {
  const { ok, failures, took_ms } = row;
  return {
    ...nothing,
    source: 'push',
    action: row.operation,
    actor: null,
    subject_type: 'line',
    subject_id: row.line_id,
    subject_name: names.lines.get(row.line_id) ?? row.username,
    subject_exists: names.lines.has(row.line_id),
    push: {
      ok,
      failures,
      took_ms,
      server_name: names.servers.get(row.server_id) ?? null,
      ...findingWithMessage(row.finding),
    },
  };
}

type Source = ActivityEntry['source'];

/** A part of a history: rows of one table, which an index has in order of time. */
interface HistoryPart {
  source: Source;
  where: RawBuilder<unknown>;
}

const tables = { audit: 'audit_log', transfer: 'credit_transfers', push: 'line_pushes' } as const;
const sortColumns: SortColumns<typeof activityList> = {
  created_at: { ref: 'event.created_at', type: 'timestamptz' },
};

function eventsOf(db: Db, parts: readonly HistoryPart[]) {
  const selects = parts.map(
    ({ source, where }) => sql`select id, created_at, ${sql.lit(source)} as source
      from ${sql.table(tables[source])} where ${where}`,
  );
  return db.selectFrom(sql<Event>`(${sql.join(selects, sql` union all `)})`.as('event'));
}

interface Scopes {
  accounts: Scope;
  lines: Scope;
  /** Accounts whose credits the reader may see. */
  credits: Scope;
  codes: Scope | null;
}

function scopesOf({ actor, sees_codes }: Ctx): Scopes {
  const credits = { account_id: actor.id, sees_all: actor.is_admin };
  return {
    accounts: accountScope(actor),
    lines: lineScope(actor),
    credits,
    codes: sees_codes ? credits : null,
  };
}

type Event = { id: string; created_at: Date; source: Source };

/** Reads the rows of one table that the events of a page refer to. */
async function readRows<Row>(db: Db, source: Source, events: readonly Event[]): Promise<Row[]> {
  const ids = events.filter((event) => event.source === source).map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`select * from ${sql.table(tables[source])}
    where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Ids of subjects that still exist but belong to others. */
async function readForeign(db: Db, names: EntryNames, rows: readonly AuditRow[]) {
  const unnamed = rows
    .filter(({ subject_type: type, subject_id: id }) =>
      type === 'line' ? !names.lines.has(id) : type === 'account' && !names.accounts.has(id),
    )
    .map(({ subject_id }) => subject_id);
  if (unnamed.length === 0) return new Set<string>();
  const { rows: found } = await sql<{ id: string }>`
    select id from users where id = any(${unnamed}::uuid[])
    union all select id from auth_users where id = any(${unnamed}::uuid[])`.execute(db);
  return new Set(found.map(({ id }) => id));
}

/**
 * One page of a history, limited to what the reader may see. `about` is the account whose history it is, if any. Throws
 * INVALID_CURSOR.
 */
async function readHistory(
  ctx: Ctx,
  request: PageRequest,
  parts: readonly HistoryPart[],
  about?: string,
): Promise<Page<ActivityEntry>> {
  const { db, actor } = ctx;
  const matching = eventsOf(db, parts);
  const listed = matching.select(['event.id', 'event.created_at', 'event.source']);
  const page = await readPage(db, request, sortColumns, 'event.id', matching, listed);
  const events: readonly Event[] = page.items;
  const [acts, transfers, pushes] = await Promise.all([
    readRows<AuditRow>(db, 'audit', events),
    readRows<TransferRow>(db, 'transfer', events),
    readRows<PushRow>(db, 'push', events),
  ]);
  const reader = { ...scopesOf(ctx), isAdmin: actor.is_admin };
  const names = await readEntryNames(db, reader, acts, {
    accounts: transfers.flatMap(({ from_id, to_id, actor_id }) => [from_id, to_id, actor_id]),
    lines: [...transfers, ...pushes].map(({ line_id }) => line_id),
    servers: pushes.map(({ server_id }) => server_id),
  });
  const context = { names, foreign: await readForeign(db, names, acts), isAdmin: actor.is_admin };
  const owned = transfers.map((row) => {
    const seen = [row.from_id, row.to_id].filter((party) => names.accounts.has(party));
    return { row, id: row.id, owner: seen.find((party) => party === about) ?? seen[0] ?? null };
  });
  const balances = await readBalancesAfter(
    db,
    owned.flatMap(({ id, owner }) => (owner ? [{ id, account_id: owner }] : [])),
  );
  const entries = new Map([
    ...acts.map((row) => [row.id, actEntry(context, row)] as const),
    ...owned.map(
      ({ row, id, owner }) =>
        [id, transferEntry(context, row, [owner, balances.get(id) ?? null])] as const,
    ),
    ...pushes.map((row) => [row.id, pushEntry(context, row)] as const),
  ]);
  const items = events.map(({ id, created_at }) => {
    const entry = entries.get(id);
    if (!entry) throw new Error(`The event ${id} has no row`);
    return { id, created_at: created_at.toISOString(), ...entry };
  });
  return { ...page, items };
}

type Filters = Omit<Parsed<typeof contract.accountActivity>['query'], 'limit' | 'cursor' | 'sort'>;
type Condition = Expression<SqlBool>;

/** Audited acts that concern the access to an account. */
const accessActs = [
  'account.change_password',
  'account.reset_password',
  'account.reset_on_machine',
  'account.two_factor_on',
  'account.two_factor_off',
  'account.new_recovery_codes',
  'account.use_recovery_code',
  'account.reset_link',
  'account.mail_link',
  'account.sign_in',
  'account.sign_out',
  'account.wrong_password',
  'account.create_api_key',
  'account.revoke_api_key',
  'account.create_webhook',
  'account.edit_webhook',
  'account.delete_webhook',
  'account.rotate_webhook',
];
/** The part before the dot in the names of the other acts, by kind of entry. */
const wordsOf = {
  lines: ['line', 'job', 'sync'],
  credits: ['credits', 'code', 'package', 'topup'],
  account: ['account'],
};

const listOf = (texts: readonly string[]) => sql.join(texts.map((text) => sql.lit(text)));
const isAccess = sql<SqlBool>`action in (${listOf(accessActs)})`;
const beginsWith = (words: readonly string[]) =>
  sql<SqlBool>`split_part(action, '.', 1) in (${listOf(words)})`;

const actsOf: Record<ActivityKind, Condition> = {
  lines: beginsWith(wordsOf.lines),
  credits: beginsWith(wordsOf.credits),
  access: isAccess,
  account: sql<SqlBool>`${beginsWith(wordsOf.account)} and not ${isAccess}`,
  other: sql<SqlBool>`not ${beginsWith(Object.values(wordsOf).flat())}`,
};

const always = sql<SqlBool>`true`;
/** The condition of a part that has no rows for the reader. */
const never = sql<SqlBool>`false`;

function isOfKind(source: Source, kind: ActivityKind): Condition {
  if (source === 'audit') return actsOf[kind];
  if (kind === 'lines') return source === 'push' ? always : sql<SqlBool>`line_id is not null`;
  return source === 'transfer' && kind === 'credits' ? always : never;
}

/** Lines or accounts with a matching name that a search follows, at most. */
const MOST_NAMED = 200;

/** Ids of lines and accounts that the reader sees, with a matching name. */
async function readNamedIds(db: Db, scopes: Scopes, q: string): Promise<string[]> {
  const pattern = likeFolded(q);
  const { rows } = await sql<{ id: string }>`
    (select id from users where search like ${pattern} and fold(username) like ${pattern}
      and ${visibleTo(scopes.lines, 'users.owner_id')} limit ${MOST_NAMED})
    union all (select id from auth_users where auth_users.search like ${pattern}
      and ${visibleTo(scopes.accounts, 'auth_users.id')} limit ${MOST_NAMED})`.execute(db);
  return rows.map(({ id }) => id);
}

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const subject = sql`case when subject_id ~ ${sql.lit(UUID)} then subject_id::uuid end`;

/** SQL condition: the subject belongs to others now, so a search must not reveal facts about it. */
const isForeign = ({ lines, accounts }: Scopes) => sql<SqlBool>`(
  exists (select from users where users.id = ${subject}
    and not ${isVisibleTo(lines, 'users.owner_id')})
  or exists (select from auth_users where auth_users.id = ${subject}
    and not ${isVisibleTo(accounts, 'auth_users.id')}))`;

/** SQL of the texts of an entry that accounts other than administrators may search, without ids and addresses. */
const searchableWords = sql`folded_audit_words('',
  data - '{job_id,transfer_id,code_id,api_key_id,to_server_id,browser,system}'::text[],
  before - '{owner_id,server_id}'::text[], after - '{owner_id,server_id}'::text[], null, null)`;

/** SQL condition: the act is the reader's own, or not about a ticket or message, which only its owner may search. */
const isOwnOrShared = ({ credits }: Scopes) => sql<SqlBool>`(
  subject_type not in ('ticket', 'message', 'contact') or actor_id = ${credits.account_id})`;

async function searchFor(ctx: Ctx, q: string): Promise<Record<Source, Condition>> {
  const scopes = scopesOf(ctx);
  const pattern = likeFolded(q);
  const code = `%${escapeLike(q)}%`;
  const ids = await readNamedIds(ctx.db, scopes, q);
  const isNamed = (column: string) => sql<SqlBool>`${sql.ref(column)} = any(${ids}::uuid[])`;
  const isWritten = ctx.actor.is_admin
    ? sql<SqlBool>`${auditWords} like ${pattern}`
    : sql<SqlBool>`${searchableWords} like ${pattern} and not ${isForeign(scopes)}`;
  return {
    audit: sql<SqlBool>`(${isNamed('actor_id')} or subject_id = any(${ids}::text[]) or (${isWritten})
      or ${isOfCode(scopes.codes, code)})`,
    transfer: sql<SqlBool>`(fold(note) like ${pattern} or fold(username) like ${pattern}
      or ${isNamed('from_id')} or ${isNamed('to_id')} or ${isNamed('actor_id')})`,
    push: sql<SqlBool>`(fold(username) like ${pattern} or ${isNamed('line_id')})`,
  };
}

/** The parts of a history, each with the conditions of the filters added. */
async function filterParts(
  ctx: Ctx,
  parts: readonly HistoryPart[],
  { q, kind, from, to }: Filters,
): Promise<HistoryPart[]> {
  const found = q ? await searchFor(ctx, q) : undefined;
  const within = withinDays('created_at', { from, to }, ctx.config.time_zone);
  return parts.map(({ source, where }) => {
    const isOfKinds = kind ? [anyOf(kind.map((one) => sql`(${isOfKind(source, one)})`))] : [];
    const isFound = found ? [found[source]] : [];
    const all = [sql`(${where})`, ...within, ...isOfKinds, ...isFound];
    return { source, where: sql.join(all, sql` and `) };
  });
}

/**
 * One page of an account's history: its audit entries, its transfers of credits and the pushes of its lines, each only
 * if the reader may see it. Throws USER_NOT_FOUND for an account that the reader may not see, and INVALID_CURSOR.
 */
export const accountActivity: Action<typeof contract.accountActivity> = async (ctx, input) => {
  const { db, actor } = ctx;
  const { id } = input.params;
  await requireVisible(db, 'auth_users', accountScope(actor), id);
  const isBelow = await db
    .selectFrom('account_tree')
    .select('account_id')
    .where('ancestor_id', '=', actor.id)
    .where('account_id', '=', id)
    .executeTakeFirst();
  const scopes = scopesOf(ctx);
  const { credits, lines } = scopes;
  const isSubject = sql`subject_type = 'account' and subject_id = ${id}`;
  const seesCredits = credits.sees_all || isBelow;
  const seesLines = lines.sees_all || isBelow;
  const isShown = actor.is_admin ? always : isOwnOrShared(scopes);
  const parts: HistoryPart[] = [
    { source: 'audit', where: isSubject },
    { source: 'audit', where: sql`actor_id = ${id} and not (${isSubject}) and ${isShown}` },
    { source: 'transfer', where: seesCredits ? sql`from_id = ${id}` : never },
    { source: 'transfer', where: seesCredits ? sql`to_id = ${id}` : never },
    { source: 'push', where: seesLines ? sql`owner_id = ${id}` : never },
  ];
  return readHistory(ctx, input.query, await filterParts(ctx, parts, input.query), id);
};

/**
 * The time at which a line last came from an account that the reader may not see, because its
 * earlier history belongs to that account. The time has microseconds, so it is kept as a text.
 */
async function readArrival(db: Db, scope: Scope, id: string): Promise<string> {
  if (scope.sees_all) return '-infinity';
  const { rows } = await sql<{ moment: string | null }>`
    select max(created_at)::text as moment from audit_log
      where subject_type = 'line' and subject_id = ${id} and jsonb_exists(after, 'owner_id')
        and before ->> 'owner_id' not in (
          select account_id::text from account_tree where ancestor_id = ${scope.account_id})`.execute(
    db,
  );
  return rows[0]?.moment ?? '-infinity';
}

/**
 * One page of a line's history: its audit entries, transfers and pushes since the reader may see it. Throws
 * LINE_NOT_FOUND for a line that the reader may not see, and INVALID_CURSOR.
 */
export const lineActivity: Action<typeof contract.lineActivity> = async (ctx, input) => {
  const { db, actor } = ctx;
  const { id } = input.params;
  const scope = lineScope(actor);
  await requireVisible(db, 'users', scope, id);
  const { credits } = scopesOf(ctx);
  const since = sql`created_at >= ${await readArrival(db, scope, id)}::timestamptz`;
  return readHistory(ctx, input.query, [
    {
      source: 'audit',
      where: sql`subject_type = 'line' and subject_id = ${id} and ${since}`,
    },
    {
      source: 'transfer',
      where: sql`line_id = ${id} and ${since}
        and (${visibleTo(credits, 'from_id')} or ${visibleTo(credits, 'to_id')})`,
    },
    { source: 'push', where: sql`line_id = ${id} and ${since}` },
  ]);
};
