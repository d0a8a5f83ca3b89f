import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/lines/usage.ts';
import { sql } from 'kysely';
import type { ServerRow } from '../../../db/schema/schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { lineActedUpon } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { openDriver } from '../../../domain/machines/open-driver.ts';
import { tryFindServerRow } from '../../../domain/machines/servers.ts';
import { lineOnServer } from '../../../domain/presence/presence.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { endSessionsLimit, enforceLimit } from '../../../platform/rate-limit.ts';
import { findLine } from '../list/store.ts';

const unable: Finding = {
  code: 'IN_OTHER_WORDS',
  data: { words: agentRefusals.CANNOT_END_SESSIONS, said: 'CANNOT_END_SESSIONS' },
};

/**
 * Names of accounts that the server has accepted for the line: an account with a name that it has not accepted belongs
 * to somebody else. OSCam's mark shows the line of an account, and OSCam keeps the account of a suspended line.
 */
async function findNames(
  db: Db,
  { id, kind }: Pick<ServerRow, 'id' | 'kind'>,
  line: { id: string; username: string },
): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    select account.username from server_accounts account
      where account.server_id = ${id} and ${lineOnServer} = ${line.id}::uuid`.execute(db);
  const taken = rows.map(({ username }) => username);
  return kind === 'oscam_webif' ? [...new Set([line.username, ...taken])] : taken;
}

/** Ends the sessions of a line on one of its servers; null if the server cannot end sessions. */
async function endOn(ctx: Ctx, server_id: string, line: { id: string; username: string }) {
  const server = await tryFindServerRow(ctx.db, server_id);
  if (!server) return null;
  const usernames = await findNames(ctx.db, server, line);
  const driver = openDriver(ctx, server);
  return (await driver.endSessions?.({ line: line.id, usernames }, ctx.stopping.signal)) ?? null;
}

/**
 * Ends the sessions of a line on all its servers. The audit entry is written before the card server
 * is called, because ended sessions cannot be restored.
 */
export const endSessions: Mutation<
  typeof contract.endSessions,
  { id: string; server_ids: string[]; username: string }
> = {
  audit: { action: 'line.end_sessions', subject: lineActedUpon },
  commit: async (tx, { actor }, { params: { id } }) => {
    const { servers, username } = await findLine(tx, lineScope(actor), id);
    await enforceLimit(tx, endSessionsLimit, id);
    return { id, server_ids: servers.map(({ server_id }) => server_id), username };
  },
  reply: async (ctx, { server_ids, ...line }) => {
    const tried = await Promise.all(server_ids.map((server_id) => endOn(ctx, server_id, line)));
    const done = tried.filter((one) => one !== null);
    if (done.length === 0) return { ended: 0, ...findingWithMessage(unable) };
    const ended = done.reduce((sum, one) => sum + (one.ok ? one.ended : 0), 0);
    const failed = done.find((one) => !one.ok);
    return { ended, ...findingWithMessage(failed && !failed.ok ? failed.finding : null) };
  },
};
