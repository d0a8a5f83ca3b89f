import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type { AuditSubject } from '@linekeeper/contract/lists/audit-actions.ts';
import type { activityList } from '@linekeeper/contract/lists/lists.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { CreditTransfersTable, LinePushesTable } from '../../db/schema/append-only-schema.ts';
import type { Db } from '../../db/transaction.ts';
import {
  type AuditRow,
  describeAct,
  type EntryNames,
  noFacts,
  readEntryNames,
} from '../../domain/audit/act-facts.ts';
import { accountScope, lineScope, type Scope } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { readBalancesAfter } from '../../domain/credits/balances-after.ts';
import { ISSUANCE, SALES } from '../../domain/credits/credits.ts';
import type { SortColumns } from '../../platform/paging/filtered.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging/pages.ts';

type TransferRow = Selectable<CreditTransfersTable>;
type PushRow = Selectable<LinePushesTable>;

const idOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** What each source has to say of its events. */
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
  /** Ids of subjects that are there but belong to others. */
  foreign: ReadonlySet<string>;
  isAdmin: boolean;
}

const accountNamed = ({ names }: EntryContext, id: string | null) => {
  const name = names.accounts.get(id ?? '')?.name ?? null;
  return { id: name === null ? null : id, name };
};

/** A field's value, with names instead of ids; nothing about accounts that the reader may not see. */
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
  // Of a password it is only known that it was changed.
  const { fields: given } = data as { fields?: unknown };
  const isNew = Array.isArray(given) && given.includes('password');
  return isNew ? [...shown, { field: 'password', before: null, after: null }] : shown;
}

/** Of an act on what belongs to others by now only its kind, time and actor are shown. */
function actEntry(context: EntryContext, row: AuditRow): OwnFields {
  const { action, subject_type, subject_id, actor_id, address, request_id } = row;
  const data = row.data as Record<string, unknown>;
  const act = {
    ...nothing,
    source: 'audit' as const,
    action,
    actor: actor_id === null ? null : accountNamed(context, actor_id),
    subject_type: subject_type as AuditSubject,
    ...(context.isAdmin && { address, request_id }),
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

export type Source = ActivityEntry['source'];

/** A part of a history: rows of one table, which an index has in order of time. */
export interface HistoryPart {
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

export interface Scopes {
  accounts: Scope;
  lines: Scope;
  /** Accounts whose credits the reader may see. */
  credits: Scope;
}

export function scopesOf({ actor }: Ctx): Scopes {
  return {
    accounts: accountScope(actor),
    lines: lineScope(actor),
    credits: { account_id: actor.id, sees_all: actor.is_admin },
  };
}

type Event = { id: string; created_at: Date; source: Source };

/** The rows of one table that the events of a page are of. */
async function readRows<Row>(db: Db, source: Source, events: readonly Event[]): Promise<Row[]> {
  const ids = events.filter((event) => event.source === source).map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`select * from ${sql.table(tables[source])}
    where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Ids of subjects that are there but belong to others. */
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

/** One page of a history, with what the reader may know of it. `about` is the account whose history it is, if any. */
export async function readHistory(
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
  const scopes = scopesOf(ctx);
  const reader = { ...scopes, codes: scopes.credits, isAdmin: actor.is_admin };
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
