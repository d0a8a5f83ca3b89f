import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { type Db, transact } from '../../db/transaction.ts';
import { MailNotTaken } from '../../platform/mail/mail.ts';
import {
  consumeLimit,
  type Limit,
  limitOf,
  readLimit,
  releaseLimit,
} from '../../platform/rate-limit.ts';
import { readSettings } from '../../platform/settings.ts';
import { readPasswordHash } from '../accounts/account-passwords.ts';
import { readAccount } from '../accounts/accounts.ts';
import {
  emailChangeToken,
  findEmailChange,
  issueToken,
  newToken,
} from '../accounts/one-time-tokens.ts';
import { auditAccount, panelOrigin } from '../audit/audit.ts';
import type { Services } from '../context/context.ts';
import { noteUnsent, readCustomerReminder } from '../lines/customer-reminders.ts';
import { isShown, isUnreadBy, textFor } from '../notices/messages.ts';
import { severalTitle } from '../notices/notices.ts';
import { chosenColumns, mailChoices, ORDERED } from '../notices/notify.ts';
import type { MailFacts, MailKind, QueuedMail } from '../notices/outbox.ts';
import { composeMail } from './compose-mail.ts';

const HOUR_SECONDS = 3600;
/** Emails per recipient and kind, regardless of the account that causes them. */
const mailsLimit = limitOf('mail', 3, HOUR_SECONDS);
/** Emails per recipient and cause, such as top-ups or servers, so that strangers cannot crowd out an alarm. */
const noticesLimit = limitOf('mail', 30, HOUR_SECONDS);

/**
 * The limit of an email and the subject that counts. Each kind counts separately; otherwise
 * strangers who ask for links could use up the limit of other emails.
 */
const limitFor = (kind: MailKind, email: string, cause = ''): [Limit, string] =>
  kind === 'notice' || kind === 'customer_reminder'
    ? [noticesLimit, `${kind} ${cause} ${email}`]
    : [mailsLimit, `${kind} ${email}`];

/** True if the limit of emails of this kind to the recipient is not reached. */
export async function mayBeMailed(db: Db, kind: MailKind, email: string): Promise<boolean> {
  return (await readLimit(db, ...limitFor(kind, email))) === 0;
}

type MailServices = Pick<Services, 'db' | 'auth' | 'secrets' | 'mail' | 'log' | 'stopping'>;

interface Account {
  email: string;
  email_verified: boolean;
  full_name: string;
  language: string | null;
  /** False if the account wants no emails about notices: it has turned off several kinds, and turned on none. */
  wants_notices: boolean;
}

/** True if an email is no longer needed by the time it is sent. */
function isNeedless(kind: MailKind, { email_verified, wants_notices }: Account): boolean {
  if (kind === 'notice') return !email_verified || !wants_notices;
  return kind === 'confirm_email' && email_verified;
}

/**
 * Kinds of email without a limit. Some inform an owner that the account's password was used, and an
 * attacker could otherwise use up the limit before; each reply was written by an administrator.
 */
const unlimited: ReadonlySet<MailKind> = new Set([
  'contact_answer',
  'email_change_asked',
  'email_changed',
  'two_factor_on',
  'two_factor_off',
  'two_factor_removed',
]);

/**
 * Sends a queued email unless it is no longer needed or its recipient's limit is reached. Throws to be retried. The
 * limit counts emails that the mail server accepted, so retries do not count.
 */
export async function sendQueuedMail(
  services: MailServices,
  queued: QueuedMail,
  isLast: boolean,
): Promise<void> {
  const { db, mail, log } = services;
  const { kind, account_id } = queued;
  if (!mail.isConfigured) return;
  const addressed = queued.contact_id
    ? await readContactAnswer(db, queued, queued.contact_id)
    : await readAccountMail(services, queued);
  if (!addressed) return;
  const { content, to, language } = addressed;
  const limit = unlimited.has(kind) ? null : limitFor(kind, to, content.cause);
  if (limit && (await consumeLimit(db, ...limit)) > 0) {
    log.warn({ kind, account_id }, 'mail not sent: its recipient was sent enough in this hour');
    await content.whenUnsent?.('limit');
    return;
  }
  try {
    const { site_name, legal_notice } = await readSettings(db);
    const site = { site_name, legal_notice, site: services.auth.pageLink('/') };
    const letter = composeMail({ kind, facts: content.facts, language, email: to, ...site });
    // An email about a row is sent for this row alone; links by email have no row, and each has its own token.
    const about = queued.message_id ?? queued.notification_id;
    const id = about && `${about}.${account_id}`;
    await mail.send({ ...letter, id, reply_to: content.reply_to }, services.stopping.signal);
  } catch (error) {
    if (limit) await releaseLimit(db, ...limit);
    const isFinal = error instanceof MailNotTaken && error.isFinal;
    if (isFinal || isLast) {
      log.error({ err: error, kind, account_id }, 'mail given up');
      await content.whenUnsent?.('refused');
    }
    if (!isFinal) throw error;
    return;
  }
  await content.whenTaken?.();
}

interface Content {
  facts: MailFacts[MailKind];
  /** The recipient; the account's own address by default. */
  to?: string;
  /** The group of notices that share a limit. */
  cause?: string;
  /** Called when the mail server has accepted the email. */
  whenTaken?(): Promise<void>;
  /** Called when the email is given up. */
  whenUnsent?(reason: 'limit' | 'refused'): Promise<unknown>;
  reply_to?: string;
  /** The recipient's language, if the recipient is not the account. */
  language?: Language;
}

/** A mail's content with its recipient. */
interface Addressed {
  content: Content;
  to: string;
  language: Language;
}

/** The language that the recipient chose, or the language of the queued email. */
const languageOf = (chosen: string | null, queued: QueuedMail): Language =>
  languages.find((one) => one === chosen) ?? queued.language;

/** An email to an account; null if it is no longer needed, or its account or the data for its content was deleted. */
async function readAccountMail(
  services: MailServices,
  queued: QueuedMail,
): Promise<Addressed | null> {
  const account = await findAccount(services.db, queued.account_id);
  if (!account || isNeedless(queued.kind, account)) return null;
  const language = languageOf(account.language, queued);
  const content = await readContent(services, queued, account, language);
  return (
    content && { content, to: content.to ?? account.email, language: content.language ?? language }
  );
}

/** Content of an email to an account; null if the data for it was deleted. */
async function readContent(
  services: MailServices,
  queued: QueuedMail,
  account: Account,
  language: Language,
): Promise<Content | null> {
  switch (queued.kind) {
    case 'confirm_email':
      return confirmationContent(services, queued, account.full_name);
    case 'reset_password':
      return resetContent(services, queued, account.email);
    case 'notice':
      if (queued.message_id) return messageContent(services, queued, queued.message_id);
      return noticeContent(services, queued, language);
    case 'customer_reminder':
      return reminderContent(services, queued);
    case 'contact_answer':
      // A reply to a contact message goes to an address that may have no account, so none is read.
      return null;
    case 'two_factor_on':
    case 'two_factor_off':
    case 'two_factor_removed':
      return { facts: {} };
    case 'email_changed':
      return { to: queued.old_email ?? account.email, facts: { new_email: account.email } };
    case 'email_change_asked':
    case 'confirm_new_email':
      return emailChangeContent(services, queued);
  }
}

/** Content of a reminder to a customer; null if it is no longer due. */
async function reminderContent(
  { db, auth, secrets }: MailServices,
  { account_id, message_id: id }: QueuedMail,
): Promise<Content | null> {
  if (account_id === null || id === undefined) return null;
  const reminder = await readCustomerReminder(db, { auth, secrets, seller_id: account_id }, id);
  if (!reminder) {
    await noteUnsent(db, id, 'not_due');
    return null;
  }
  const { stop_token, to, language, reply_to, ...facts } = reminder;
  const stop_link = auth.stopLink(stop_token);
  const whenUnsent = (reason: 'limit' | 'refused') => noteUnsent(db, id, reason);
  return { to, language, reply_to, facts: { ...facts, stop_link }, whenUnsent };
}

/** Content of a confirmation; null if the account has no password, or was deleted. */
async function confirmationContent(
  { db, auth }: MailServices,
  { account_id }: QueuedMail,
  full_name: string,
): Promise<Content | null> {
  if (!account_id || !(await readPasswordHash(db, account_id))) return null;
  const token = newToken();
  await transact(db, (tx) => issueToken(tx, 'confirm_email', account_id, {}, token));
  // A stranger may have chosen the name, and mail programs turn addresses into links.
  const name = /[.:/@]\S/.test(full_name) ? '' : full_name;
  return { facts: { link: auth.confirmationLink(token), name } };
}

/** The page to which a notice leads, such as `/tickets`. Emails are limited for each page separately. */
const screenOf = (link: string) => link.split(/[/?]/, 2).join('/');
const causeOf = (link: string, said_once: string | null) =>
  said_once?.startsWith(ORDERED) ? 'orders' : screenOf(link);

async function noticeContent(
  { db, auth }: MailServices,
  { notification_id = '', more_notification_ids = [] }: QueuedMail,
  language: Language,
): Promise<Content | null> {
  const found = await db
    .selectFrom('notifications')
    .select(['title', 'content', 'link', 'kind', 'said_once'])
    .where('id', 'in', [notification_id, ...more_notification_ids])
    .orderBy('id')
    .execute();
  const [first] = found;
  if (!first) return null;
  const link = first.link ?? '/';
  const cause = causeOf(link, first.said_once);
  const is_conversation = first.kind === 'chat-message';
  if (found.length === 1) {
    const { title, content } = first;
    return { cause, facts: { title, content, link: auth.pageLink(link), is_conversation } };
  }
  const title = severalTitle(language, found.length);
  const content = found.map((one) => `- ${one.title}`).join('\n');
  const all = found.every((one) => one.link === link) ? link : screenOf(link);
  return { cause, facts: { title, content, link: auth.pageLink(all), is_conversation } };
}

/** Content of a message; null if it was deleted, has ended or was read in the meantime. */
async function messageContent(
  { db, auth }: MailServices,
  { account_id }: QueuedMail,
  id: string,
): Promise<Content | null> {
  if (account_id === null) return null;
  const message = await db
    .selectFrom('messages')
    .select([
      textFor(account_id, 'title').as('title'),
      textFor(account_id, 'content').as('content'),
    ])
    .where('id', '=', id)
    .where(isShown)
    .where(isUnreadBy(account_id))
    .executeTakeFirst();
  if (!message) return null;
  const facts = { ...message, link: auth.pageLink(`/messages?message=${id}`) };
  return { cause: '/messages', facts };
}

/** Content for a change of address; null if it was withdrawn, or another account has the address now. */
async function emailChangeContent(
  { db, auth, secrets }: MailServices,
  { kind, account_id }: QueuedMail,
): Promise<Content | null> {
  const change = account_id === null ? null : await findEmailChange(db, account_id);
  if (!change) return null;
  const { id, new_email } = change.data;
  if (kind === 'email_change_asked') return { facts: { new_email } };
  if (await readAccount(db, 'email', new_email, ['id'])) return null;
  return { to: new_email, facts: { link: auth.confirmationLink(emailChangeToken(secrets, id)) } };
}

/**
 * Content with a link to set a password. The link works only once the mail server has accepted the email: it ends the
 * previous one, which must not happen if the email was not sent.
 */
function resetContent(
  { db, auth }: MailServices,
  { account_id, origin = panelOrigin }: QueuedMail,
  email: string,
): Content | null {
  if (account_id === null) return null;
  const token = newToken();
  const whenTaken = () =>
    transact(db, async (tx) => {
      // An account that was banned or got another address in the meantime gets no link.
      const account = await tx
        .selectFrom('auth_users')
        .select('id')
        .where('id', '=', account_id)
        .where('email', '=', email)
        .where('banned', '=', false)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!account) return;
      const made = { made_by: null };
      const expires_at = await issueToken(tx, 'reset_password', account_id, made, token);
      const data = { expires_at: expires_at.toISOString() };
      await auditAccount(tx, origin, 'account.mail_link', account_id, { data });
    });
  return { facts: { link: auth.resetLink(token), email }, whenTaken };
}

async function findAccount(db: Db, accountId: string | null): Promise<Account | undefined> {
  const found = await db
    .selectFrom('auth_users')
    .leftJoin('account_settings', 'account_settings.account_id', 'auth_users.id')
    .select(['email', 'email_verified', 'full_name'])
    .select(chosenColumns)
    .where('auth_users.id', '=', accountId)
    .where('banned', '=', false)
    .executeTakeFirst();
  if (!found) return undefined;
  const { mails, ...account } = found;
  return { ...account, wants_notices: Object.values(mailChoices(mails)).includes(true) };
}

/** The email with the reply to a contact message; null if the message was deleted or has no reply. */
async function readContactAnswer(
  db: Db,
  queued: QueuedMail,
  id: string,
): Promise<Addressed | null> {
  const found = await db
    .selectFrom('contact_messages')
    .select(['email', 'language', 'name', 'subject', 'message', 'answer'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found || found.answer === null) return null;
  const { email: to, language: chosen, answer, ...asked } = found;
  const whenTaken = async () => {
    await db
      .updateTable('contact_messages')
      .set({ answer_is_mailed: true })
      .where('id', '=', id)
      .execute();
  };
  const language = languageOf(chosen, queued);
  return { to, language, content: { facts: { ...asked, answer }, whenTaken } };
}
