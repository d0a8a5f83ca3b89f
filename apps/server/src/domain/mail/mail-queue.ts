import type { Language } from '@linekeeper/contract/languages.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import type { Queue } from '../../platform/jobs/job-queue.ts';
import type { AuditOrigin } from '../audit/audit.ts';
import type { Services } from '../context/context.ts';
import type { MailKind } from './texts/mail-kinds.ts';

/**
 * A mail without its text, which is written when the mail is sent: a link that gives access to an
 * account must not be stored, and would be stale by then.
 */
export interface QueuedMail {
  kind: MailKind;
  /** null for a mail to who has no account. */
  account_id: string | null;
  /** Used for accounts without a chosen language. */
  language: Language;
  /** The notification that a mail of the kind `notice` says. */
  notification_id?: string;
  /** Others that it says too. */
  more_notification_ids?: string[];
  /** Or the message that it says. */
  message_id?: string;
  /** The contact message that a mail of the kind `contact_answer` answers. */
  contact_id?: string;
  /** The account that asked for the mail and its address, for the audit log. */
  origin?: AuditOrigin;
  /** The address that a mail of the kind `email_changed` goes to. */
  old_email?: string;
}

export const mailQueue: Queue<QueuedMail> = {
  name: 'mail',
  at_a_time: 2,
  poll_seconds: 2,
  // Retries after seconds at first, later every hour, for about a day in total.
  retries: { retryLimit: 34, retryDelay: 4, retryBackoff: true, retryDelayMax: 3600 },
  // An unsent mail with this key would have the same content.
  keyOf: ({ kind, account_id, contact_id, notification_id, message_id, old_email }) => {
    const about = notification_id ?? message_id ?? old_email ?? '';
    return `${kind} ${account_id ?? contact_id} ${about}`.trimEnd();
  },
};

/** All panels hear here that a mail was queued. */
export const MAIL_CHANNEL = 'linekeeper_mail';

/**
 * Queues a mail in the transaction that causes it, so that it is sent if and only if that commits,
 * even if the panel or the mail server fails meanwhile. Queues nothing without a mail server. Every
 * panel hears of it with the commit; call `wake` after it for this one, which may not be listening.
 */
export async function queueMail(
  tx: Tx,
  { mail, jobQueue }: Pick<Services, 'mail' | 'jobQueue'>,
  queued: QueuedMail,
): Promise<void> {
  if (!mail.isConfigured) return;
  await jobQueue.send(tx, mailQueue, queued);
  await sql`select pg_notify(${MAIL_CHANNEL}, '')`.execute(tx);
}
