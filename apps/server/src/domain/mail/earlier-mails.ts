import { sql } from 'kysely';
import { type Db, transact } from '../../db/transaction.ts';
import { type Queue, type Worker, worker } from '../../platform/jobs/job-queue.ts';
import type { Services } from '../context/context.ts';
import { queueNotices } from '../notices/notify.ts';
import { type QueuedMail, queueMails } from '../notices/outbox.ts';

// Mails that panels of 1.1.0 queue beside this version, or left. The version after 1.2 needs this no more.

export const earlierQueue: Queue<QueuedMail> = {
  name: 'mail',
  at_a_time: 1,
  poll_seconds: 10,
  // As 1.1.0 has them, which may still work on the queue.
  retries: { retryLimit: 34, retryDelay: 4, retryBackoff: true, retryDelayMax: 3600 },
  keyOf: ({ notification_id = '' }) => notification_id,
};

/** Puts the mails of the job queue of 1.1.0 into the outbox. */
export function earlierMails(services: Pick<Services, 'db' | 'jobQueue' | 'mail'>): Worker {
  return worker(earlierQueue, async (mail) => {
    await transact(services.db, (tx) => queueMails(tx, services, [mail]));
    services.jobQueue.wake(earlierQueue);
  });
}

/** Puts the mails of notifications that a panel of 1.1.0 wrote, and did not queue, into the outbox. */
export async function takeOverNotices(db: Db): Promise<void> {
  await sql`
    with wanted as (
      update notifications set mail_state = 'queued' where mail_state = 'wanted'
        returning id, account_id, link)
    ${queueNotices(sql`wanted`)}`.execute(db);
}
