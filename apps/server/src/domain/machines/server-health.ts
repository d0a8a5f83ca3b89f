import type { Finding } from '@linekeeper/contract/findings.ts';
import { type SqlBool, sql, type UpdateObject } from 'kysely';
import type { Database, ServerRow } from '../../db/schema/schema.ts';
import { type Db, inTransaction } from '../../db/transaction.ts';
import { notReached } from './card-server/check-connection.ts';
import type { PushResult } from './card-server/client.ts';
import { notifyOfServer } from './server-incidents.ts';

/** Several in a row, because a single failure must not stop all sales. */
export const FAILURES_TO_ERROR = 3;
/** After a first failure the next checks follow sooner, so that an outage is told within the minute after it. */
const AGAIN_AFTER_SECONDS = 10;

/** The server's columns as read before a call. */
type AskedServer = Pick<ServerRow, 'id' | 'host_ip' | 'api_port' | 'failures'>;

/** SQL condition: the server is at the address of the call, because results for an old one say nothing about the new one. */
export function isAt({ id, host_ip, api_port }: Omit<AskedServer, 'failures'>) {
  return sql<SqlBool>`(id = ${id} and host_ip = ${host_ip} and api_port = ${api_port})`;
}

/** SQL condition: `isAt`, and the server is not inactive. */
export const isJudged = (server: AskedServer) =>
  sql<SqlBool>`(${isAt(server)} and status <> 'inactive')`;

/** Ends an error. `measured` are the columns of a check of the minute. */
export async function noteSuccess(
  db: Db,
  server: AskedServer,
  measured: UpdateObject<Database, 'cccam_servers'> = {},
): Promise<void> {
  await db
    .updateTable('cccam_servers')
    .set({
      failures: 0,
      status: 'active',
      status_finding: sql`case when status = 'error' then null else status_finding end`,
      ...measured,
    })
    .where(isJudged(server))
    .execute();
}

/**
 * Counts a failure unless another one was counted since the call began, because concurrent failures
 * are one failure rather than several in a row. Notifies administrators if the server's status
 * becomes error. A check of the minute has its `latency_ms`; a failed push has none, and replaces
 * nothing of what the checks of an error have found.
 */
export async function noteFailure(
  db: Db,
  server: AskedServer,
  finding: Finding | null,
  latency_ms?: number | null,
): Promise<void> {
  // An agent says for certain that it may not write.
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
 * Updates a server's health from the result of a push, of which `attempts` failed before. A refusal
 * because of the line says nothing about the server, and a success changes nothing if the server was
 * healthy.
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

/** Findings of a push that say something of the server, not of the line alone. */
const ABOUT_SERVERS: ReadonlySet<Finding['code']> = new Set([
  'OSCAM_READ_ONLY',
  'OSCAM_NOT_WRITTEN',
  'AGENT_NOT_ALLOWED',
  'OSCAM_SIGN_IN',
  'OSCAM_FORBIDDEN',
  'NOT_OSCAM',
  'CERTIFICATE_UNKNOWN',
  'CERTIFICATE_CHANGED',
  'PLAIN_HTTP',
  'HTTPS_EXPECTED',
  'HTTP_EXPECTED',
]);

function serversFault(
  { kind, reason, fault, finding }: PushResult & { ok: false },
  attempts: number,
): Finding | null {
  if (kind === 'unreachable') {
    return reason === 'request cancelled' ? null : notReached({ reason });
  }
  if (finding) return ABOUT_SERVERS.has(finding.code) ? finding : null;
  if (fault === undefined) return null;
  const data = { status: fault };
  if (fault === 401 || fault === 403) return { code: 'AUTHENTICATION_FAILED', data };
  // A server may always fail on one particular line, which must not stop sales of others.
  const mayBeTheLine = fault === 500;
  if (mayBeTheLine && attempts > 0) return null;
  return { code: 'API_NOT_RESPONDING', data };
}
