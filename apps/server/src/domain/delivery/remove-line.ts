import type { Tx } from '../../db/transaction.ts';
import { keepPassword, wantAllOnServers } from './wanted-state.ts';

interface Removed {
  id: string;
  username: string;
  server_id: string;
}

/** Refunds nothing. The name is available at once; its server gets a deletion until it succeeds. */
export const removeLine = (tx: Tx, line: Removed): Promise<void> => removeLines(tx, [line]);

/** `removeLine` for several lines, which the caller has locked. */
export async function removeLines(tx: Tx, lines: readonly Removed[]): Promise<void> {
  if (lines.length === 0) return;
  const removed = await tx
    .deleteFrom('users')
    .where(
      'id',
      'in',
      lines.map(({ id }) => id),
    )
    .returning(['id', 'username', 'server_id', 'password'])
    .execute();
  await wantAllOnServers(
    tx,
    removed.map(({ server_id, username }) => ({
      ...{ server_id, username, wanted: null, operation: 'delete' },
    })),
  );
  // Those of suspended lines had no row to keep their passwords in.
  await keepPassword(tx, ...removed);
}
