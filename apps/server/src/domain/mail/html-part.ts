import type { Language } from '@linekeeper/contract/languages.ts';

interface HtmlPart {
  language: Language;
  site_name: string;
  legal_notice: string;
  /** The start page of the panel. */
  site: string;
  heading: string;
  /** The plain text. Its line that is `link` becomes the button. */
  text: string;
  link: string;
  /** The button's label. */
  button: string;
  /** The sentence that says why the reader gets this mail. */
  reason: string;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotation marks. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
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

/** Paragraphs with their line breaks; the link between them as a button. */
function body({ text, link, button }: HtmlPart): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split('\n');
      const at = lines.indexOf(link);
      const said = (part: string[]) =>
        part.length > 0 ? paragraph(part.map(escapeHtml).join('<br>')) : '';
      if (at < 0) return said(lines);
      const shown = linkButton(escapeHtml(button), escapeHtml(link));
      return said(lines.slice(0, at)) + shown + said(lines.slice(at + 1));
    })
    .join('\n');
}

/**
 * The HTML part of a mail, made of its plain text: styles stand on the elements, as many programs drop
 * others, and nothing is loaded from outside. All text is escaped, since strangers typed some of it.
 */
export function htmlPart(part: HtmlPart): string {
  const [site_name, site, heading, reason, notice] = [
    part.site_name,
    part.site,
    part.heading,
    part.reason,
    part.legal_notice,
  ].map(escapeHtml);
  return `<!doctype html>
<html lang="${part.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${heading}</title>
</head>
<body style="margin:0;background:#f4f6f9;color:#1c252e;${FONT};font-size:16px;line-height:24px">
<main>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>
<td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px">
<tr><td style="padding:32px 24px;border-radius:16px;background:#ffffff;text-align:left;overflow-wrap:anywhere;${FONT}">
${paragraph(site_name ?? '', 'margin:0 0 24px;font-size:18px;font-weight:700')}
<h1 dir="auto" style="margin:0 0 16px;font-size:22px;line-height:30px">${heading}</h1>
${body(part)}
</td></tr>
<tr><td style="padding:16px 24px;color:#5b6b7c;font-size:13px;line-height:18px;text-align:left;overflow-wrap:anywhere;${FONT}">
${paragraph(`${reason}<br><a href="${site}" style="color:#5b6b7c">${site}</a>`, 'margin:0')}
${notice && paragraph((notice ?? '').replaceAll('\n', '<br>'), 'margin:12px 0 0')}
</td></tr>
</table>
</td>
</tr></table>
</main>
</body>
</html>
`;
}
