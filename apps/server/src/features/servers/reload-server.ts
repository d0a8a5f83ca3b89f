import type { Parsed, ReplyToSend } from '@linekeeper/contract/endpoint.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import type { StoredReload } from '../../db/schema/server-schema.ts';
import { noteReload } from '../../domain/delivery/agent-reports.ts';
import { NOT_READ_YET, reloadOf } from '../../domain/delivery/card-server/agent-report.ts';
import { notReached } from '../../domain/delivery/card-server/check-connection.ts';
import {
  hasSuccessStatus,
  reloadAccounts,
  secretsOf,
} from '../../domain/delivery/card-server/client.ts';
import { withPassword } from '../../domain/delivery/servers.ts';
import type { Action } from '../../domain/use-cases/use-case.ts';
import type { Reply, Unreachable } from '../../platform/http-client/request.ts';
import { findServer, findServerRow, toReload } from './store.ts';

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

type ReloadReply = ReplyToSend<typeof contract.reloadServer>;

function toReloadReply(applied: boolean, reload: StoredReload | null): ReloadReply {
  const finding = applied ? null : (reload?.finding ?? NOT_READ_YET);
  return { applied, ...findingWithMessage(finding), reload: toReload(reload) };
}

/** Has the card server read its accounts again, and says at once what came of it. */
export const reloadServer: Action<typeof contract.reloadServer> = async (
  ctx,
  { params }: Parsed<typeof contract.reloadServer>,
) => {
  const row = await findServerRow(ctx.db, params.id);
  const server = withPassword(ctx.secrets, row);
  const answer = await reloadAccounts(ctx.outbound, server, ctx.stopping.signal);
  const failure = failureOf(answer);
  if (failure || answer.kind === 'unreachable') {
    const { reload } = await findServer(ctx.db, row.id);
    return { applied: false, ...findingWithMessage(failure), reload };
  }
  // The reply names waiting changes however short a time they have waited.
  const { reload } = reloadOf(answer, secretsOf(server), 0);
  if (reload) await noteReload(ctx.db, row, reload);
  return toReloadReply(answer.json?.applied === true, reload);
};
