import type * as contract from '@linekeeper/contract/servers/servers.ts';
import { serverActedUpon } from '../../domain/audit/audit-subjects.ts';
import { lookAgain } from '../../domain/machines/agent-reports.ts';
import { confirmDay, hasSuccessStatus } from '../../domain/machines/card-server/client.ts';
import { withPassword } from '../../domain/machines/servers.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { findServer, findServerRow } from './store.ts';

/** Lets an agent end lines by the day of its clock, after an administrator has looked at it. */
export const confirmServerDay: Mutation<typeof contract.confirmServerDay, null> = {
  audit: { action: 'server.confirm_day', subject: serverActedUpon, of: ({ params }) => params.id },
  prepare: async (ctx, { params, body }) => {
    const row = await findServerRow(ctx.db, params.id);
    if (row.day_finding?.code !== 'DAY_HELD') fail('DAY_NOT_CONFIRMED');
    const server = withPassword(ctx.secrets, row);
    const answer = await confirmDay(ctx.outbound, server, body.day, ctx.stopping.signal);
    const isTaken = answer.kind === 'reply' && hasSuccessStatus(answer);
    if (!isTaken) fail('DAY_NOT_CONFIRMED');
    await lookAgain(ctx, row);
    return undefined;
  },
  commit: async () => null,
  reply: ({ db }, _, { params }) => findServer(db, params.id),
};
