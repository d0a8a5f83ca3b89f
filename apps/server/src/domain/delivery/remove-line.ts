import type { Tx } from '../../db/transaction.ts';
import { keepPassword, wantOnServer } from './wanted-state.ts';

interface Removed {
  id: string;
  username: string;
  server_id: string;
}

/** Refunds nothing. The name is available at once; its server gets a deletion until it succeeds. */
export async function removeLine(tx: Tx, { id, username, server_id }: Removed): Promise<void> {
  const { password } = await tx
    .deleteFrom('users')
    .where('id', '=', id)
    .returning('password')
    .executeTakeFirstOrThrow();
  await wantOnServer(tx, { server_id, username, wanted: null, operation: 'delete' });
  // That of a suspended line had no row to keep its password in.
  await keepPassword(tx, { id, username, server_id, password });
}
