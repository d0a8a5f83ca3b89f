import type { Language } from '@linekeeper/contract/languages.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import type { Letter } from '../../platform/mail/mail.ts';
import { fill } from '../notices/notices.ts';
import type { MailFacts, MailKind } from '../notices/outbox.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

/** The texts of emails. German uses "Sie"; Polish and Portuguese avoid addressing the reader. */
const texts: Record<Language, typeof en> = { en, de, pl, pt };

interface Words {
  subject: string;
  text: string[];
  /** Label of the button for the link; `open` if the email has no label. */
  button?: string;
}

interface Site {
  language: Language;
  site_name: string;
  /** Statement about who runs the site, as the law demands; may be empty. */
  legal_notice: string;
  /** The start page of the panel. */
  site: string;
}

interface Mailing<Kind extends MailKind> extends Site {
  kind: Kind;
  facts: MailFacts[Kind];
  email: string;
}

interface HtmlPart extends Site {
  heading: string;
  /** The plain text. Its line that equals `link` becomes the button. */
  text: string;
  link: string;
  /** The label of the button that opens the link. */
  button: string;
  /** The sentence about why the reader gets this email. */
  reason: string;
}

const FONT = "font-family:'DM Sans',-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const paragraph = (text: string, style = 'margin:0 0 16px') =>
  `<p dir="auto" style="${style}">${text}</p>`;

function linkButton(label: string, link: string): string {
  const look =
    'display:inline-block;padding:12px 24px;border-radius:8px;background:#0b63d6;' +
    'color:#ffffff;font-weight:600;text-decoration:none';
  const own = 'color:#5b6b7c;font-size:13px;line-height:18px;word-break:break-all';
  return (
    paragraph(`<a href="${link}" style="${look}">${label}</a>`, 'margin:8px 0 12px') +
    paragraph(`<a href="${link}" style="${own}">${link}</a>`)
  );
}

/** Paragraphs with their line breaks; the link between them becomes a button. */
function body({ text, link, button }: HtmlPart): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split('\n');
      const at = lines.indexOf(link);
      const paragraphOf = (part: string[]) =>
        part.length > 0 ? paragraph(part.map(escapeHtml).join('<br>')) : '';
      if (at < 0) return paragraphOf(lines);
      const shown = linkButton(escapeHtml(button), escapeHtml(link));
      return paragraphOf(lines.slice(0, at)) + shown + paragraphOf(lines.slice(at + 1));
    })
    .join('\n');
}

/**
 * The HTML part of an email, made from its plain text. Styles are in the elements, because many mail programs drop
 * others, and nothing is loaded from other servers. All text is escaped, because strangers typed some of it.
 */
export function htmlPart(part: HtmlPart): string {
  const [site, notice] = [escapeHtml(part.site), escapeHtml(part.legal_notice)];
  return `<!doctype html>
<html lang="${part.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(part.heading)}</title>
</head>
<body style="margin:0;background:#f4f6f9;color:#1c252e;${FONT};font-size:16px;line-height:24px">
<main>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>
<td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px">
<tr><td style="padding:32px 24px;border-radius:16px;background:#ffffff;text-align:left;overflow-wrap:anywhere;${FONT}">
${paragraph(escapeHtml(part.site_name), 'margin:0 0 24px;font-size:18px;font-weight:700')}
<h1 dir="auto" style="margin:0 0 16px;font-size:22px;line-height:30px">${escapeHtml(part.heading)}</h1>
${body(part)}
</td></tr>
<tr><td style="padding:16px 24px;color:#5b6b7c;font-size:13px;line-height:18px;text-align:left;overflow-wrap:anywhere;${FONT}">
${paragraph(`${escapeHtml(part.reason)}<br><a href="${site}" style="color:#5b6b7c">${site}</a>`, 'margin:0')}
${notice && paragraph(notice.replaceAll('\n', '<br>'), 'margin:12px 0 0')}
</td></tr>
</table>
</td>
</tr></table>
</main>
</body>
</html>
`;
}

/** Characters up to which the site's name is appended: longer subjects are folded, and cut off in lists of emails. */
const SUBJECT_LENGTH = 78;
/** Characters after which a subject is cut. */
const LONGEST_SUBJECT = 200;

/** The subject on one line, even if a name in it has line breaks. */
function subjectLine(subject: string, site_name: string): string {
  const line = subject
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_SUBJECT);
  const signed = `${line} - ${site_name}`;
  return line.includes(site_name) || signed.length > SUBJECT_LENGTH ? line : signed;
}

export function composeMail<Kind extends MailKind>(mailing: Mailing<Kind>): Letter {
  const { kind, facts, language, legal_notice, email } = mailing;
  const { stop_link, seller } = facts as { stop_link?: string; seller?: string };
  // A customer knows the seller, not the panel, and follows the link at the end to get no more of these emails.
  const { site_name, site } = {
    site_name: seller || mailing.site_name,
    site: stop_link ?? mailing.site,
  };
  const all = texts[language];
  const words: Words = all[kind];
  const { name, is_conversation } = facts as { name?: string; is_conversation?: boolean };
  const values = {
    site_name,
    ...facts,
    name_line: name ? `\n${fill(all.confirm_email.name, { name })}` : '',
    no_replies_line: is_conversation ? `${all.notice.no_replies}\n` : '',
  };
  const heading = fill(words.subject, values);
  const text = fill(words.text.join('\n'), values);
  const reasons: Partial<Record<MailKind, string>> = {
    contact_answer: all.reason_contact,
    customer_reminder: all.reason_customer,
  };
  const reason = fill(reasons[kind] ?? all.reason_account, { site_name, email });
  const button = words.button ?? all.open;
  const link = 'link' in facts ? facts.link : site;
  return {
    to: email,
    from_name: site_name,
    subject: subjectLine(heading, site_name),
    text: `${text.trim()}\n\n-- \n${reason}\n${site}\n${legal_notice && `\n${legal_notice}\n`}`,
    stop_link,
    html: htmlPart({ ...mailing, site_name, site, heading, text, link, button, reason }),
  };
}
