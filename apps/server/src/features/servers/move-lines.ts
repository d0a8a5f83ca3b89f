import type * as contract from '@linekeeper/contract/servers.ts';
import { audit } from '../../core/audit.ts';
import { fail, failField } from '../../core/refusal.ts';
import { lockServers, moveAllLines } from '../../core/server-accounts.ts';
import type { Mutation } from '../../core/use-case.ts';
import { findServer } from './store.ts';

/** Both servers deliver afterwards what is due on them; nobody waits for that. */
export const moveLines: Mutation<typeof contract.moveLines, { moved: number }> = {
  commit: async (tx, { actor }, { params: { id }, body: { to_server_id } }) => {
    if (id === to_server_id) {
      await findServer(tx, id);
      failField('to_server_id', 'INVALID_VALUE');
    }
    const [from, to] = await lockServers(tx, [id, to_server_id]);
    if (to.status !== 'active') fail('NO_ACTIVE_CCCAM_SERVERS');
    const moved = await moveAllLines(tx, from, to);
    await audit(tx, {
      actor_id: actor.id,
      action: 'server.move_lines',
      subject_type: 'server',
      subject_id: id,
      data: { to_server_id, moved },
    });
    return { moved };
  },
  reply: async (_, { moved }) => ({ moved }),
};
