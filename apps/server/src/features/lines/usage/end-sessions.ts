import { agentRefusals } from '@linekeeper/contract/agent-refusals.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/lines/usage.ts';
import { sql } from 'kysely';
import type { ServerRow } from '../../../db/schema/schema.ts';
import type { Db } from '../../../db/transaction.ts';
import { lineActedUpon } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
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
 * Names of accounts that the server has taken for the line: an account with one that it has not taken belongs to
 * somebody else. OSCam's mark shows whose an account is, and OSCam keeps that of a suspended line.
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

/** Ends the sessions of a line. Audited before the card server is called: ended sessions do not come back. */
export const endSessions: Mutation<
  typeof contract.endSessions,
  { id: string; server_id: string; username: string }
> = {
  audit: { action: 'line.end_sessions', subject: lineActedUpon, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id } }) => {
    const { server_id, username } = await findLine(tx, lineScope(actor), id);
    await enforceLimit(tx, endSessionsLimit, id);
    return { id, server_id, username };
  },
  reply: async (ctx, { id, server_id, username }) => {
    const server = await tryFindServerRow(ctx.db, server_id);
    const driver = server && openDriver(ctx, server);
    const usernames = server ? await findNames(ctx.db, server, { id, username }) : [];
    const done = await driver?.endSessions?.({ line: id, usernames }, ctx.stopping.signal);
    if (!done) return { ended: 0, ...findingWithMessage(unable) };
    if (done.ok) return { ended: done.ended, ...findingWithMessage(null) };
    return { ended: 0, ...findingWithMessage(done.finding) };
  },
};
