import { type Finding, isNoAccess } from '@linekeeper/contract/findings.ts';
import { type SqlBool, sql } from 'kysely';
import { linesOfServer } from '../../db/lines-of-server.ts';
import type { ServerRow } from '../../db/schema/schema.ts';
import { type Db, inTransaction, type Tx } from '../../db/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { LINES_ON } from '../notices/messages.ts';
import { notify, notifyAdministrators } from '../notices/notify.ts';
import { queueWebhooks } from '../notices/webhooks.ts';
import { type Connected, notReached } from './card-server/check-connection.ts';
import type { PushResult } from './card-server/client.ts';
import { isAt } from './same-machine.ts';
import { isDue, isFormer } from './server-accounts.ts';

/**
 * The number of failed checks in a row that set the status of a server to error. A single failure must not stop all
 * sales (decision 0031).
 */
export const FAILURES_TO_ERROR = 3;
/** Seconds to the next check after a first failure, so that an outage is reported within a minute. */
const AGAIN_AFTER_SECONDS = 10;

/** The server's columns as read before a call. */
type AskedServer = Pick<ServerRow, 'id' | 'host_ip' | 'api_port' | 'failures'>;

/** SQL condition: the result of a check applies to the server, which has the address that was checked and is in use. */
export const isJudged = (server: AskedServer) =>
  sql<SqlBool>`(${isAt(server)} and status <> 'inactive')`;

/** Records a success, which ends an error. `measured` is from a check of the minute; a push has no measurement. */
export async function noteSuccess(
  db: Db,
  server: AskedServer,
  measured?: Pick<ServerRow, 'latency_ms'>,
): Promise<void> {
  await db
    .updateTable('cccam_servers')
    .set({
      failures: 0,
      status: 'active',
      status_finding: sql`case when status = 'error' then null else status_finding end`,
      ...(measured && { ...measured, last_connection: sql`now()` }),
    })
    .where(isJudged(server))
    .execute();
}

/**
 * Counts a failure, unless another one was counted since the call began: failures at the same time are one failure
 * rather than several in a row. Notifies administrators if the server's status becomes error. A check of the minute has
 * `latency_ms`; a failed push has none, and does not replace the findings of checks.
 */
export async function noteFailure(
  db: Db,
  server: AskedServer,
  finding: Finding | null,
  latency_ms?: number | null,
): Promise<void> {
  // An agent that reports this cannot write at all, so one failure is enough.
  const counted = finding?.code === 'AGENT_NOT_ALLOWED' ? FAILURES_TO_ERROR : 1;
  const isError = sql<boolean>`(status = 'error' or failures + ${counted}::integer >= ${FAILURES_TO_ERROR})`;
  const isOfPush = latency_ms === undefined;
  const isKnown = isOfPush ? sql<boolean>`status = 'error'` : isError;
  await inTransaction(db, async (tx) => {
    const failed = await tx
      .updateTable('cccam_servers')
      .set({
        failures: sql`least(failures + ${counted}::integer, ${FAILURES_TO_ERROR})`,
        good_checks: 0,
        status: sql`case when ${isError} then 'error' else status end`,
        status_finding: sql`case when ${isOfPush ? sql`status <> 'error' and ` : sql``}${isError}
          then ${finding && JSON.stringify(finding)}::jsonb else status_finding end`,
        next_check_at: sql`case when ${isKnown} then next_check_at
          else least(next_check_at, now() + make_interval(secs => ${AGAIN_AFTER_SECONDS})) end`,
        ...(isOfPush
          ? {}
          : {
              latency_ms: sql`case when ${isError} then ${latency_ms}::integer else latency_ms end`,
            }),
      })
      .where(isJudged(server))
      .where('failures', '=', server.failures)
      .returning('status')
      .executeTakeFirst();
    const hasTurnedError = failed?.status === 'error' && server.failures < FAILURES_TO_ERROR;
    if (hasTurnedError) await notifyOfServer(tx, server.id, 'error');
  });
}

/**
 * Records the result of a push in the health of its server; `attempts` is the number of earlier attempts that failed.
 * An error that is only about the line changes nothing, and neither does a success on a healthy server.
 */
export async function notePush(
  db: Db,
  server: AskedServer & Pick<ServerRow, 'status'>,
  result: PushResult,
  attempts: number,
): Promise<void> {
  if (result.ok) {
    if (server.failures > 0 || server.status === 'error') await noteSuccess(db, server);
    return;
  }
  const finding = serversFault(result, attempts);
  if (finding !== null) await noteFailure(db, server, finding);
}

/** The part of a push's result that concerns the server; null if it is about the line alone. */
function serversFault(
  { kind, reason, fault, finding }: PushResult & { ok: false },
  attempts: number,
): Finding | null {
  if (kind === 'unreachable') {
    return reason === 'request cancelled' ? null : notReached({ reason });
  }
  if (finding) return finding.code === 'NOT_OSCAM' || isNoAccess(finding) ? finding : null;
  if (fault === undefined) return null;
  const data = { status: fault };
  if (fault === 401 || fault === 403) return { code: 'AUTHENTICATION_FAILED', data };
  // A server may always fail on one particular line, which must not stop sales of others.
  const mayBeTheLine = fault === 500;
  if (mayBeTheLine && attempts > 0) return null;
  return { code: 'API_NOT_RESPONDING', data };
}

/**
 * Number of good checks in a row after which administrators are notified that a server is back. One success already
 * makes it active; a notification at that moment would mean two emails every few minutes for an unstable server.
 */
const GOOD_TO_RETURN = 5;

const linesOn = (id: string) => `${LINES_ON}${id}`;

interface Seller {
  account_id: string;
  lines: number;
  waiting: number;
}

/**
 * Accounts with lines on the server, their own or of accounts below, and accounts that were notified of the failure, by
 * the panel or by a message, even if their lines have left the server since. Administrators are notified separately.
 */
async function readSellers(tx: Tx, id: string): Promise<Seller[]> {
  const { rows } = await sql<Seller>`
    with owned as (
      select owner_id, count(*)::integer as lines, count(server_accounts)::integer as waiting
        from ${linesOfServer(sql`${id}::uuid`)} as line
          left join server_accounts on server_accounts.server_id = ${id}
            and server_accounts.of_line = line.id and not ${isFormer()} and ${isDue}
        group by 1),
    having_lines as (
      select ancestor_id as account_id, sum(lines)::integer as lines, sum(waiting)::integer as waiting
        from owned join account_tree on account_tree.account_id = owned.owner_id group by 1),
    since as (select error_told_at from cccam_servers where id = ${id}),
    notified as (
      select account_id from notifications, since
        where link = ${linesOn(id)} and created_at >= error_told_at
      union
      select account_id from message_readers
          join messages on messages.id = message_id, since
        where messages.server_id = ${id} and publish_at >= error_told_at)
    select account_id, coalesce(lines, 0) as lines, coalesce(waiting, 0) as waiting
      from having_lines full join notified using (account_id)
        join auth_users on auth_users.id = account_id
      where not is_admin and not banned`.execute(tx);
  return rows;
}

/** Begins, continues or ends an incident, and notifies of the return after an error. */
export async function noteCheck(
  tx: Tx,
  id: string,
  { status, finding }: Pick<Connected, 'status' | 'finding'>,
): Promise<void> {
  if (status !== 'active') {
    await sql`
      insert into server_incidents (id, server_id, finding)
        values (${newId()}, ${id}, ${finding && JSON.stringify(finding)}::jsonb)
      on conflict (server_id) where ended_at is null do update
        set failed = server_incidents.failed + 1`.execute(tx);
    await tx.updateTable('cccam_servers').set({ good_checks: 0 }).where('id', '=', id).execute();
    return;
  }
  await endIncident(tx, id);
  const checked = await tx
    .updateTable('cccam_servers')
    .set({ good_checks: sql`least(good_checks + 1, ${GOOD_TO_RETURN})` })
    .where('id', '=', id)
    .returning(['good_checks', 'error_told_at'])
    .executeTakeFirst();
  if (checked?.error_told_at && checked.good_checks >= GOOD_TO_RETURN) {
    await notifyOfServer(tx, id, 'returned');
  }
}

/**
 * Ends the incident of a server, because it responds again, or because its address has changed and the old address is
 * no longer checked.
 */
export async function endIncident(tx: Tx, id: string): Promise<void> {
  await sql`update server_incidents set ended_at = now()
    where server_id = ${id} and ended_at is null`.execute(tx);
}

/**
 * Notifies administrators and sellers that a server is in error or back. Neither notice is repeated before the other
 * one was sent, even with several panels, because the same transaction marks the server's row.
 */
export async function notifyOfServer(tx: Tx, id: string, state: 'error' | 'returned') {
  const isAway = state === 'error';
  // The row shows since when the server has been away, until it is marked below.
  const sellers = await readSellers(tx, id);
  const notified = await tx
    .updateTable('cccam_servers')
    .set({ error_told_at: isAway ? sql`now()` : null })
    .where('id', '=', id)
    .where('error_told_at', isAway ? 'is' : 'is not', null)
    .returning('server_name')
    .executeTakeFirst();
  if (!notified) return;
  const facts = { name: notified.server_name };
  const accounts = sellers.map(({ account_id }) => account_id);
  const event = isAway ? 'server.down' : 'server.up';
  await queueWebhooks(tx, event, accounts, { server: id, ...facts });
  await notifyAdministrators(tx, {
    event: `server_${state}`,
    facts,
    link: `/cccam-servers/${id}/health`,
  });
  await notify(
    tx,
    sellers.map(({ account_id, lines, waiting }) => ({
      ...(isAway
        ? { event: 'lines_away' as const, facts: { ...facts, lines } }
        : { event: 'lines_back' as const, facts: { ...facts, lines, waiting } }),
      account_id,
      link: linesOn(id),
    })),
  );
}
