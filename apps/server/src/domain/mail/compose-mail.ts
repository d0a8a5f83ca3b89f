import type { Language } from '@linekeeper/contract/languages.ts';
import type { Letter } from '../../platform/mail/mail.ts';
import type { MailKind } from '../notices/outbox.ts';
import { htmlPart } from './html-part.ts';
import { type MailFacts, mailText } from './mail-texts.ts';

/** Longer subjects are folded, and cut off in lists of mails. */
const SUBJECT_LENGTH = 78;
const LONGEST_SUBJECT = 200;

/** On one line, whatever was typed into the names that it quotes. */
function subjectLine(subject: string, site_name: string): string {
  const line = subject
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SUBJECT);
  const signed = `${line} - ${site_name}`;
  return line.includes(site_name) || signed.length > SUBJECT_LENGTH ? line : signed;
}

interface Mailing<Kind extends MailKind> {
  kind: Kind;
  facts: MailFacts[Kind];
  language: Language;
  site_name: string;
  /** Statement about who runs the site, as the law demands; may be empty. */
  legal_notice: string;
  /** The start page of the panel. */
  site: string;
  email: string;
}

/** Writes a mail in both its parts. */
export function composeMail<Kind extends MailKind>(mailing: Mailing<Kind>): Letter {
  const { kind, facts, language, site_name, legal_notice, site, email } = mailing;
  const about = { site_name, email };
  const { subject, text, button, reason } = mailText(kind, language, facts, about);
  const link = 'link' in facts ? facts.link : site;
  return {
    to: email,
    from_name: site_name,
    subject: subjectLine(subject, site_name),
    text: `${text.trim()}\n\n-- \n${reason}\n${site}\n${legal_notice && `\n${legal_notice}\n`}`,
    html: htmlPart({
      language,
      site_name,
      legal_notice,
      site,
      heading: subject,
      text,
      link,
      button,
      reason,
    }),
  };
}
