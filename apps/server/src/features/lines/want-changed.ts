import { wantOnServer } from '../../core/pushes.ts';
import type { Tx } from '../../db/transaction.ts';
import type { PushTarget } from './answer-change.ts';
import type { LockedLine } from './locked-line.ts';

/**
 * Writes what the servers are to hold after a change. Under another name, or on another server, it is
 * a new account: the old one goes. Returns the names to push.
 */
export async function wantChanged(
  tx: Tx,
  line: LockedLine,
  after: { server_id: string; username: string; expiry_date: string; isChanged: boolean },
): Promise<PushTarget[]> {
  const { server_id, username, expiry_date, isChanged } = after;
  const isElsewhere = server_id !== line.server_id || username !== line.username;
  if (!isElsewhere && !isChanged) return [];
  const wanted = { line_id: line.id, expiry_date };
  const here = { server_id, username };
  await wantOnServer(tx, { ...here, wanted, operation: 'edit' });
  if (!isElsewhere) return [here];
  const before = { server_id: line.server_id, username: line.username };
  await wantOnServer(tx, { ...before, wanted: null, operation: 'edit' });
  return [here, before];
}
