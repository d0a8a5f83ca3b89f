import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { markNoticesRead } from './notices.ts';

/** Marks a ticket as read by an account up to `read_to`, and its notices in the bell with it. */
export async function markRead(
  tx: Tx,
  ticket_id: string,
  account_id: string,
  read_to: number,
): Promise<void> {
  await sql`insert into ticket_reads (ticket_id, account_id, read_to)
      values (${ticket_id}, ${account_id}, ${read_to})
    on conflict (account_id, ticket_id) do update set read_to = excluded.read_to
      where ticket_reads.read_to < excluded.read_to`.execute(tx);
  await markNoticesRead(tx, ticket_id, account_id);
}
