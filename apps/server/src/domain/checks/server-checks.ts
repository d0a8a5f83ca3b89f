import { isNoAccess } from '@linekeeper/contract/findings.ts';
import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import { type Db, type Tx, transact } from '../../db/transaction.ts';
import type { Config } from '../../platform/config/config.ts';
import { portAnswers } from '../../platform/http-client/request.ts';
import { newId } from '../../platform/ids.ts';
import type { Services } from '../context/context.ts';
import { noteReport } from '../machines/agent-reports.ts';
import type { Connected } from '../machines/card-server/check-connection.ts';
import { openDriver } from '../machines/open-driver.ts';
import { isAt } from '../machines/same-machine.ts';
import {
  FAILURES_TO_ERROR,
  isJudged,
  noteCheck,
  noteFailure,
  noteSuccess,
  notifyOfServer,
} from '../machines/server-health.ts';
import { noteNotReached, storeSessions } from '../presence/collect-presence.ts';
import { detectLostAccounts } from './lost-accounts.ts';

/** Seconds between two checks of a server. */
export const EVERY_SECONDS = 60;
const KEPT_DAYS = 30;
/** Hours for which single checks are kept. The last 24 hours are shown by the half hour, the first of them whole. */
const KEPT_WHOLE_HOURS = 26;

const inAMinute = sql<Date>`now() + make_interval(secs => ${EVERY_SECONDS})`;

/**
 * Claims up to `limit` servers in use whose check is due, each with the entries of its machine that have the same
 * address and sign-in. A machine is called once a minute, even if it has many entries.
 */
export async function claimChecks(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  limit: number,
): Promise<ServerRow[][]> {
  const { rows } = await sql<ServerRow>`
    with due as materialized (
      select id, machine from cccam_servers
        where status <> 'inactive' and next_check_at <= now()
        order by next_check_at limit ${limit} for no key update skip locked),
    beside as materialized (
      select id from cccam_servers
        where status <> 'inactive' and machine in (select machine from due)
        order by id for no key update skip locked)
    update cccam_servers set next_check_at = ${inAMinute} where id in (select id from beside)
      returning *`.execute(db);
  const keyOf = (server: ServerRow) => {
    const { id, machine, kind, api_scheme, tls_fingerprint, username } = server;
    const reached = [machine, kind, api_scheme, tls_fingerprint, username];
    try {
      return JSON.stringify([...reached, secrets.open(server.password, id)]);
    } catch {
      // The password cannot be decrypted, so the entry is checked alone. Its check reports the reason.
      return id;
    }
  };
  return [...Map.groupBy(rows, keyOf).values()];
}

/**
 * Tests a stored server. If it does not respond, the port for customers is tried too, because its lines may still work.
 */
export async function testStored(
  services: Pick<Services, 'outbound' | 'secrets'>,
  server: ServerRow,
  { signal, isThorough }: { signal?: AbortSignal; isThorough?: boolean } = {},
): Promise<Connected> {
  const found = await openDriver(services, server).test(signal, isThorough);
  const { finding, isCancelled } = found;
  if (!finding || isCancelled || found.status === 'active' || isNoAccess(finding)) return found;
  const { host_ip: host, port } = server;
  const answers = await Promise.all(
    [customerAddress(server), { host, port }].map((address) =>
      portAnswers(services.outbound, address, signal),
    ),
  );
  // Some routers block the way to their own public address from inside, so a failed attempt proves nothing.
  const port_answers = answers.includes(true) || (answers.includes(false) ? false : undefined);
  return { ...found, finding: { ...finding, data: { ...finding.data, port_answers } } };
}

/** Checks a machine, once a minute; stores the result for all entries of the machine. */
export async function checkServer(services: Services, ...entries: ServerRow[]): Promise<void> {
  const { db, stopping } = services;
  const [server] = entries;
  if (!server) return;
  const driver = openDriver(services, server);
  const found = await testStored(services, server, { signal: stopping.signal });
  if (found.isCancelled) return;
  for (const entry of entries) {
    await transact(db, async (tx) => {
      const { status, latency_ms, finding } = found;
      if (status === 'active') await noteSuccess(tx, entry, { latency_ms });
      else await noteFailure(tx, entry, finding, latency_ms);
      await keepResult(tx, services.config, entry, found, isJudged(entry));
    });
  }
  // A card server that refuses changes still reports which lines are online.
  if (!found.auth) {
    for (const { id } of entries) await noteNotReached(db, id, found.finding);
    return;
  }
  if (found.status === 'active') await detectLostAccounts(services, entries, found);
  const read = await driver.sessions(stopping.signal);
  if (stopping.signal.aborted) return;
  for (const entry of entries) await storeSessions(services, entry, read);
}

/** Stores the result of a test, with incident and report, unless the server has another address in the meantime. */
async function keepResult(
  tx: Tx,
  config: Pick<Config, 'time_zone'>,
  server: ServerRow,
  found: Connected,
  isTheSame: RawBuilder<SqlBool>,
): Promise<void> {
  const { status, latency_ms, finding } = found;
  const { numAffectedRows } = await sql`
    insert into server_checks (id, server_id, status, latency_ms, finding)
      select ${newId()}::uuid, id, ${status}, ${latency_ms}::integer,
          ${finding && JSON.stringify(finding)}::jsonb
        from cccam_servers where ${isTheSame}`.execute(tx);
  if (!numAffectedRows) return;
  await noteCheck(tx, server.id, found);
  if (status === 'active') await noteReport(tx, server, found.report, config);
}

/**
 * Stores the result of an administrator's own test, which sets the status immediately, even of an inactive server.
 * Returns false if the server was deleted in the meantime or has another address.
 */
export async function recordTest(
  tx: Tx,
  config: Pick<Config, 'time_zone'>,
  server: ServerRow,
  found: Connected,
): Promise<boolean> {
  const { id } = server;
  const { status, latency_ms, instance, finding } = found;
  // The next check compares a new folder with the old one, so that check becomes due immediately.
  const hasNewInstance = sql<SqlBool>`${instance}::text is not null
    and ${instance}::text is distinct from instance`;
  const before = await tx
    .selectFrom('cccam_servers')
    .select('status')
    .where(isAt(server))
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) return false;
  await tx
    .updateTable('cccam_servers')
    .set({
      status,
      status_finding: finding && JSON.stringify(finding),
      latency_ms,
      // A first instance is stored immediately, so that the machine is not taken for another one.
      instance: sql<string | null>`coalesce(instance, ${instance})`,
      failures: status === 'active' ? 0 : FAILURES_TO_ERROR,
      next_check_at: sql`case when ${hasNewInstance} then now() else ${inAMinute} end`,
      ...(status === 'active' ? { last_connection: sql`now()` } : {}),
    })
    .where('id', '=', id)
    .execute();
  await keepResult(tx, config, server, found, isAt(server));
  // A server that never worked is still being set up, and the person who tests it sees the error.
  if (status === 'error' && before.status === 'active') await notifyOfServer(tx, id, 'error');
  return true;
}

/**
 * Replaces single checks that are older than 26 hours by the figures of their hour, which are kept
 * for 30 days. A server then has about 2,300 small rows, no matter for how long it is checked. One
 * statement counts and removes the checks, so that none is counted twice or lost.
 */
export async function condenseChecks(db: Db): Promise<void> {
  await sql`
    with gone as (
      delete from server_checks
        where checked_at < date_trunc('hour', now() - make_interval(hours => ${KEPT_WHOLE_HOURS}))
        returning server_id, checked_at, status, latency_ms)
    insert into server_check_hours (server_id, hour, checks, failed, latency_ms)
      select server_id, date_trunc('hour', checked_at), count(*),
          count(*) filter (where status = 'error'),
          percentile_disc(0.5) within group (order by latency_ms) filter (where status = 'active')
        from gone group by 1, 2 order by 1, 2
    on conflict (server_id, hour) do update
      set checks = server_check_hours.checks + excluded.checks,
        failed = server_check_hours.failed + excluded.failed,
        latency_ms = coalesce(server_check_hours.latency_ms, excluded.latency_ms)`.execute(db);
  const tooOld = sql`now() - make_interval(days => ${KEPT_DAYS})`;
  await sql`delete from server_check_hours where hour < ${tooOld}`.execute(db);
  await sql`delete from server_incidents where ended_at < ${tooOld}`.execute(db);
}
