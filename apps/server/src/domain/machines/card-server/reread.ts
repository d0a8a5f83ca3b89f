import type { Finding } from '@linekeeper/contract/findings.ts';
import type { StoredReload } from '../../../db/schema/server-schema.ts';
import type { Outbound, Reply, Unreachable } from '../../../platform/http-client/request.ts';
import { reloadOf } from './agent-report.ts';
import { notReached } from './check-connection.ts';
import { type CardServer, hasSuccessStatus, reloadAccounts, secretsOf } from './client.ts';

/** The result of having a card server read its accounts again; `finding` says why it could not be asked. */
export type Reread =
  | { ok: true; applied: boolean; reload: StoredReload | null }
  | { ok: false; finding: Finding };

/** Why the call itself failed; null if the agent tells what came of it. */
function failureOf(answer: Reply | Unreachable): Finding | null {
  if (answer.kind === 'unreachable') return notReached(answer);
  const { status, json } = answer;
  if (status === 401 || status === 403) return { code: 'AUTHENTICATION_FAILED', data: { status } };
  if (status === 404 || status === 405) return { code: 'RELOAD_NOT_OFFERED', data: {} };
  const tells = typeof json?.applied === 'boolean';
  return hasSuccessStatus(answer) && tells
    ? null
    : { code: 'API_NOT_RESPONDING', data: { status } };
}

/** Asks the agent of a card server. Never throws. */
export async function reread(
  outbound: Outbound,
  server: CardServer,
  signal: AbortSignal,
): Promise<Reread> {
  const answer = await reloadAccounts(outbound, server, signal);
  const finding = failureOf(answer);
  if (answer.kind === 'unreachable') return { ok: false, finding: notReached(answer) };
  if (finding) return { ok: false, finding };
  // The reply names waiting changes however short a time they have waited.
  const { reload } = reloadOf(answer, secretsOf(server), 0);
  return { ok: true, applied: answer.json?.applied === true, reload };
}
