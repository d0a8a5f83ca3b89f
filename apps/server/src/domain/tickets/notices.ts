import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { CONTACT_INBOX, TICKETS } from '../notices/notify.ts';

/** The address of a ticket, by which its notices in the bell are found. */
export function pathOf(ticketId: string): string {
  return TICKETS + ticketId;
}

export async function markNoticesRead(tx: Tx, ticketId: string, accountId: string): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ is_read: true })
    .where('account_id', '=', accountId)
    .where('link', '=', pathOf(ticketId))
    .where('is_read', '=', false)
    .execute();
}

/** The bell of a former administrator must not go on quoting what only administrators may read. */
export async function forgetForeignNotices(tx: Tx, accountId: string): Promise<void> {
  await sql`delete from notifications where account_id = ${accountId}
    and (link = ${CONTACT_INBOX} or starts_with(link, ${TICKETS}) and not exists (
      select from tickets where user_id = ${accountId} and ${TICKETS}::text || id = link))`.execute(
    tx,
  );
}
