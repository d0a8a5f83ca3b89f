import { wantOnServer } from '../../core/pushes/wanted-state.ts';
import type { StoredSuspension } from '../../db/stored-suspension.ts';
import type { Tx } from '../../db/transaction.ts';
import type { LockedLine } from './locked-line.ts';
import type { PushTarget } from './reply-with-sync.ts';

interface Afterwards {
  server_id: string;
  username: string;
  expiry_date: string;
  suspension: StoredSuspension | null;
  isChanged: boolean;
}

/**
 * Writes the wanted states after a change. A new name or server means an addition there and a
 * deletion of the old one. A suspended line is wanted nowhere, whatever changes. Returns the names to
 * push.
 */
export async function queueLinePush(
  tx: Tx,
  line: LockedLine,
  after: Afterwards,
): Promise<PushTarget[]> {
  const { server_id, username, expiry_date, suspension, isChanged } = after;
  const isElsewhere = server_id !== line.server_id || username !== line.username;
  const wasWanted = line.suspension === null;
  const isWanted = suspension === null;
  const pushes: PushTarget[] = [];
  if (isWanted && (isElsewhere || isChanged || !wasWanted)) {
    const wanted = { line_id: line.id, expiry_date };
    await wantOnServer(tx, { server_id, username, wanted, operation: 'edit' });
    pushes.push({ server_id, username });
  }
  if (wasWanted && (isElsewhere || !isWanted)) {
    const before = { server_id: line.server_id, username: line.username };
    await wantOnServer(tx, { ...before, wanted: null, operation: 'edit' });
    pushes.push(before);
  }
  return pushes;
}
