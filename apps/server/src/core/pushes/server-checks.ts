import { type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import { type Connected, connect } from '../card-server/check-connection.ts';
import type { Services } from '../context.ts';
import { newId } from '../ids.ts';
import { detectLostAccounts } from './lost-accounts.ts';
import { FAILURES_TO_ERROR, isJudged, noteFailure } from './server-health.ts';

const EVERY_SECONDS = 60;
/**
 * A later time was stored before the clock was set back. The extra seconds allow for different
 * panels' clocks.
 */
const FURTHEST_SECONDS = EVERY_SECONDS + 5;
const KEPT_DAYS = 30;
const KEPT_WHOLE_DAYS = 2;

const inAMinute = sql<Date>`now() + make_interval(secs => ${EVERY_SECONDS})`;

/** Claims up to `limit` servers whose check is due for this panel. Skips inactive ones. */
export async function claimChecks(db: Db, limit: number): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`
    update cccam_servers set next_check_at = ${inAMinute}
      where id in (
        select id from cccam_servers
          where status <> 'inactive' and (next_check_at <= now()
            or next_check_at > now() + make_interval(secs => ${FURTHEST_SECONDS}))
          order by next_check_at limit ${limit} for no key update skip locked)
      returning *`.execute(db);
  return rows;
}

/** The minutely check of one server; stores its result. */
export async function checkServer(services: Services, server: ServerRow): Promise<void> {
  const { db, secrets, outbound, stopping } = services;
  const password = secrets.open(server.password, server.id);
  const found = await connect(outbound, { ...server, password }, stopping.signal);
  if (found.isCancelled) return;
  await transact(db, (tx) => recordCheck(tx, server, found));
  if (found.status === 'active') await detectLostAccounts(services, server, found.instance);
}

async function recordCheck(tx: Tx, server: ServerRow, found: Connected): Promise<void> {
  const { status, latency_ms, finding } = found;
  if (status === 'active') {
    await tx
      .updateTable('cccam_servers')
      .set({
        failures: 0,
        status,
        status_finding: sql`case when status = 'error' then null else status_finding end`,
        latency_ms,
        last_connection: sql`now()`,
      })
      .where(isJudged(server))
      .execute();
  } else {
    await noteFailure(tx, server, finding, latency_ms);
  }
  await sql`insert into server_checks (id, server_id, status, latency_ms, finding)
    select ${newId()}::uuid, id, ${status}, ${latency_ms}::integer,
        ${finding && JSON.stringify(finding)}::jsonb
      from cccam_servers where ${isJudged(server)}`.execute(tx);
}

/**
 * Stores the result of an administrator's own test, which sets the status at once, even of an
 * inactive server. False if the server was deleted meanwhile.
 */
export async function recordTest(tx: Tx, server: ServerRow, found: Connected): Promise<boolean> {
  const { id } = server;
  const { status, latency_ms, instance } = found;
  const finding = found.finding && JSON.stringify(found.finding);
  // A new folder is for the next check to compare, so that check is made due at once.
  const isNews = sql<SqlBool>`${instance}::text is not null
    and ${instance}::text is distinct from instance`;
  const { numUpdatedRows } = await tx
    .updateTable('cccam_servers')
    .set({
      status,
      status_finding: finding,
      latency_ms,
      failures: status === 'active' ? 0 : FAILURES_TO_ERROR,
      next_check_at: sql`case when ${isNews} then now() else ${inAMinute} end`,
      ...(status === 'active' ? { last_connection: sql`now()` } : {}),
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await tx
    .insertInto('server_checks')
    .values({ id: newId(), server_id: id, status, latency_ms, finding })
    .execute();
  return true;
}

/** Keeps all checks of recent days; of older hours, only the last success and the last failure. */
export async function deleteOldChecks(db: Db): Promise<void> {
  await sql`delete from server_checks as old
    where checked_at < now() - make_interval(days => ${KEPT_DAYS})
      or checked_at < now() - make_interval(days => ${KEPT_WHOLE_DAYS}) and exists (
        select from server_checks as later
          where later.server_id = old.server_id and later.status = old.status
            and later.checked_at > old.checked_at
            and later.checked_at < date_trunc('hour', old.checked_at) + interval '1 hour')`.execute(
    db,
  );
}
