import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import type { AuditSubject } from '@linekeeper/contract/lists/audit-actions.ts';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { readRedeemedCodes } from '../../domain/audit/act-facts.ts';
import { readRecordNames } from '../../domain/audit/record-names.ts';
import { readNames, type SubjectNames } from '../../domain/audit/subject-names.ts';
import { accountScope, lineScope, type Scope } from '../../domain/context/access.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { readBalancesAfter } from '../../domain/credits/balances-after.ts';
import {
  type Page,
  type PageRequest,
  readPage,
  type SortColumn,
} from '../../platform/paging/pages.ts';
import {
  type AuditRow,
  accountFields,
  idOf,
  type PushRow,
  serverFields,
  type TransferRow,
  tellAct,
  tellPush,
  tellTransfer,
} from './tell-event.ts';

export type Source = ActivityEntry['source'];

/** Where a part of a story stands: rows of one table, which an index has in order of time. */
export interface Part {
  source: Source;
  where: RawBuilder<unknown>;
}

const tables = { audit: 'audit_log', transfer: 'credit_transfers', push: 'line_pushes' } as const;
const sortColumns: Record<string, SortColumn> = {
  created_at: { ref: 'event.created_at', type: 'timestamptz' },
};

function eventsOf(db: Db, parts: readonly Part[]) {
  const selects = parts.map(
    ({ source, where }) => sql`select id, created_at, ${sql.lit(source)} as source
      from ${sql.table(tables[source])} where ${where}`,
  );
  type Event = { id: string; created_at: Date; source: Source };
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

interface Rows {
  audit: Map<string, AuditRow>;
  transfer: Map<string, TransferRow>;
  push: Map<string, PushRow>;
}

async function readRows(db: Db, events: readonly { id: string; source: Source }[]): Promise<Rows> {
  const read = async <Row extends { id: string }>(source: Source) => {
    const ids = events.filter((event) => event.source === source).map(({ id }) => id);
    if (ids.length === 0) return new Map<string, Row>();
    const { rows } = await sql<Row>`select * from ${sql.table(tables[source])}
      where id = any(${ids}::uuid[])`.execute(db);
    return new Map(rows.map((row) => [row.id, row]));
  };
  const [audit, transfer, push] = await Promise.all([
    read<AuditRow>('audit'),
    read<TransferRow>('transfer'),
    read<PushRow>('push'),
  ]);
  return { audit, transfer, push };
}

function idsIn(rows: Iterable<AuditRow>, fields: readonly string[]): string[] {
  return [...rows].flatMap(({ before, after }) =>
    [before, after].flatMap((state) => fields.flatMap((field) => idOf(state?.[field]) ?? [])),
  );
}

async function nameAll(db: Db, scopes: Scopes, { audit, transfer, push }: Rows) {
  const acts = [...audit.values()];
  const transfers = [...transfer.values()];
  const pushes = [...push.values()];
  const subjects = (type: AuditSubject) =>
    acts.filter(({ subject_type }) => subject_type === type).map(({ subject_id }) => subject_id);
  return readNames(db, scopes, {
    accounts: [
      ...acts.map(({ actor_id }) => actor_id),
      ...transfers.flatMap(({ from_id, to_id, actor_id }) => [from_id, to_id, actor_id]),
      ...subjects('account'),
      ...idsIn(acts, accountFields),
    ],
    lines: [
      ...subjects('line'),
      ...transfers.map(({ line_id }) => line_id),
      ...pushes.map(({ line_id }) => line_id),
    ],
    servers: [
      ...subjects('server'),
      ...pushes.map(({ server_id }) => server_id),
      ...idsIn(acts, serverFields),
    ],
  });
}

/** Ids of subjects that are there but belong to others. */
async function readForeign(db: Db, names: SubjectNames, rows: Iterable<AuditRow>) {
  const unnamed = [...rows]
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

/** One page of a story, told as far as the account that asks may know it. `about` is its account, if it has one. */
export async function readStory(
  ctx: Ctx,
  request: PageRequest,
  parts: readonly Part[],
  about?: string,
): Promise<Page<ActivityEntry>> {
  const { db, actor } = ctx;
  const matching = eventsOf(db, parts);
  const page = await readPage(
    db,
    request,
    sortColumns,
    'event.id',
    matching,
    eventsOf(db, parts).select(['event.id', 'event.created_at', 'event.source']),
  );
  const events: readonly { id: string; created_at: Date; source: Source }[] = page.items;
  const rows = await readRows(db, events);
  const names = await nameAll(db, scopesOf(ctx), rows);
  const foreign = await readForeign(db, names, rows.audit.values());
  const acts = [...rows.audit.values()];
  const telling = {
    names,
    foreign,
    isAdmin: actor.is_admin,
    records: actor.is_admin ? await readRecordNames(db, acts) : new Map(),
    codes: await readRedeemedCodes(db, { account_id: actor.id, sees_all: actor.is_admin }, acts),
  };
  const owners = new Map(
    [...rows.transfer.values()].map(({ id, from_id, to_id }) => {
      const seen = [from_id, to_id].filter((party) => names.accounts.has(party));
      return [id, seen.find((party) => party === about) ?? seen[0] ?? null] as const;
    }),
  );
  const balances = await readBalancesAfter(
    db,
    [...owners].flatMap(([id, account_id]) => (account_id ? [{ id, account_id }] : [])),
  );
  const tell = (id: string) => {
    const [act, moved, pushed] = [rows.audit.get(id), rows.transfer.get(id), rows.push.get(id)];
    if (act) return tellAct(telling, act);
    if (moved)
      return tellTransfer(telling, moved, [owners.get(id) ?? null, balances.get(id) ?? null]);
    if (pushed) return tellPush(telling, pushed);
    throw new Error(`The event ${id} has no row`);
  };
  const items = events.map(({ id, created_at }) => ({
    id,
    created_at: created_at.toISOString(),
    ...tell(id),
  }));
  return { ...page, items };
}
