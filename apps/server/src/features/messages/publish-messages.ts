import { sql } from 'kysely';
import type { Services } from '../../core/context.ts';
import { transact } from '../../db/transaction.ts';
import { wishMails } from './message-mails.ts';

/**
 * Publishes what was scheduled, and ends what was shown until now. The moments are as they were
 * chosen, however far ahead, so `isReached` is not for them. A message is published by the update that
 * takes it out of the state, so once, however many panels do it.
 */
export async function publishMessages({
  db,
  mail,
}: Pick<Services, 'db' | 'mail'>): Promise<number> {
  return transact(db, async (tx) => {
    await sql`update messages set state = 'expired'
      where state in ('scheduled', 'published') and expires_at <= clock_timestamp()`.execute(tx);
    const { rows } = await sql<{ id: string }>`
      update messages set state = 'published', publish_at = clock_timestamp()
        where state = 'scheduled' and publish_at <= clock_timestamp()
        returning id`.execute(tx);
    await wishMails(
      tx,
      { mail },
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
}
