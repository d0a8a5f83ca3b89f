import type { Tx } from '../../../db/transaction.ts';
import { pushesOf, settle } from '../../../domain/delivery/settle.ts';
import { refuseHeldName } from '../../../domain/lines/sent-names.ts';
import type { LockedLine } from './locked-line.ts';
import type { PushTarget } from './reply-with-sync.ts';

/**
 * Has the wanted state follow a changed line. Returns the names to push. Throws USERNAME_EXISTS for a name by which
 * another line still works.
 */
export async function queueLinePush(
  tx: Tx,
  { id, ...before }: LockedLine,
  { server_id, username }: PushTarget,
  hasNewPassword = false,
): Promise<PushTarget[]> {
  const isElsewhere = server_id !== before.server_id || username !== before.username;
  if (isElsewhere) await refuseHeldName(tx, { id, server_id, username });
  return pushesOf(await settle(tx, [id], { again: hasNewPassword }));
}
