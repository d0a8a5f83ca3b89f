import type { Language } from '@linekeeper/contract/languages.ts';
import { fill } from '../notices/notices.ts';
import type { MailKind } from '../notices/outbox.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

/** German uses "Sie"; Polish and Portuguese avoid addressing the reader. */
const texts: Record<Language, typeof en> = { en, de, pl, pt };

/** Values for the text of each kind of mail. */
export interface MailFacts {
  /** The name that was given at sign-up; empty if none was. */
  confirm_email: { link: string; name: string };
  /** `email` names the account. */
  reset_password: { link: string; email: string };
  confirm_new_email: { link: string };
  /** Sent to the address that the account still has. */
  email_change_asked: { new_email: string };
  /** Sent to the address that the account had before. */
  email_changed: { new_email: string };
  two_factor_on: object;
  two_factor_off: object;
  /** An administrator turned it off. */
  two_factor_removed: object;
  /** To who wrote by the contact form, with or without an account. */
  contact_answer: { name: string; subject: string; message: string; answer: string };
  /** A notification, in the language in which it was written. */
  notice: {
    title: string;
    content: string;
    link: string;
    /** Somebody wrote, and might be answered by mail, which nobody reads. */
    is_conversation: boolean;
  };
}

interface Words {
  subject: string;
  text: string[];
  /** Label of the button for the link; `open` if a mail has none of its own. */
  button?: string;
}

interface MailText {
  subject: string;
  text: string;
  button: string;
  /** The sentence at the end that says why the reader gets the mail. */
  reason: string;
}

/** The words of a mail in a language. */
export function mailText<Kind extends MailKind>(
  kind: Kind,
  language: Language,
  facts: MailFacts[Kind],
  about: { site_name: string; email: string },
): MailText {
  const all = texts[language];
  const { subject, text, button = all.open }: Words = all[kind];
  const { name, is_conversation } = facts as { name?: string; is_conversation?: boolean };
  const values = {
    site_name: about.site_name,
    ...facts,
    name_line: name ? `\n${fill(all.confirm_email.name, { name })}` : '',
    no_replies_line: is_conversation ? `${all.notice.no_replies}\n` : '',
  };
  const reason = kind === 'contact_answer' ? all.reason_contact : all.reason_account;
  return {
    subject: fill(subject, values),
    text: fill(text.join('\n'), values),
    button,
    reason: fill(reason, about),
  };
}
