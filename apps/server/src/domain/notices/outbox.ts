import type { Language } from '@linekeeper/contract/languages.ts';
import { sql } from 'kysely';
import type { Tx } from '../../db/transaction.ts';
import { negotiateLanguage } from '../../platform/mail/negotiate-language.ts';
import type { AuditOrigin } from '../audit/audit.ts';
import type { Ctx, Services } from '../context/context.ts';

/** Values for the text of each kind of mail. */
export interface MailFacts {
  /** The name that was given at sign-up; empty without one. */
  confirm_email: { link: string; name: string };
  /** The email of the account whose password is reset is part of the text. */
  reset_password: { link: string; email: string };
  confirm_new_email: { link: string };
  /** The email to the address that the account still has. */
  email_change_asked: { new_email: string };
  /** The email to the address that the account had before. */
  email_changed: { new_email: string };
  two_factor_on: object;
  two_factor_off: object;
  /** An administrator turned two-factor sign-in off. */
  two_factor_removed: object;
  /** The email to the person who used the contact form, with or without an account. */
  contact_answer: { name: string; subject: string; message: string; answer: string };
  /** A reminder to the customer of a line, in the words of its seller. `stop_link` stops these emails. */
  customer_reminder: {
    username: string;
    expiry: string;
    content: string;
    seller: string;
    stop_link: string;
  };
  /** A notification, in the language in which it was written. */
  notice: {
    title: string;
    content: string;
    link: string;
    /** True for a text that a person wrote: the email then says that nobody reads replies to it. */
    is_conversation: boolean;
  };
}
export type MailKind = keyof MailFacts;

/**
 * An email without its text, which is written when the email is sent: a link that gives access to
 * an account must not be stored, and would be out of date then.
 */
export interface QueuedMail {
  kind: MailKind;
  /** The account of the recipient; null if the recipient has none. */
  account_id: string | null;
  /** The language for accounts without a chosen one. */
  language: Language;
  /** The notification of a mail of the kind `notice`. */
  notification_id?: string;
  /** Ids of other notifications that are combined into the same email. */
  more_notification_ids?: string[];
  /** The message of an email of the kind `notice`, if it is not about a notification; or the reminder to a customer. */
  message_id?: string;
  /** The contact message that an email of the kind `contact_answer` replies to. */
  contact_id?: string;
  /** The account that requested the email and its address, for the audit log. */
  origin?: AuditOrigin;
  /** The address to which an email of the kind `email_changed` goes. */
  old_email?: string;
}

/**
 * Queues emails in the transaction that causes them, so that they are sent if and only if it commits, even if the panel
 * or the mail server fails in the meantime. Every panel is notified with the commit. An email that equals an unsent one
 * is not queued. Without a mail server, none is queued.
 */
export async function queueMails(
  tx: Tx,
  { mail: { isConfigured } }: Pick<Services, 'mail'>,
  mails: readonly QueuedMail[],
): Promise<void> {
  if (!isConfigured) return;
  await sql`insert into mails (mail)
    select mail from jsonb_array_elements(${JSON.stringify(mails)}::jsonb) as queued (mail)
    on conflict do nothing`.execute(tx);
}

/** Queues one email as `queueMails` does, in the language of the caller's browser if the account chose none. */
export const queueMail = (
  tx: Tx,
  ctx: Pick<Ctx, 'mail' | 'headers'>,
  mail: Omit<QueuedMail, 'language'>,
): Promise<void> =>
  queueMails(tx, ctx, [
    { ...mail, language: negotiateLanguage(ctx.headers.get('accept-language')) },
  ]);
