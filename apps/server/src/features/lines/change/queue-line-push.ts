import { sql } from 'kysely';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Tx } from '../../../db/transaction.ts';
import { isNeverTaken } from '../../../domain/delivery/server-accounts.ts';
import { keepPassword, wantOnServer } from '../../../domain/delivery/wanted-state.ts';
import type { LockedLine } from './locked-line.ts';
import type { PushTarget } from './reply-with-sync.ts';

interface Afterwards {
  server_id: string;
  username: string;
  expiry_date: string;
  suspension: StoredSuspension | null;
  isChanged: boolean;
}

/** Whether the account of a suspended line stays on its server, switched off. */
async function keepsSuspended(tx: Tx, id: string): Promise<boolean> {
  const server = await tx
    .selectFrom('cccam_servers')
    .select('kind')
    .where('id', '=', id)
    .executeTakeFirst();
  return server?.kind === 'oscam_webif';
}

/** What there is to send of the line, and with what it was sold, as it was. */
async function readLeft(tx: Tx, { server_id, username }: LockedLine) {
  return tx
    .selectFrom('server_accounts')
    .select(['sold', sql<boolean>`coalesce(${isNeverTaken}, false)`.as('is_never_taken')])
    .where('server_id', '=', server_id)
    .where('username', '=', username)
    .executeTakeFirst();
}

/** A line that was sold and never taken is so under another name or on another server, too. */
function soldOf({ id }: LockedLine, left: Awaited<ReturnType<typeof readLeft>>) {
  if (!left?.sold || !left.is_never_taken || left.sold.line_id !== id) return undefined;
  return { line_id: id, job_id: left.sold.job_id };
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
  const left = isElsewhere ? await readLeft(tx, line) : undefined;
  const pushes: PushTarget[] = [];
  if (isWanted && (isElsewhere || isChanged || !wasWanted)) {
    const wanted = { line_id: line.id, expiry_date };
    await wantOnServer(tx, {
      server_id,
      username,
      wanted,
      operation: 'edit',
      sold: soldOf(line, left),
    });
    pushes.push({ server_id, username });
  }
  // Its row by the name of before may still let its customer in.
  if (left && !wasWanted && !isWanted && server_id === line.server_id) {
    const sold = soldOf(line, left);
    await wantOnServer(tx, { server_id, username, wanted: null, operation: 'edit', sold });
    pushes.push({ server_id, username });
  }
  const isLeft = wasWanted || (isElsewhere && (await keepsSuspended(tx, line.server_id)));
  if (isLeft && (isElsewhere || !isWanted)) {
    const before = { server_id: line.server_id, username: line.username };
    await wantOnServer(tx, { ...before, wanted: null, operation: 'edit' });
    if (!wasWanted) await keepPassword(tx, { ...before, id: line.id, password: line.password });
    pushes.push(before);
  }
  return pushes;
}
