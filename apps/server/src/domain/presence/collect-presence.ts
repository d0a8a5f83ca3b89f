import type { Finding } from '@linekeeper/contract/findings.ts';
import { type SqlBool, sql } from 'kysely';
import { codeOf, isConflict } from '../../db/errors.ts';
import { isOnServer } from '../../db/lines-of-server.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { readSettings } from '../../platform/settings.ts';
import type { Services } from '../context/context.ts';
import type { OnlineAccount, SessionsRead } from '../machines/card-server/driver.ts';
import { lineOnServer } from './presence.ts';
import { tellSharing } from './sharing/tell-sharing.ts';
import {
  isConcerned,
  isShortlyAfter,
  type KnownLine,
  minutesBetween,
  type Reading,
  type Tallied,
  tally,
  withinBounds,
} from './tally-presence.ts';

type Answer = SessionsRead & { ok: true };
type Collecting = Pick<Services, 'db' | 'secrets'>;

/** Stores a reading of a card server's sessions. Nothing is stored for a server that cannot list them. */
export async function storeSessions(
  services: Collecting,
  server: Pick<ServerRow, 'id'>,
  read: SessionsRead,
): Promise<void> {
  const { db } = services;
  if (!read.ok) {
    if (read.finding) await noteUnknown(db, server.id, read.finding);
    return;
  }
  try {
    await storeAnswer(services, server.id, read);
  } catch (error) {
    // A line or the server was deleted in the meantime, or two servers stored the same lines: the
    // next reading, in a minute, tries again.
    if (codeOf(error) !== '23503' && !isConflict(error)) throw error;
  }
}

/** Stores that a server could not be reached. Nothing is stored for a server whose sessions were never read. */
export async function noteNotReached(db: Db, serverId: string, finding: Finding | null) {
  await db
    .updateTable('server_presence')
    .set({ tried_at: sql<Date>`now()`, finding: finding && JSON.stringify(finding) })
    .where('server_id', '=', serverId)
    .execute();
}

async function noteUnknown(db: Db, server_id: string, found: Finding): Promise<void> {
  const finding = JSON.stringify(found);
  await sql`insert into server_presence (server_id, finding)
    select id, ${finding}::jsonb from cccam_servers where id = ${server_id}
    on conflict (server_id) do update
      set tried_at = excluded.tried_at, finding = excluded.finding`.execute(db);
}

/** Days for which hours are kept; one more than is shown, because a day begins at another hour in each time zone. */
const KEPT_DAYS = 31;

/** Deletes hours that are too old, and networks if the setting no longer keeps them. */
export async function tidyPresence(db: Db): Promise<void> {
  const isOver = sql<SqlBool>`hour < now() - make_interval(days => ${KEPT_DAYS})`;
  await db.deleteFrom('line_usage_hours').where(isOver).execute();
  await db.deleteFrom('server_presence_hours').where(isOver).execute();
  const { kept_addresses } = await readSettings(db);
  if (kept_addresses !== 'none') return;
  await sql`update line_presence
    set sessions = (select jsonb_agg(session || '{"network": null}') from jsonb_array_elements(sessions) as session)
    where jsonb_path_exists(sessions, '$[*].network ? (@ != null)')`.execute(db);
}

async function storeAnswer(
  { db, secrets }: Collecting,
  server_id: string,
  answer: Answer,
): Promise<void> {
  const settings = await readSettings(db);
  // The times of this reading and of the one before, by the database's clock.
  const before = await db
    .selectNoFrom([
      sql<Date>`date_trunc('milliseconds', now())`.as('at'),
      sql<Date | null>`(select read_at from server_presence where server_id = ${server_id})`.as(
        'read_at',
      ),
    ])
    .executeTakeFirstOrThrow();
  const { hashNetwork } = secrets;
  const { started_at } = answer;
  const accounts = answer.accounts.map(withinBounds);
  const byName = new Map(accounts.map((account) => [account.username, account]));
  await transact(db, async (tx) => {
    const readings = await lockReadings(tx, server_id);
    const said = { server_id, started_at, readings, hashNetwork };
    const reading: Reading = { ...settings, ...before, ...said };
    const lines = await readLines(tx, reading, accounts);
    const rows = lines.map((line) =>
      tally(reading, line, byName.get(line.online_as ?? '') ?? null),
    );
    const noted = rows.flatMap(({ line_id, noted }) => (noted ? [{ line_id, ...noted }] : []));
    const isStored = await write(tx, reading, answer, rows);
    if (isStored && noted.length > 0) {
      await tellSharing(tx, noted, settings.sharing_suspend_hours);
    }
  });
}

/**
 * The times of the servers' last readings, by id. Servers of a plan that serves all store their readings one after the
 * other, because each is added to the reports of the others about the same lines.
 */
async function lockReadings(tx: Tx, server_id: string): Promise<Reading['readings']> {
  await sql`select from plans
    where serves = 'all' and id in (select plan_id from plan_servers where server_id = ${server_id})
    order by id for no key update`.execute(tx);
  const rows = await tx.selectFrom('server_presence').select(['server_id', 'read_at']).execute();
  return new Map(rows.map((row) => [row.server_id, row.read_at]));
}

/** The form of an id. A card server may report any text as the id of a line. */
const LINE_ID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/**
 * The server's online lines, each with its account there, and those that were online at the reading before. If the card
 * server does not report the line of an account, the line is the one that was delivered as that account. After a long
 * time without a reading, counters cannot be continued, so all lines that have some are read to clear them.
 */
async function readLines(
  db: Db,
  reading: Reading,
  accounts: readonly OnlineAccount[],
): Promise<(KnownLine & { online_as: string | null })[]> {
  const { server_id } = reading;
  const listed = JSON.stringify(accounts.map(({ username, line }) => ({ username, line })));
  const on = sql<{ line_id: string; username: string }>`(
    select distinct on (users.id) users.id as line_id, listed.username
      from jsonb_to_recordset(${listed}::jsonb) as listed (username text, line text)
        left join server_accounts account on listed.line is null
          and account.server_id = ${server_id} and account.username = listed.username
        join users on users.id = case
          when listed.line is null then ${lineOnServer}
          when listed.line ~ ${LINE_ID} then listed.line::uuid end
          and (users.server_id = ${server_id}
            or ${isOnServer(sql`${server_id}`)})
      order by users.id, listed.username = users.username desc)`.as('seen');
  const columns = [
    'users.id as line_id',
    'users.username',
    'line_presence.server_id',
    'line_presence.connections',
    'line_presence.since',
    'line_presence.counters',
    'line_presence.over_limit',
    'line_presence.sharing',
    'line_presence.sessions',
    'line_presence.places',
    'line_presence.seen_on',
    'users.server_id as first_id',
    sql<boolean>`exists (select from plans where plans.id = users.plan_id and serves = 'all')`.as(
      'is_several',
    ),
    sql<boolean>`(not users.sharing_exempt and users.suspension is null)`.as('is_watched'),
  ] as const;
  const here = await db
    .selectFrom(on)
    .innerJoin('users', 'users.id', 'seen.line_id')
    .leftJoin('line_presence', 'line_presence.line_id', 'users.id')
    .select(columns)
    .select('seen.username as online_as')
    .execute();
  const hasPlace = sql`line_presence.places is not null
    and jsonb_exists(line_presence.places, ${server_id})`;
  const gone = await db
    .selectFrom('line_presence')
    .innerJoin('users', 'users.id', 'line_presence.line_id')
    .where(
      isShortlyAfter(reading)
        ? sql<SqlBool>`line_presence.connections > 0
            and (line_presence.server_id = ${server_id} or ${hasPlace})`
        : sql<SqlBool>`(line_presence.server_id = ${server_id}
            and (line_presence.connections > 0 or line_presence.counters is not null) or ${hasPlace})`,
    )
    .where(sql<SqlBool>`users.id <> all(${here.map(({ line_id }) => line_id)}::uuid[])`)
    .select(columns)
    .select(sql<null>`null`.as('online_as'))
    .execute();
  return [
    ...here,
    ...gone.filter((line) => !isShortlyAfter(reading) || isConcerned(reading, line)),
  ];
}

/** Stores the reading in one statement. Returns false if another panel has stored one in the meantime. */
async function write(
  db: Db,
  reading: Reading,
  answer: Answer,
  rows: readonly Tallied[],
): Promise<boolean> {
  const { server_id, at, read_at, started_at } = reading;
  const online = rows.filter(({ here }) => here > 0);
  const connections = online.reduce((sum, { here }) => sum + here, 0);
  const elsewhere = online.filter((row) => (row.seen_on ?? row.server_id) !== server_id).length;
  const minutes = minutesBetween(reading);
  const { rows: stored } = await sql`
    with read as (
      insert into server_presence (server_id, read_at, tried_at, lines_online, lines_elsewhere, connections, card_server,
          started_at)
        values (${server_id}, ${at}, ${at}, ${online.length}, ${elsewhere}, ${connections}, ${answer.card_server},
          ${started_at})
      on conflict (server_id) do update
        set read_at = excluded.read_at, tried_at = excluded.tried_at, lines_online = excluded.lines_online,
          lines_elsewhere = excluded.lines_elsewhere, connections = excluded.connections, card_server = excluded.card_server,
          started_at = excluded.started_at, finding = null
        where date_trunc('milliseconds', server_presence.read_at) is not distinct from ${read_at}::timestamptz
      returning server_id, date_trunc('hour', read_at) as hour),
    line as (
      select found.*, read.hour
        from read, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found (line_id uuid, server_id uuid,
          connections integer, here integer, places jsonb, seen_on uuid, since timestamptz, last_seen_at timestamptz, protocol text, sessions jsonb, counters jsonb,
          over_limit jsonb, sharing jsonb, minutes integer, ok integer, refused integer, timed_out integer,
          answer_ms bigint, answers integer, networks integer[])
        order by found.line_id),
    connected as (
      update users set has_connected = true from line
        where users.id = line.line_id and line.connections > 0 and not has_connected),
    present as (
      insert into line_presence (line_id, server_id, connections, since, last_seen_at, protocol, sessions, counters,
          over_limit, sharing, places, seen_on)
        select line_id, server_id, connections, since, last_seen_at, protocol, sessions, counters, over_limit, sharing,
            places, seen_on
          from line
      on conflict (line_id) do update
        set server_id = excluded.server_id, connections = excluded.connections, since = excluded.since,
          last_seen_at = excluded.last_seen_at, protocol = coalesce(excluded.protocol, line_presence.protocol),
          sessions = excluded.sessions, counters = excluded.counters, over_limit = excluded.over_limit,
          sharing = excluded.sharing, places = excluded.places, seen_on = excluded.seen_on
        -- A line that has moved may already be online on its new server, whose reading then stays.
        where excluded.connections > 0 or line_presence.server_id = excluded.server_id),
    used as (
      insert into line_usage_hours as kept (line_id, hour, minutes_online, requests_ok, requests_refused,
          requests_timed_out, answer_ms, answers, most_connections, networks)
        select line_id, hour, minutes, ok, refused, timed_out, answer_ms, answers, connections, networks
          from line where here > 0
      on conflict (line_id, hour) do update
        set minutes_online = least(60, kept.minutes_online + excluded.minutes_online),
          requests_ok = kept.requests_ok + excluded.requests_ok,
          requests_refused = kept.requests_refused + excluded.requests_refused,
          requests_timed_out = kept.requests_timed_out + excluded.requests_timed_out,
          answer_ms = kept.answer_ms + excluded.answer_ms, answers = kept.answers + excluded.answers,
          most_connections = greatest(kept.most_connections, excluded.most_connections),
          networks = case when excluded.networks <@ kept.networks then kept.networks
            else (array(select distinct unnest(kept.networks || excluded.networks)))[:50] end)
    insert into server_presence_hours as kept (server_id, hour, minutes_known, line_minutes, most_online)
      select server_id, hour, ${minutes}::integer, ${minutes * (online.length - elsewhere)}::integer, ${online.length}::integer
        from read
    on conflict (server_id, hour) do update
      set minutes_known = least(60, kept.minutes_known + excluded.minutes_known),
        line_minutes = kept.line_minutes + excluded.line_minutes,
        most_online = greatest(kept.most_online, excluded.most_online)
    returning server_id`.execute(db);
  return stored.length > 0;
}
