import type { MailKind } from '../../notices/outbox.ts';

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

interface Text {
  subject: string;
  text: string;
}

export type MailTexts = { [Kind in MailKind]: (facts: MailFacts[Kind], site_name: string) => Text };
