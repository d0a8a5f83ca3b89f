import type * as contract from '@linekeeper/contract/servers/servers.ts';
import { serverActedUpon } from '../../core/audit/audit-subjects.ts';
import { lockServers, moveAllLines } from '../../core/pushes/server-accounts.ts';
import { fail, failField } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import { findServer } from './store.ts';

/** The pushes to both servers are delivered in the background. */
export const moveLines: Mutation<typeof contract.moveLines, { moved: number }> = {
  audit: {
    action: 'server.move_lines',
    subject: serverActedUpon,
    of: ({ params }) => params.id,
    data: ({ body }, { moved }) => ({ ...body, moved }),
  },
  commit: async (tx, _ctx, { params: { id }, body: { to_server_id } }) => {
    if (id === to_server_id) {
      await findServer(tx, id);
      failField('to_server_id', 'INVALID_VALUE');
    }
    const [from, to] = await lockServers(tx, [id, to_server_id]);
    if (to.status !== 'active') fail('NO_ACTIVE_CCCAM_SERVERS');
    const moved = await moveAllLines(tx, from, to);
    return { moved };
  },
  reply: async (_, { moved }) => ({ moved }),
};
