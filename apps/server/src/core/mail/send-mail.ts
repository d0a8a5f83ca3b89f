import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { emailChangeToken, findEmailChangeOf } from '../accounts/email-changes.ts';
import type { Services } from '../context.ts';
import { MailNotTaken } from './mail.ts';
import type { QueuedMail } from './mail-queue.ts';
import { releaseMailSlot, reserveMailSlot } from './mail-slots.ts';
import { type MailFacts, type MailKind, mailTexts } from './mail-texts.ts';

type MailServices = Pick<Services, 'db' | 'auth' | 'secrets' | 'mail' | 'log'>;

interface Recipient {
  email: string;
  email_verified: boolean;
  language: string | null;
  /** False if the account wants no mails but those about itself. */
  wants_notices: boolean;
}

/** A mail may no longer be needed by the time it is sent. */
const isNeedless: Partial<Record<MailKind, (recipient: Recipient) => boolean>> = {
  confirm_email: ({ email_verified }) => email_verified,
  notice: ({ email_verified, wants_notices }) => !email_verified || !wants_notices,
};

/**
 * Mails that tell an owner what was done with the password of the account. They come besides the limit,
 * or whoever did it could use that up before.
 */
const warnings: ReadonlySet<MailKind> = new Set([
  'email_change_asked',
  'email_changed',
  'two_factor_on',
  'two_factor_off',
]);

interface Letter {
  to: string;
  facts: MailFacts[MailKind];
}

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
  if (!recipient || isNeedless[kind]?.(recipient) || !mail.isConfigured) return;
  const letter = await writeLetter(services, queued, recipient);
  if (!letter) return;
  const { to, facts } = letter;
  const slot = warnings.has(kind) ? null : await reserveMailSlot(db, to);
  if (slot === null && !warnings.has(kind)) {
    log.warn({ kind, account_id }, 'mail not sent: its recipient was sent enough in this hour');
    return;
  }
  try {
    const text = mailTexts[chosenLanguage(recipient, queued)][kind](facts as never);
    await mail.send({ to, ...text });
  } catch (error) {
    if (slot !== null) await releaseMailSlot(db, slot);
    const isFinal = error instanceof MailNotTaken && error.isFinal;
    if (isFinal || isLast) log.error({ err: error, kind, account_id }, 'mail given up');
    if (!isFinal) throw error;
  }
}

/** To whom it goes and what it says; null if that is no longer there. */
async function writeLetter(
  { db, auth, secrets }: MailServices,
  { kind, account_id, notification_id, old_email }: QueuedMail,
  { email }: Recipient,
): Promise<Letter | null> {
  if (kind === 'two_factor_on' || kind === 'two_factor_off') return { to: email, facts: null };
  if (kind === 'email_changed') return { to: old_email ?? email, facts: { new_email: email } };
  if (kind === 'confirm_email') {
    return { to: email, facts: { link: await auth.confirmationLink(email) } };
  }
  if (kind === 'notice') {
    const facts = await readNotice(db, notification_id ?? null);
    return facts && { to: email, facts: { ...facts, link: auth.pageLink(facts.link ?? '/') } };
  }
  const change = await findEmailChangeOf(db, account_id);
  if (!change) return null;
  const { id, new_email } = change;
  if (kind === 'email_change_asked') return { to: email, facts: { new_email } };
  if (await isTaken(db, new_email)) return null;
  return { to: new_email, facts: { link: auth.emailChangeLink(emailChangeToken(secrets, id)) } };
}

async function readNotice(db: Db, id: string | null) {
  const notification = await db
    .selectFrom('notifications')
    .select(['title', 'content', 'link'])
    .where('id', '=', id)
    .executeTakeFirst();
  return notification ?? null;
}

async function isTaken(db: Db, email: string): Promise<boolean> {
  const account = await db
    .selectFrom('auth_users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return account !== undefined;
}

async function findRecipient(db: Db, accountId: string): Promise<Recipient | undefined> {
  return db
    .selectFrom('auth_users')
    .leftJoin('account_settings', 'account_settings.account_id', 'auth_users.id')
    .select(['email', 'email_verified'])
    .select(sql<string | null>`account_settings.value ->> 'language'`.as('language'))
    .select(
      sql<boolean>`account_settings.value -> 'mails' is distinct from 'false'::jsonb`.as(
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
