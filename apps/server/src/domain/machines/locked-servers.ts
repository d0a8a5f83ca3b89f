import type { Tx } from '../../db/transaction.ts';
import { fail } from '../../platform/errors/refusal.ts';
import { reachedColumns } from './servers.ts';

/**
 * Locks servers against deletion and changes until the transaction ends, ordered by id to avoid
 * deadlocks. Does not block sales. Throws SERVER_NOT_FOUND for a missing one.
 */
export async function lockServers<const Ids extends readonly string[]>(tx: Tx, ids: Ids) {
  const rows = await tx
    .selectFrom('cccam_servers')
    .select([
      ...reachedColumns,
      'id',
      'api_port',
      'machine_id',
      'kind',
      'status',
      'closed_to_new_lines',
      'max_lines',
    ])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return ids.map((id) => rows.find((row) => row.id === id) ?? fail('SERVER_NOT_FOUND')) as {
    [Index in keyof Ids]: (typeof rows)[number];
  };
}

/**
 * Locks a server against sales too: waits for those under way, and those that come later find it as the
 * transaction leaves it.
 */
export async function lockAgainstSales(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('cccam_servers').select('id').where('id', '=', id).forUpdate().execute();
}
