import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { sql } from 'kysely';
import { type Db, transact } from '../../db/transaction.ts';
import { newResetToken, storeResetLink } from '../accounts/reset-links.ts';
import { panelOrigin, writeAudit } from '../audit/audit.ts';
import type { Services } from '../context.ts';
import { readSettings } from '../settings.ts';
import { composeMail } from './compose-mail.ts';
import { MailNotTaken } from './mail.ts';
import type { QueuedMail } from './mail-queue.ts';
import { releaseMailSlot, reserveMailSlot } from './mail-slots.ts';
import type { MailFacts, MailKind } from './mail-texts.ts';

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
  reset_password: () => false,
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
  const slot = await reserveMailSlot(db, kind, recipient.email);
  if (slot === null) {
    log.warn({ kind, account_id }, 'mail not sent: its recipient was sent enough in this hour');
    return;
  }
  let content: Content | null;
  try {
    content = await readContent(services, queued, recipient);
    if (!content) return await releaseMailSlot(db, slot);
    await mail.send(await compose(services, queued, recipient, content.facts));
  } catch (error) {
    await releaseMailSlot(db, slot);
    const isFinal = error instanceof MailNotTaken && error.isFinal;
    if (isFinal || isLast) log.error({ err: error, kind, account_id }, 'mail given up');
    if (!isFinal) throw error;
    return;
  }
  await content.whenTaken?.();
}

async function compose(
  { db, auth }: MailServices,
  queued: QueuedMail,
  recipient: Recipient,
  facts: MailFacts[MailKind],
) {
  const { site_name } = await readSettings(db);
  return composeMail({
    kind: queued.kind,
    facts,
    language: chosenLanguage(recipient, queued),
    site_name,
    site: auth.pageLink('/'),
    email: recipient.email,
  });
}

interface Content {
  facts: MailFacts[MailKind];
  /** Called when the mail server has taken the mail. */
  whenTaken?(): Promise<void>;
}

/** What the mail says; null if that is no longer there. */
async function readContent(
  services: MailServices,
  queued: QueuedMail,
  recipient: Recipient,
): Promise<Content | null> {
  const { db, auth } = services;
  const { email } = recipient;
  if (queued.kind === 'confirm_email') {
    return { facts: { link: await auth.confirmationLink(email) } };
  }
  if (queued.kind === 'reset_password') return resetContent(services, queued, email);
  const notification = await db
    .selectFrom('notifications')
    .select(['title', 'content', 'link'])
    .where('id', '=', queued.notification_id ?? null)
    .executeTakeFirst();
  if (!notification) return null;
  const { title, content, link } = notification;
  return { facts: { title, content, link: auth.pageLink(link ?? '/') } };
}

/**
 * A link to set a password. It works from when the mail server has taken the mail, because it ends
 * the one before, which must not happen by a mail that did not leave.
 */
function resetContent({ db, auth }: MailServices, queued: QueuedMail, email: string): Content {
  const { account_id, origin = panelOrigin } = queued;
  const token = newResetToken();
  const whenTaken = () =>
    transact(db, async (tx) => {
      // Not if the account was banned or got another address meanwhile.
      const account = await tx
        .selectFrom('auth_users')
        .select('id')
        .where('id', '=', account_id)
        .where('email', '=', email)
        .where('banned', '=', false)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!account) return;
      const expires_at = await storeResetLink(tx, account_id, null, token);
      const data = { expires_at: expires_at.toISOString() };
      await writeAudit(tx, origin, [
        { action: 'account.mail_link', subject_type: 'account', subject_id: account_id, data },
      ]);
    });
  return { facts: { link: auth.resetLink(token), email }, whenTaken };
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
