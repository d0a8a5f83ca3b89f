import type { Day } from '@linekeeper/contract/dates.ts';
import { MOST_COUNTED } from '@linekeeper/contract/endpoint.ts';
import { findingWithMessage, isNoAccess } from '@linekeeper/contract/findings.ts';
import { MAX_ASKED } from '@linekeeper/contract/lines/line-page.ts';
import type { Line, LineFilters, SyncState } from '@linekeeper/contract/lines/lines.ts';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { compiledQuery } from '../../../db/compiled-query.ts';
import { isoMoment } from '../../../db/read-text.ts';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Db } from '../../../db/transaction.ts';
import { outranks } from '../../../domain/accounts/account-policy.ts';
import { isVisibleTo, type Scope, type SignedIn } from '../../../domain/context/access.ts';
import { customerOf, selectedDetails } from '../../../domain/lines/line-details.ts';
import { isAsked } from '../../../domain/lines/line-pages.ts';
import { findForReceivers } from '../../../domain/lines/line-servers.ts';
import {
  countTogether,
  filterForPage,
  lineSets,
  visibleLines,
} from '../../../domain/lines/line-sets.ts';
import { paymentOfLine, toPayment } from '../../../domain/lines/payments.ts';
import { readWording } from '../../../domain/lines/seller-texts.ts';
import { readNameProblems } from '../../../domain/lines/sent-names.ts';
import { defaultHostPort } from '../../../domain/machines/servers.ts';
import {
  epochOf,
  linesOnline,
  presenceColumns,
  reportingServer,
  toPresence,
} from '../../../domain/presence/presence.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import {
  type AnyQuery,
  countRows,
  countUpTo,
  isUnfiltered,
  type Page,
  type PageRequest,
  readWholePage,
  type Total,
  totalOfMany,
} from '../../../platform/paging/pages.ts';
import { isByLastSeen, readLinePage, sortColumns } from './line-order.ts';

type Suspended = { suspension: StoredSuspension | null };

/**
 * The suspensions of a page as its reader sees them, by the stored suspension. Makes no query if no line is suspended.
 * Accounts are named if the reader may see them: the reader's own, those below, or all if the reader may see all lines.
 */
async function readSuspensions(
  db: Db,
  scope: Scope,
  rows: readonly Suspended[],
): Promise<(stored: StoredSuspension | null) => Line['suspension']> {
  const ids = [...new Set(rows.flatMap(({ suspension }) => suspension?.by_id ?? []))];
  const suspenders =
    ids.length === 0
      ? []
      : await db
          .selectFrom('auth_users as suspender')
          .select(['suspender.id', 'suspender.email'])
          .select([
            outranks('suspender.id', scope.account_id).as('is_above'),
            sql<boolean>`${isVisibleTo(scope, 'suspender.id')}`.as('is_named'),
          ])
          .where('suspender.id', 'in', ids)
          .execute();
  const byId = new Map(suspenders.map((suspender) => [suspender.id, suspender]));
  return (stored) => {
    if (!stored) return null;
    const { at, reason, by_id, until = null, cause = null } = stored;
    const by = byId.get(by_id ?? '');
    return {
      at,
      reason,
      by: by?.is_named ? by.email : null,
      can_resume: !by?.is_above,
      until,
      cause,
    };
  };
}

/** The total of all lines of a scope. */
export function totalOfLines(db: Db, scope: Scope): Promise<Total> {
  const whose = scope.sees_all ? 'all' : `${scope.is_own ? 'own ' : ''}${scope.account_id}`;
  const count = (most: number) => countRows(db, most, visibleLines(db, scope));
  return totalOfMany(db, `lines ${whose}`, count, { readVersion, nothingIsUnderWay });
}

/** The version of the lines, raised by every statement that adds or removes lines, or moves accounts. */
async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select last_value + is_called::integer as version from lines_version`.execute(db);
  return rows[0]?.version ?? Number.NaN;
}

/** True if no transaction is changing lines. Each holds a lock on the table until it ends. */
async function nothingIsUnderWay(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_quiet: boolean }>`
    select not exists (select from pg_locks
      where locktype = 'relation' and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())
        and relation in ('users'::regclass, 'account_tree'::regclass)) as is_quiet`.execute(db);
  return rows[0]?.is_quiet ?? false;
}

/**
 * SQL of a line's state `taken`, which tells if a card server has loaded it. OSCam's web interface changes OSCam's
 * memory directly, so there it always has. An agent reports the first of the lines that are not loaded; until it was
 * asked, lines that changed within the last minute count as not loaded.
 */
const takenState = sql<Line['taken']>`case
  when server.kind = 'oscam_webif' then 'taken'
  when server.reload is null then null
  when server.reload ->> 'by' is null then 'unknown'
  when server.reload -> 'names' @> to_jsonb(users.username)
    or server.reload -> 'still_names' @> to_jsonb(users.username)
    or (server.reload ->> 'cannot_connect')::integer > jsonb_array_length(server.reload -> 'names')
    or (server.reload_look_at is not null and users.updated_at > now() - interval '1 minute')
    then 'waiting'
  else 'taken' end`;

/** SQL that is true if the line's plan serves all of its servers. The few plans are read once for all rows. */
const isOnAll = sql<boolean>`users.plan_id = any(array(select id from plans where serves = 'all'))`;

/** The account that reads lines; `payment` is null in those of others. */
type Reader = Pick<Scope, 'account_id'>;

/**
 * All lines with their owner and the state of their delivery. Nearly all are delivered, so only the
 * undelivered ones are looked up, in an index of these few.
 */
function completeLines(db: Db, { account_id }: Reader) {
  return db
    .selectFrom('users')
    .innerJoin('auth_users as owner', 'owner.id', 'users.owner_id')
    .leftJoin('server_accounts as push', (join) =>
      join
        .onRef('push.server_id', '=', 'users.server_id')
        .onRef('push.username', '=', 'users.username')
        .on(sql<SqlBool>`(push.sync_state <> 'synced' or not push.on_server)`),
    )
    .leftJoin('line_presence', 'line_presence.line_id', 'users.id')
    .leftJoin('server_presence', (join) =>
      join.on('server_presence.server_id', '=', reportingServer),
    )
    .leftJoin('cccam_servers as server', 'server.id', 'users.server_id')
    .leftJoin('line_pages', 'line_pages.line_id', 'users.id')
    .select([
      'users.id',
      'users.username',
      'users.protocol',
      'users.host_port',
      'users.added_date',
      'users.expiry_date',
      ...selectedDetails,
      'users.status',
      'users.suspension',
      'users.sharing_exempt',
      'users.auto_renew_months',
      'users.owner_id',
      'owner.email as owner_email',
      'owner.full_name as owner_name',
      'users.server_id',
      'users.plan_id',
      'users.is_trial',
      'users.subscription_months',
      epochOf<number>('users.created_at').as('created_at'),
      epochOf<number>('users.updated_at').as('updated_at'),
      'push.last_finding as sync_finding',
      sql<SyncState>`coalesce(push.sync_state, 'synced')`.as('sync_state'),
      sql<boolean>`coalesce(push.on_server, users.suspension is null)`.as('on_server'),
      sql<number | null>`case when server.status = 'error'
        then date_part('epoch', coalesce(server.away_at, now())) end`.as('server_away_at'),
      'server.status_finding',
      isOnAll.as('is_on_all'),
      takenState.as('taken'),
      epochOf<number | null>('line_pages.made_at').as('page_made_at'),
      epochOf<number | null>('line_pages.opened_at').as('page_opened_at'),
      sql<number | null>`case when ${isAsked} then date_part('epoch', line_pages.asked_at) end`.as(
        'asked_at',
      ),
      paymentOfLine(account_id).as('payment'),
      ...presenceColumns,
    ]);
}

type LineRow =
  ReturnType<typeof completeLines> extends SelectQueryBuilder<infer _D, infer _T, infer Row>
    ? Row
    : never;

/** The state of a line on one of its servers. */
interface PlacedState extends Pick<Line, 'sync_state' | 'sync_finding' | 'on_server'> {
  line_id: string;
  server_id: string;
}

/**
 * The states of lines on several servers, by id of the line, in the order of their servers. Makes
 * no query for lines on one server.
 */
async function readPlacedStates(
  db: Db,
  rows: readonly LineRow[],
): Promise<ReadonlyMap<string, PlacedState[]>> {
  const ids = rows.flatMap(({ id, is_on_all }) => (is_on_all ? id : []));
  if (ids.length === 0) return new Map();
  const { rows: placed } = await sql<PlacedState>`
    select users.id as line_id, at.server_id, coalesce(push.sync_state, 'synced') as sync_state,
        push.last_finding as sync_finding, coalesce(push.on_server, users.suspension is null) as on_server
      from users
        cross join lateral servers_of(users.server_id, users.plan_id) with ordinality as at (server_id, place)
        left join server_accounts push on push.server_id = at.server_id and push.username = users.username
      where users.id = any(${ids}::uuid[])
      order by users.id, at.place`.execute(db);
  return Map.groupBy(placed, ({ line_id }) => line_id);
}

const worst = (states: readonly PlacedState[]) =>
  states.find(({ sync_state }) => sync_state === 'failed') ??
  states.find(({ sync_state }) => sync_state === 'pending') ??
  states[0];

const messageOf = (finding: Line['sync_finding']) => finding && findingWithMessage(finding).message;

const stateAt = ({ server_id, sync_state, sync_finding }: PlacedState) => {
  return { server_id, sync_state, sync_finding, sync_message: messageOf(sync_finding) };
};

const isoOrNull = (seconds: number | null) => (seconds === null ? null : isoMoment(seconds));

const pageOf = ({ page_made_at, page_opened_at, asked_at }: LineRow): Line['page'] =>
  page_made_at === null
    ? null
    : {
        made_at: isoMoment(page_made_at),
        opened_at: isoOrNull(page_opened_at),
        asked_at: isoOrNull(asked_at),
      };

async function toLines(db: Db, scope: Scope, rows: readonly LineRow[]): Promise<Line[]> {
  const shownSuspension = await readSuspensions(db, scope, rows);
  const problemOf = await readNameProblems(db, rows);
  const placed = await readPlacedStates(db, rows);
  return rows.map((row) =>
    toLine(row, {
      suspension: shownSuspension(row.suspension),
      name_problem: problemOf(row),
      placed: placed.get(row.id),
    }),
  );
}

function toLine(
  row: LineRow,
  {
    placed,
    ...shown
  }: Pick<Line, 'suspension' | 'name_problem'> & { placed: PlacedState[] | undefined },
): Line {
  const { server_away_at, status_finding, server_id, on_server } = row;
  const { sync_state, sync_finding } = (placed && worst(placed)) ?? row;
  const sync_message = messageOf(sync_finding);
  const isAway = server_away_at !== null && !(status_finding && isNoAccess(status_finding));
  // The row keeps the columns of presence, although no reply has them: leaving them out here takes
  // a twentieth of a page's time.
  return {
    ...row,
    customer: customerOf(row),
    server_away_since: isAway ? isoMoment(server_away_at) : null,
    presence: toPresence(row),
    page: pageOf(row),
    payment: toPayment(row.payment),
    ...shown,
    password: null,
    sync_state,
    sync_finding,
    sync_message,
    // A line on several servers counts as on its server if one of them has it.
    on_server: placed ? placed.some((place) => place.on_server) : on_server,
    servers: placed?.map(stateAt) ?? [{ server_id, sync_state, sync_finding, sync_message }],
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}

/** The line with this ID, as the API returns it; undefined if it is missing or not in the scope. */
export async function tryFindLine(db: Db, scope: Scope, id: string): Promise<Line | undefined> {
  const { account_id, sees_all } = scope;
  const rows = await (sees_all ? readAnyLine : readOwnLine)(db, { id, account_id });
  const [line] = await toLines(db, scope, rows);
  return line;
}

const readAnyLine = compiledQuery(['id', 'account_id'], (db, { id, account_id }) =>
  completeLines(db, { account_id }).where('users.id', '=', id),
);
const readOwnLine = compiledQuery(['id', 'account_id'], (db, { id, account_id }) =>
  completeLines(db, { account_id })
    .where('users.id', '=', id)
    .where(isVisibleTo({ account_id, sees_all: false }, 'users.owner_id')),
);

/** The line with this ID, as the API returns it. Throws LINE_NOT_FOUND if it is missing or not in the scope. */
export async function findLine(db: Db, scope: Scope, id: string): Promise<Line> {
  return (await tryFindLine(db, scope, id)) ?? fail('LINE_NOT_FOUND');
}

/** An account's own lines whose customers asked for a renewal, the latest first. */
export async function listAskedLines(db: Db, { id }: SignedIn): Promise<Line[]> {
  const rows = await completeLines(db, { account_id: id })
    .where('users.owner_id', '=', id)
    .where('line_pages.asked_at', 'is not', null)
    .where(isAsked)
    .orderBy('line_pages.asked_at', 'desc')
    .limit(MAX_ASKED)
    .execute();
  return toLines(db, { account_id: id, sees_all: false }, rows);
}

/** The visible lines with these names, for links in texts that people write. */
export async function lookUpLines(db: Db, scope: Scope, usernames: readonly string[]) {
  if (usernames.length === 0) return { items: [] };
  const items = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', usernames)
    .where(isVisibleTo(scope, 'users.owner_id'))
    .execute();
  return { items };
}

/**
 * The servers of a line, the first one first, and the texts for its customer. They are found by the line, so that an account without a line on a server
 * learns nothing about it. Throws LINE_NOT_FOUND.
 */
export async function findServersOfLine(db: Db, scope: Scope, id: string) {
  const found = await findForReceivers(db, scope, id);
  const [first, ...others] = found.servers.map((server) => {
    const { server_id, server_name, protocol, des_key, newcamd_ports } = server;
    const host_port = defaultHostPort(server);
    return { id: server_id, server_name, host_port, protocol, des_key, newcamd_ports };
  });
  if (!first) return fail('LINE_NOT_FOUND');
  const { seller: _, ...wording } = await readWording(db, id);
  return { ...first, servers: [first, ...others], ...wording };
}

const everyLine = ({ account_id }: Scope) => ({
  name: 'lines',
  values: { account_id },
  rows: completeLines,
});

/** One page of the lines in a scope, filtered and sorted. Throws INVALID_CURSOR. */
export async function listLines(
  db: Db,
  scope: Scope,
  today: Day,
  { with_below: _, ...query }: LineFilters & PageRequest,
): Promise<Page<Line>> {
  const count = isUnfiltered(query) ? () => totalOfLines(db, scope) : undefined;
  const page =
    count && scope.sees_all && !isByLastSeen(query)
      ? await readWholePage(db, query, sortColumns, 'users.id', everyLine(scope), count)
      : await readLinePage(
          db,
          query,
          await filterForPage(db, visibleLines(db, scope), query, today),
          completeLines(db, scope),
          count,
        );
  return { ...page, items: await toLines(db, scope, page.items) };
}

/** True if the account has lines of accounts below; false for an account that sees all lines. */
const hasBelow = ({ account_id, sees_all }: Scope) =>
  sql<boolean>`(not ${sees_all}::boolean and exists (select from account_tree
    join users on users.owner_id = account_tree.account_id
    where ancestor_id = ${account_id} and depth > 0))`;

/** Counts lines in each view, up to MOST_COUNTED, so the cost does not grow with the number of lines. */
export async function countLines(db: Db, scope: Scope, today: Day) {
  const sets = lineSets(db, scope, today);
  const count = (lines: AnyQuery<object>) => countUpTo(MOST_COUNTED, lines);
  const countMany = () =>
    db
      .selectNoFrom([
        count(sets.all).as('all'),
        count(sets.active).as('active'),
        count(sets.expiring).as('expiring'),
        count(sets.expired).as('expired'),
        (scope.sees_all ? linesOnline : count(sets.online)).as('online'),
      ])
      .executeTakeFirstOrThrow();
  const countFew = () =>
    db
      .selectNoFrom([
        count(sets.trials).as('trials'),
        count(sets.not_synced).as('not_synced'),
        count(sets.long_names).as('long_names'),
        count(sets.never_connected).as('never_connected'),
        hasBelow(scope).as('has_below'),
      ])
      .executeTakeFirstOrThrow();
  const [together, few] = await Promise.all([countTogether(db, scope, today), countFew()]);
  return { ...few, ...(together ?? (await countMany())) };
}

/** SQL condition: the line has one of the normalised names, by bytes or normal form as the unique indexes compare. */
export function hasName(names: readonly string[]) {
  return sql<SqlBool>`((normalize(username, NFC) = any(${names}::text[]) and not is_name_twin)
    or username = any(${names}::text[]))`;
}

/** The normalised names among these that other lines have already. */
export async function findTakenNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const taken = await db
    .selectFrom('users')
    .select(sql<string>`normalize(username, NFC)`.as('username'))
    .where(hasName(names))
    .execute();
  return new Set(taken.map(({ username }) => username));
}
