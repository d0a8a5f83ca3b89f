import { sql } from 'kysely';
import type { StoredSuspension } from '../../../db/stored-suspension.ts';
import type { Tx } from '../../../db/transaction.ts';
import { refuseHeldName } from '../../../domain/delivery/sent-names.ts';
import {
  formerAccountsOf,
  isNeverTaken,
  keepAsFormer,
  keepSuspendedAsFormer,
} from '../../../domain/delivery/server-accounts.ts';
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
 * Leaves the account under the former name or on the former server. The line works by it until the new one is taken; one
 * by which it never worked goes.
 */
async function leaveAccount(tx: Tx, line: LockedLine, after: Afterwards): Promise<void> {
  const { id, server_id, username } = line;
  if (line.suspension === null) {
    if (after.suspension === null && (await keepAsFormer(tx, line, after.expiry_date))) return;
  } else {
    if (!(await keepsSuspended(tx, server_id))) return;
    // On another server nothing is made for a suspended line, so that nothing is waited for.
    if (after.server_id === server_id) {
      return keepSuspendedAsFormer(tx, { ...line, id }, after.expiry_date);
    }
  }
  await wantOnServer(tx, { server_id, username, wanted: null, operation: 'edit' });
  if (line.suspension !== null) await keepPassword(tx, line);
}

/**
 * Writes the wanted states after a change. A new name or server means an account there, and the former one goes once it
 * is taken. A suspended line's own account is wanted nowhere, whatever changes. Returns the names to push. Throws
 * USERNAME_EXISTS for a name by which another line still works.
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
  const sold = isElsewhere ? soldOf(line, await readLeft(tx, line)) : undefined;
  const own = { server_id, username };
  if (isElsewhere) {
    await refuseHeldName(tx, { ...own, id: line.id });
    await leaveAccount(tx, line, after);
  }
  const former = await formerAccountsOf(tx, line.id);
  // A suspended line with a new name is as it should be once its former account is off.
  const isOff = isElsewhere && !wasWanted && server_id === line.server_id && former.length > 0;
  const isWritten = isWanted
    ? isElsewhere || isChanged || !wasWanted
    : isOff || (wasWanted && !isElsewhere);
  if (isWritten) {
    const wanted = isWanted ? { line_id: line.id, expiry_date } : null;
    await wantOnServer(tx, { ...own, wanted, operation: 'edit', sold });
  }
  // What it works by is changed first, and goes last.
  const first = former.filter(({ follows }) => follows);
  return [...first, ...(isWritten ? [own] : []), ...(isElsewhere && isWanted ? former : [])].map(
    ({ server_id, username }) => ({ server_id, username }),
  );
}
