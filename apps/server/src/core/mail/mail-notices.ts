import { transact } from '../../db/transaction.ts';
import type { Services } from '../context.ts';
import { mailQueue, queueMail } from './mail-queue.ts';

const AT_ONCE = 100;

type NoticeServices = Pick<Services, 'db' | 'mail' | 'jobQueue'>;

/**
 * Queues the mails of notifications that are sent by mail too. Whatever causes one may have no mail
 * queue at hand, as a debit of credits has none: so it says in its transaction that a mail is wanted, and
 * each is queued in the one that takes the wish back, however many panels look. Without a mail server they
 * are not kept for later. Returns their number.
 */
export async function queueNoticeMails(
  services: NoticeServices,
  isStopping = () => false,
): Promise<number> {
  const { db, jobQueue } = services;
  let queued = 0;
  for (;;) {
    if (isStopping()) break;
    const taken = await transact(db, async (tx) => {
      const wanted = await tx
        .selectFrom('notifications')
        .select(['id', 'account_id'])
        .where('mail_state', '=', 'wanted')
        .orderBy('id')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked()
        .execute();
      for (const { id, account_id } of wanted) {
        const notice = { kind: 'notice', account_id, language: 'en', notification_id: id } as const;
        await queueMail(tx, services, notice);
      }
      const ids = wanted.map(({ id }) => id);
      if (ids.length > 0) {
        await tx
          .updateTable('notifications')
          .set({ mail_state: 'queued' })
          .where('id', 'in', ids)
          .execute();
      }
      return wanted.length;
    });
    queued += taken;
    if (taken < AT_ONCE) break;
  }
  if (queued > 0) jobQueue.wake(mailQueue);
  return queued;
}
