import { sql } from 'kysely';
import { transact } from '../../db/transaction.ts';
import { isReached } from '../../platform/clock.ts';
import { consumeLimit, type Limit } from '../../platform/rate-limit.ts';
import type { Services } from '../context/context.ts';
import { CONTACT_INBOX } from '../notices/notify.ts';
import { TICKETS } from '../tickets/notices.ts';
import { mailQueue, queueMail } from './mail-queue.ts';

const AT_ONCE = 100;

/** Per account: mails about what others wrote. Beyond them it waits, and becomes one. */
const writtenMailsLimit: Limit = { scope: 'written-mails', failures: 3, window_seconds: 600 };

/** SQL condition: somebody wrote it, of which there may be any number. */
const isWritten = sql<boolean>`(starts_with(link, ${TICKETS}) or link = ${CONTACT_INBOX})`;

/** SQL condition: the account was mailed of so much lately that the rest waits to be gathered. */
const isHeld = sql<boolean>`(${isWritten} and exists (
  select from rate_limits where scope = ${writtenMailsLimit.scope}
    and subject = notifications.account_id::text and count >= ${writtenMailsLimit.failures}
    and not ${isReached(sql.ref('window_ends_at'), writtenMailsLimit.window_seconds)}))`;

interface Wanted {
  id: string;
  account_id: string;
  is_written: boolean;
}

/** A mail for each; one for all that an account is to be told of what others wrote. */
function mailsOf(wanted: readonly Wanted[]) {
  const byMail = Map.groupBy(wanted, ({ id, account_id, is_written }) =>
    is_written ? account_id : id,
  );
  return [...byMail.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const { id, account_id, is_written } = first;
    const more_notification_ids = more.map((other) => other.id);
    const notice = {
      ...({ kind: 'notice', account_id, language: 'en', notification_id: id } as const),
      ...(more.length > 0 && { more_notification_ids }),
    };
    return [{ account_id, is_written, notice }];
  });
}

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
        .select(['id', 'account_id', isWritten.as('is_written')])
        .where('mail_state', '=', 'wanted')
        .where(sql<boolean>`not ${isHeld}`)
        .orderBy('id')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked()
        .execute();
      for (const mail of mailsOf(wanted)) {
        if (mail.is_written) await consumeLimit(tx, writtenMailsLimit, mail.account_id);
        await queueMail(tx, services, mail.notice);
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
