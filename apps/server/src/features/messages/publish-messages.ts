import { sql } from 'kysely';
import { transact } from '../../db/transaction.ts';
import type { Services } from '../../domain/context/context.ts';
import { addReaders } from '../../domain/notices/messages.ts';
import { wishMails } from './message-mails.ts';

/** A message that is shown for less than this is shown for as long as was chosen, if need be later. */
const MAY_BE_LATE = sql`interval '1 minute'`;

/**
 * Publishes what was scheduled, and ends what was shown until now: in this order, or a message that ends
 * before the next time would never be seen. A message is published by the update that takes it out of the
 * state, so once, however many panels do it. One whose end passed while no panel ran is not shown any more.
 */
export async function publishMessages({
  db,
  mail,
}: Pick<Services, 'db' | 'mail'>): Promise<number> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      with clock as materialized (select clock_timestamp() as now)
      update messages set state = 'published', publish_at = now,
          expires_at = case when expires_at - publish_at < ${MAY_BE_LATE}
            then now + (expires_at - publish_at) else expires_at end
        from clock
        where state = 'scheduled' and publish_at <= now
          and (expires_at is null or expires_at > now or publish_at > now - ${MAY_BE_LATE})
        returning id`.execute(tx);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await addReaders(tx, ids);
    await wishMails(tx, { mail }, ids);
    await sql`update messages set state = 'expired'
      where state in ('scheduled', 'published') and expires_at <= clock_timestamp()`.execute(tx);
    return rows.length;
  });
}
