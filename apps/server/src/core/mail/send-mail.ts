import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import type { Services } from '../context.ts';
import { MailNotTaken } from './mail.ts';
import type { QueuedMail } from './mail-queue.ts';
import { releaseMailSlot, reserveMailSlot } from './mail-slots.ts';
import { type MailFacts, type MailKind, mailTexts } from './mail-texts.ts';

type MailServices = Pick<Services, 'db' | 'auth' | 'mail' | 'log'>;

interface Recipient {
  email: string;
  email_verified: boolean;
  language: string | null;
  /** False if the account has turned off all mails but those about itself. */
  wants_notices: boolean;
}

/** A mail may no longer be needed by the time it is sent. */
const isNeedless: Record<MailKind, (recipient: Recipient) => boolean> = {
  confirm_email: ({ email_verified }) => email_verified,
  notice: ({ email_verified, wants_notices }) => !email_verified || !wants_notices,
};

/**
 * Sends a queued mail unless it is no longer needed or its recipient's limit is reached. Throws to
 * be retried. The limit counts mails that the mail server accepted, so retries do not count.
 */
export async function sendQueuedMail(
  services: MailServices,
  queued: QueuedMail,
  isLast: boolean,
): Promise<void> {
  const { db, mail, log } = services;
  const { kind, account_id } = queued;
  const recipient = await findRecipient(db, account_id);
  if (!recipient || isNeedless[kind](recipient) || !mail.isConfigured) return;
  const facts = await readFacts(services, queued, recipient);
  if (!facts) return;
  const slot = await reserveMailSlot(db, recipient.email);
  if (slot === null) {
    log.warn({ kind, account_id }, 'mail not sent: its recipient was sent enough in this hour');
    return;
  }
  try {
    const text = mailTexts[chosenLanguage(recipient, queued)][kind](facts as never);
    await mail.send({ to: recipient.email, ...text });
  } catch (error) {
    await releaseMailSlot(db, slot);
    const isFinal = error instanceof MailNotTaken && error.isFinal;
    if (isFinal || isLast) log.error({ err: error, kind, account_id }, 'mail given up');
    if (!isFinal) throw error;
  }
}

/** What the mail says; null if that is no longer there. */
async function readFacts(
  { db, auth }: MailServices,
  { kind, notification_id }: QueuedMail,
  { email }: Recipient,
): Promise<MailFacts[MailKind] | null> {
  if (kind === 'confirm_email') return { link: await auth.confirmationLink(email) };
  const notification = await db
    .selectFrom('notifications')
    .select(['title', 'content', 'link'])
    .where('id', '=', notification_id ?? null)
    .executeTakeFirst();
  if (!notification) return null;
  const { title, content, link } = notification;
  return { title, content, link: auth.pageLink(link ?? '/') };
}

async function findRecipient(db: Db, accountId: string): Promise<Recipient | undefined> {
  return db
    .selectFrom('auth_users')
    .leftJoin('account_settings', 'account_settings.account_id', 'auth_users.id')
    .select(['email', 'email_verified'])
    .select(sql<string | null>`account_settings.value ->> 'language'`.as('language'))
    .select(
      sql<boolean>`not coalesce(
        jsonb_path_exists(account_settings.value, '$.mails.* ? (@ == false)')
          and not jsonb_path_exists(account_settings.value, '$.mails.* ? (@ == true)'), false)`.as(
        'wants_notices',
      ),
    )
    .where('auth_users.id', '=', accountId)
    .where('banned', '=', false)
    .executeTakeFirst();
}

function chosenLanguage(recipient: Recipient, queued: QueuedMail): Language {
  return languages.find((language) => language === recipient.language) ?? queued.language;
}
