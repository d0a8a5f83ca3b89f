/** Values for the text of each kind of mail. */
export interface MailFacts {
  confirm_email: { link: string };
  /** `email` names the account. */
  reset_password: { link: string; email: string };
  confirm_new_email: { link: string };
  /** To the address that the account still has. */
  email_change_asked: { new_email: string };
  /** To the address that the account had. */
  email_changed: { new_email: string };
  two_factor_on: object;
  two_factor_off: object;
  /** A notification, in the language in which it was written. */
  notice: {
    title: string;
    content: string;
    link: string;
    /** Somebody wrote, and might be answered by mail, which nobody reads. */
    is_conversation: boolean;
  };
}
export type MailKind = keyof MailFacts;

interface Text {
  subject: string;
  text: string;
}

export type MailTexts = { [Kind in MailKind]: (facts: MailFacts[Kind], site_name: string) => Text };
