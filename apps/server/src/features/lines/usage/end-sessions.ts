import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/lines/usage.ts';
import { agentRefusals } from '@linekeeper/contract/servers/agent-refusals.ts';
import { lineActedUpon } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import { openDriver } from '../../../domain/delivery/open-driver.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { findLine } from '../list/store.ts';

const unable: Finding = {
  code: 'IN_OTHER_WORDS',
  data: { words: agentRefusals.CANNOT_END_SESSIONS, said: 'CANNOT_END_SESSIONS' },
};

/** What was asked for is audited before the card server is called, because sessions that ended do not come back. */
export const endSessions: Mutation<
  typeof contract.endSessions,
  { server_id: string; username: string }
> = {
  audit: { action: 'line.end_sessions', subject: lineActedUpon, of: ({ params }) => params.id },
  commit: async (tx, { actor }, { params: { id } }) => {
    const { server_id, username } = await findLine(tx, lineScope(actor), id);
    return { server_id, username };
  },
  reply: async (ctx, { server_id, username }) => {
    const server = await ctx.db
      .selectFrom('cccam_servers')
      .selectAll()
      .where('id', '=', server_id)
      .executeTakeFirst();
    const driver = server && openDriver(ctx, server);
    const done = await driver?.endSessions?.(username, ctx.stopping.signal);
    if (!done) return { ended: 0, ...findingWithMessage(unable) };
    if (done.ok) return { ended: done.ended, ...findingWithMessage(null) };
    return { ended: 0, ...findingWithMessage(done.finding) };
  },
};
