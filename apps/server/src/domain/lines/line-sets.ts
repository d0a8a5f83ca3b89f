import { addDays, type Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import type { LineFilters, SyncState } from '@linekeeper/contract/lines/lines.ts';
import { type lineStatuses, linesList, syncStates } from '@linekeeper/contract/lists/lists.ts';
import type { PresenceState } from '@linekeeper/contract/servers/presence.ts';
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema/schema.ts';
import type { Db } from '../../db/transaction.ts';
import { escapeLike, likeFolded } from '../../platform/paging/escape-like.ts';
import { anyOf, filtered } from '../../platform/paging/filtered.ts';
import { foundFirst, isRare } from '../../platform/paging/rare-rows.ts';
import { type Scope, visibleTo } from '../context/access.ts';
import { isFormer } from '../machines/server-accounts.ts';
import { isKnown } from '../presence/presence.ts';
import { hasLongName } from './sent-names.ts';

type Lines = SelectQueryBuilder<Database, 'users', object>;
type Condition = RawBuilder<SqlBool>;
type LineStatus = (typeof lineStatuses)[number];

const isActive = (today: Day) =>
  sql<SqlBool>`users.expiry_date >= ${today} and users.status_label = 'active'`;
const isExpired = (today: Day) =>
  sql<SqlBool>`(users.expiry_date < ${today} or users.status_label = 'expired')`;
export const expiresWithin = (today: Day, days: number) =>
  sql<SqlBool>`users.expiry_date between ${today} and ${addDays(today, days)}`;

/** SQL condition: the line expired more than `days` days ago; with 0, before today. */
const expiredFor = (today: Day, days: number) =>
  sql<SqlBool>`users.expiry_date < ${addDays(today, -days)}`;

/** SQL literals. Parameters would not do, because the planner can use a partial index only for constants. */
const literals = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/**
 * SQL condition on a line's sync state. Reads the few pending pushes first, because a lookup for each line would be
 * slow. Synced lines are therefore those without a push in one of the other states.
 */
function inSyncState(states: readonly SyncState[]): Condition {
  const isSynced = states.includes('synced');
  const waiting = syncStates.filter(
    (state) => state !== 'synced' && states.includes(state) !== isSynced,
  );
  if (waiting.length === 0) return sql<SqlBool>`true`;
  const inOneOf =
    waiting.length === 1
      ? sql`push.sync_state = ${literals(waiting)}`
      : sql`push.sync_state <> 'synced'`;
  const hasPush = sql<SqlBool>`exists (select from server_accounts as push
    where push.of_line = users.id and push.username = users.username
      and not ${isFormer('push')} and ${inOneOf})`;
  return isSynced ? sql<SqlBool>`not ${hasPush}` : hasPush;
}

const onKnownServer = sql<SqlBool>`exists (select from server_presence
  where server_presence.server_id = users.server_id and ${isKnown})`;
/** SQL condition: the line is online on one of its servers. Its row of presence is for all of them together. */
const isOn = sql<SqlBool>`exists (select from line_presence
  where line_presence.line_id = users.id and line_presence.server_id = users.server_id
    and line_presence.connections > 0)`;

/**
 * SQL condition on the presence of lines by their first server. If that server reports nothing, the
 * others do not count.
 */
function inPresence(states: readonly PresenceState[]): Condition {
  const conditions = {
    online: sql<SqlBool>`(${onKnownServer} and ${isOn})`,
    offline: sql<SqlBool>`(${onKnownServer} and not ${isOn})`,
    unknown: sql<SqlBool>`not ${onKnownServer}`,
  };
  return anyOf(states.map((state) => conditions[state]));
}

/** SQL condition: the line was never online. On a server that never reported its sessions, this cannot be known. */
const isNeverConnected = sql<SqlBool>`(not users.has_connected
  and exists (select from server_presence where server_presence.server_id = users.server_id
    and server_presence.read_at is not null))`;

const seenWithin = (days: number) => sql<SqlBool>`exists (select from line_presence
  where line_presence.line_id = users.id
    and line_presence.last_seen_at >= now() - make_interval(days => ${days}))`;

/** SQL condition: the line was sold more than `days` days ago. */
const soldFor = (today: Day, days: number) =>
  sql<SqlBool>`users.added_date <= ${addDays(today, -days)}`;

/** Shorter searches match only the beginning of the username. */
const LETTERS_TO_SEARCH_ALL = 3;

/** The text to search for; for a number, its digits alone, so that it is found with any spacing. */
function numberOr(q: string): string {
  const isNumber = /^[+(]{0,2}\d[\d\s./()-]*\d$/.test(q.trim());
  const digits = q.replace(/\D/g, '');
  return isNumber && digits.length >= LETTERS_TO_SEARCH_ALL ? digits : q;
}

/** Characters that may be between the letters and digits of a number. */
const SIGNS = String.raw`[ \u00a0\u202f./()-]`;

/** SQL condition that finds a number with leading letters, regardless of separators: UV-77883, uv 7788 3. */
function matchesLettersAndDigits(q: string): Condition | null {
  if (!/^\p{L}{1,10}[\s./()-]*\d[\d\s./()-]*$/u.test(q)) return null;
  const digits = q.replace(/\D/g, '');
  if (digits.length < LETTERS_TO_SEARCH_ALL) return null;
  const letters = q.replace(/[^\p{L}]/gu, '');
  const signed = sql`regexp_replace(fold(${letters + digits}), '(.)', ${`\\1${SIGNS}*`}, 'g')`;
  // The index narrows the rows down by the digits.
  return sql<SqlBool>`(users.search like ${likeFolded(digits)} and users.search ~ ${signed})`;
}

/**
 * SQL condition: from three characters on, the text is anywhere in the searched fields; a shorter
 * one is the start of the username.
 */
function matchesText(q: string): Condition {
  if (q.length < LETTERS_TO_SEARCH_ALL) {
    return sql<SqlBool>`users.username like ${`${escapeLike(q)}%`}`;
  }
  const asTyped = sql<SqlBool>`users.search like ${likeFolded(numberOr(q))}`;
  const withSigns = matchesLettersAndDigits(q);
  return withSigns ? sql<SqlBool>`(${asTyped} or ${withSigns})` : asTyped;
}

/** SQL condition: the line has one of these ids in the column. */
const isIn = (column: 'server_id' | 'plan_id', ids: readonly string[]) =>
  sql<SqlBool>`${sql.ref(`users.${column}`)} in (${sql.join(ids)})`;

/** SQL condition on the status. Active and expired depend on the current day; other statuses are only labels. */
function hasStatus(statuses: readonly LineStatus[], today: Day): Condition {
  const labels = statuses.filter((status) => status !== 'active' && status !== 'expired');
  return anyOf([
    ...(statuses.includes('active') ? [isActive(today)] : []),
    ...(statuses.includes('expired') ? [isExpired(today)] : []),
    ...(labels.length > 0 ? [sql<SqlBool>`users.status_label in (${literals(labels)})`] : []),
  ]);
}

/** Filters with the plans that put lines on the chosen servers, too, because those plans serve all of their servers. */
type PlacedFilters = LineFilters & { further_plans?: readonly string[] };

/** Looks up the plans for `filterLines`. If there are none, the filter uses only the column of the server. */
export async function withFurtherPlans<Filters extends LineFilters>(
  db: Db,
  filters: Filters,
): Promise<Filters & PlacedFilters> {
  if (!filters.server_id) return filters;
  const plans = await db
    .selectFrom('plan_servers')
    .innerJoin('plans', 'plans.id', 'plan_servers.plan_id')
    .select('plan_id')
    .where('serves', '=', 'all')
    .where('server_id', 'in', filters.server_id)
    .execute();
  return { ...filters, further_plans: plans.map(({ plan_id }) => plan_id) };
}

export function filterLines(lines: Lines, filters: PlacedFilters, today: Day): Lines {
  const { further_plans = [] } = filters;
  return filtered(linesList, lines, filters, {
    q: matchesText,
    status: (statuses) => hasStatus(statuses, today),
    server_id: (ids) =>
      anyOf([
        isIn('server_id', ids),
        ...(further_plans.length > 0 ? [isIn('plan_id', further_plans)] : []),
      ]),
    plan_id: 'users.plan_id',
    owner_id: 'users.owner_id',
    is_trial: 'users.is_trial',
    expires_within: (days) => expiresWithin(today, days),
    expired_for: (days) => expiredFor(today, days),
    sync_state: inSyncState,
    has_long_name: hasLongName,
    presence: inPresence,
    seen_within: seenWithin,
    never_connected: isNeverConnected,
    sold_for: (days) => soldFor(today, days),
    // This filter needs no condition: the scope of the lines already includes accounts below, or leaves them out.
    with_below: () => sql<SqlBool>`true`,
  });
}

/** Filters lines for a page in order, with the columns that lines are ordered by. */
export async function filterForPage(
  db: Db,
  lines: Lines,
  filters: LineFilters,
  today: Day,
): Promise<Lines> {
  const found = filterLines(lines, await withFurtherPlans(db, filters), today);
  const { q } = filters;
  if (!q || !(await isRare(db, 'users', matchesText(q)))) return found;
  const columns = ['id', 'added_date', 'expiry_date', 'username', 'has_connected'];
  return foundFirst(db, 'users', columns, found);
}

export const EXPIRING_DAYS = 7;
/** Days after a sale from which a line that never connected is listed. Its customer has probably mistyped something. */
export const NEVER_CONNECTED_DAYS = 3;

/** The lines of a scope without joins: to filter, sort and count. */
export function visibleLines(db: Db, scope: Scope) {
  return db.selectFrom('users').where(visibleTo(scope, 'users.owner_id'));
}

/** The lines of each view of the list as queries, so that every count of a view is the same. */
export function lineSets(db: Db, scope: Scope, today: Day) {
  const lines = visibleLines(db, scope);
  const ended = lines.where('users.expiry_date', '<', today).select('users.id');
  const markedExpired = lines
    .where('users.expiry_date', '>=', today)
    .where('users.status_label', '=', 'expired')
    .select('users.id');
  return {
    all: lines,
    active: lines.where(isActive(today)),
    expiring: lines.where(expiresWithin(today, EXPIRING_DAYS)),
    // The set is a union, because no index can answer a condition with OR.
    expired: db.selectFrom(ended.unionAll(markedExpired).as('expired')),
    trials: lines.where('users.is_trial', '=', true),
    not_synced: lines.where(inSyncState(['failed'])),
    long_names: lines.where(hasLongName),
    online: lines.where(inPresence(['online'])),
    never_connected: lines
      .where(isActive(today))
      .where(isNeverConnected)
      .where(soldFor(today, NEVER_CONNECTED_DAYS)),
  };
}

/**
 * The numbers of lines in the largest sets, counted in one reading of an account's lines. Returns
 * null if the account has more lines than are counted together; each view is then counted
 * separately. Lines online are joined, because many are found faster that way than by `inPresence`.
 */
export async function countTogether(db: Db, scope: Scope, today: Day) {
  if (scope.sees_all) return null;
  const lines = visibleLines(db, scope)
    .select(['users.id', 'users.server_id', 'users.expiry_date', 'users.status_label'])
    .limit(sql.lit(MOST_COUNTED + 1));
  const counts = await db
    .selectFrom(lines.as('users'))
    .leftJoin('line_presence', (join) =>
      join
        .onRef('line_presence.line_id', '=', 'users.id')
        .onRef('line_presence.server_id', '=', 'users.server_id')
        .on('line_presence.connections', '>', sql.lit(0)),
    )
    .leftJoin('server_presence', (join) =>
      join.on(
        'server_presence.server_id',
        '=',
        sql<string>`coalesce(seen_on, line_presence.server_id)`,
      ),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere(isActive(today)).as('active'),
      fn.countAll<number>().filterWhere(expiresWithin(today, EXPIRING_DAYS)).as('expiring'),
      fn.countAll<number>().filterWhere(isExpired(today)).as('expired'),
      fn.countAll<number>().filterWhere(isKnown).as('online'),
    ])
    .executeTakeFirstOrThrow();
  return counts.all > MOST_COUNTED ? null : counts;
}
