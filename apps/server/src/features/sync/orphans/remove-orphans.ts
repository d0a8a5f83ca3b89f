import type * as contract from '@linekeeper/contract/servers/orphans.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../db/transaction.ts';
import { auditOriginOf, writeAudit } from '../../../domain/audit/audit.ts';
import { pushNow } from '../../../domain/delivery/pushes.ts';
import { syncReply } from '../../../domain/delivery/sync-reply.ts';
import { lockServers } from '../../../domain/machines/locked-servers.ts';
import { findOrphans, forgetOrphans, type StoredOrphan } from '../../../domain/machines/orphans.ts';
import type { Mutation } from '../../../domain/use-cases/use-case.ts';
import { fail } from '../../../platform/errors/refusal.ts';

interface Removed {
  removed: number;
  /** Where one alone was named. */
  one: { server_id: string; username: string } | null;
}

/** Queues their deletion. A name that is wanted on its server by now stays: its row is left alone. */
async function queueRemovals(tx: Tx, orphans: readonly StoredOrphan[]): Promise<StoredOrphan[]> {
  const { rows } = await sql<{ server_id: string; username: string }>`
    insert into server_accounts (server_id, username, wanted, operation, on_server)
      select server_id, username, null, 'delete', true
        from unnest(${orphans.map(({ server_id }) => server_id)}::uuid[],
          ${orphans.map(({ username }) => username)}::text[]) as orphan (server_id, username)
        order by server_id, username
    on conflict do nothing
    returning server_id, username`.execute(tx);
  const queued = new Set(rows.map(({ server_id, username }) => `${server_id} ${username}`));
  return orphans.filter(({ server_id, username }) => queued.has(`${server_id} ${username}`));
}

export const removeOrphans: Mutation<typeof contract.removeOrphans, Removed> = {
  audit: { auditsItself: 'an entry for each name' },
  commit: async (tx, ctx, { body: { ids } }) => {
    const named = await findOrphans(tx, ids);
    if (named.length > 0) {
      await lockServers(tx, [...new Set(named.map(({ server_id }) => server_id))]);
    }
    // Read again: others may have adopted or removed them before the lock.
    const found = await findOrphans(tx, ids);
    const orphans = found.filter(({ can_remove }) => can_remove);
    if (found.length > 0 && ids.length === 1 && orphans.length === 0) fail('ORPHAN_KEPT');
    const removed = await queueRemovals(tx, orphans);
    await forgetOrphans(tx, orphans);
    if (removed.length === 0 && ids.length === 1) fail('ORPHAN_GONE');
    await writeAudit(
      tx,
      auditOriginOf(ctx),
      removed.map(({ server_id, username }) => ({
        action: 'server.remove_orphan',
        subject_type: 'server',
        subject_id: server_id,
        data: { username },
      })),
    );
    const [first] = removed;
    const one = ids.length === 1 && first ? first : null;
    return {
      removed: removed.length,
      one: one && { server_id: one.server_id, username: one.username },
    };
  },
  reply: async (ctx, { removed, one }) => {
    if (!one) return { removed, sync: null, sync_finding: null };
    return { removed, ...syncReply(await pushNow(ctx, one.server_id, one.username)) };
  },
};
