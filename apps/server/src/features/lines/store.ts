import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { type Line, MASKED_PASSWORD, type SyncState } from '@linekeeper/contract/lines.ts';
import { type Insertable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type Scope, visibleTo } from '../../core/access.ts';
import { literalInPattern } from '../../core/literal.ts';
import {
  type AnyQuery,
  countUpTo,
  type Page,
  readPage,
  type SortColumn,
} from '../../core/pages.ts';
import { fail } from '../../core/refusal.ts';
import type { UsersTable } from '../../db/schema.ts';
import type { Db } from '../../db/transaction.ts';

const EXPIRING_DAYS = 7;

/** The lines of a scope, without what belongs to them: to filter, sort and count. */
export function visibleLines(db: Db, scope: Scope) {
  return db.selectFrom('users').where(visibleTo(scope, 'users.owner_id'));
}
type Lines = ReturnType<typeof visibleLines>;

/** Lines of anybody with their owner and what their server is to hold. */
function completeLines(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .leftJoin('server_accounts as push', (join) =>
      join
        .onRef('push.server_id', '=', 'users.server_id')
        .onRef('push.username', '=', 'users.username'),
    )
    .select((eb) => [
      'users.id',
      'users.username',
      'users.protocol',
      'users.host_port',
      'users.user_value',
      'users.added_date',
      'users.expiry_date',
      'users.live_channel',
      'users.info',
      'users.notes',
      'users.status',
      'users.name',
      'users.company',
      'users.role',
      'users.avatar_url',
      'users.email',
      'users.owner_id',
      'owner.email as owner_email',
      'users.server_id',
      'users.is_trial',
      'users.subscription_months',
      'users.created_at',
      'users.updated_at',
      'push.last_message as sync_message',
      eb.val(MASKED_PASSWORD).as('password'),
      sql<SyncState>`coalesce(push.sync_state, 'synced')`.as('sync_state'),
    ]);
}

type LineRow =
  ReturnType<typeof completeLines> extends SelectQueryBuilder<infer _D, infer _T, infer Row>
    ? Row
    : never;

function toLine({ sort_value: _, ...row }: LineRow & { sort_value?: string }): Line {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Undefined for a missing line and for someone else's alike. */
export async function seekLine(db: Db, scope: Scope, id: string): Promise<Line | undefined> {
  const row = await completeLines(db)
    .where('users.id', '=', id)
    .where(visibleTo(scope, 'users.owner_id'))
    .executeTakeFirst();
  return row && toLine(row);
}

/** Throws LINE_NOT_FOUND for a missing line and for someone else's alike. */
export async function findLine(db: Db, scope: Scope, id: string): Promise<Line> {
  return (await seekLine(db, scope, id)) ?? fail('LINE_NOT_FOUND');
}

export async function findSealedPassword(db: Db, scope: Scope, id: string): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select('password')
    .where('id', '=', id)
    .where(visibleTo(scope, 'users.owner_id'))
    .executeTakeFirst();
  return row ? row.password : fail('LINE_NOT_FOUND');
}

export interface LineFilters {
  q?: string | undefined;
  status?: 'active' | 'expired' | 'inactive' | 'suspended' | undefined;
  server_id?: string | undefined;
  owner_id?: string | undefined;
  is_trial?: boolean | undefined;
  expires_within?: number | undefined;
  sync_state?: SyncState | undefined;
}

const sortColumns: Record<string, SortColumn> = {
  added_date: { ref: 'users.added_date', type: 'date' },
  expiry_date: { ref: 'users.expiry_date', type: 'date' },
  username: { ref: 'users.username', type: 'text' },
};

const isActive = (today: Day) =>
  sql<SqlBool>`users.expiry_date >= ${today} and users.status_label = 'active'`;
const isExpired = (today: Day) =>
  sql<SqlBool>`(users.expiry_date < ${today} or users.status_label = 'expired')`;
const expiresWithin = (today: Day, days: number) =>
  sql<SqlBool>`users.expiry_date between ${today} and ${addDays(today, days)}`;

/**
 * Asked from the table of pushes, where few wait: seen from the lines, each would be looked up. Their
 * states stand in the text of the query, as only so an index of these few may answer.
 */
function hasPush(inState: ReturnType<typeof sql<SqlBool>>) {
  return sql<SqlBool>`exists (select from server_accounts as push
    where push.server_id = users.server_id and push.username = users.username
      and ${inState})`;
}

const inSyncState: Record<SyncState, ReturnType<typeof sql<SqlBool>>> = {
  synced: sql<SqlBool>`not ${hasPush(sql`push.sync_state <> 'synced'`)}`,
  pending: hasPush(sql`push.sync_state = 'pending'`),
  failed: hasPush(sql`push.sync_state = 'failed'`),
};

/**
 * From three letters anywhere in the searched fields; below that only the start of the username. What
 * would be a wildcard is escaped after folding, which makes a % of its full-width form.
 */
function matchesText(q: string) {
  return q.length < 3
    ? sql<SqlBool>`users.username like ${`${literalInPattern(q)}%`}`
    : sql<SqlBool>`users.search like
        '%' || regexp_replace(fold(${q}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`;
}

export function filterLines(lines: Lines, filters: LineFilters, today: Day): Lines {
  let found = lines;
  if (filters.q) found = found.where(matchesText(filters.q));
  if (filters.status === 'active') found = found.where(isActive(today));
  else if (filters.status === 'expired') found = found.where(isExpired(today));
  else if (filters.status) found = found.where('users.status_label', '=', filters.status);
  if (filters.server_id) found = found.where('users.server_id', '=', filters.server_id);
  if (filters.owner_id) found = found.where('users.owner_id', '=', filters.owner_id);
  if (filters.is_trial !== undefined) found = found.where('users.is_trial', '=', filters.is_trial);
  if (filters.expires_within !== undefined) {
    found = found.where(expiresWithin(today, filters.expires_within));
  }
  if (filters.sync_state) found = found.where(inSyncState[filters.sync_state]);
  return found;
}

export async function listLines(
  db: Db,
  scope: Scope,
  today: Day,
  query: LineFilters & { limit: number; sort: string; cursor?: string | undefined },
): Promise<Page<Line>> {
  const matching = filterLines(visibleLines(db, scope), query, today);
  const page = await readPage(db, query, sortColumns, 'users.id', matching, completeLines(db));
  return { ...page, items: page.items.map(toLine) };
}

/** Each figure is counted up to MOST_COUNTED, so it costs the same however many lines there are. */
export async function countLines(db: Db, scope: Scope, today: Day) {
  const lines = visibleLines(db, scope);
  const ended = lines.where('users.expiry_date', '<', today).select('users.id');
  const markedExpired = lines
    .where('users.expiry_date', '>=', today)
    .where('users.status_label', '=', 'expired')
    .select('users.id');
  const count = (matching: AnyQuery<object>) => countUpTo(MOST_COUNTED, matching);
  return db
    .selectNoFrom([
      count(lines).as('all'),
      count(lines.where(isActive(today))).as('active'),
      count(lines.where(expiresWithin(today, EXPIRING_DAYS))).as('expiring'),
      // In two halves, as one condition with an OR no index answers.
      count(db.selectFrom(ended.unionAll(markedExpired).as('expired'))).as('expired'),
      count(lines.where('users.is_trial', '=', true)).as('trials'),
      count(lines.where(inSyncState.failed)).as('not_synced'),
    ])
    .executeTakeFirstOrThrow();
}

/** Trials that have not ended, of one account itself. */
export async function countLiveTrials(db: Db, ownerId: string, today: Day): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)`.as('count'))
    .where('owner_id', '=', ownerId)
    .where('is_trial', '=', true)
    .where('expiry_date', '>=', today)
    .executeTakeFirstOrThrow();
  return count;
}

/** False where the username is taken. */
export async function insertLine(db: Db, row: Insertable<UsersTable>): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}
