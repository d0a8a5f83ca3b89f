import { languages } from '@linekeeper/contract/languages.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createMail } from '../../platform/mail/mail.ts';
import { type Mailbox, startMailbox } from '../../testing/mail/mailbox.ts';
import type { MailFacts, MailKind } from '../notices/outbox.ts';
import { composeMail } from './compose-mail.ts';

const HOSTILE = `<img src=x onerror=alert(1)>"'&amp;\r\nBcc: victim@x.example\u2028</p></body>`;

const facts: MailFacts = {
  confirm_email: { link: 'http://panel.example/callback?token=a&b="c"', name: HOSTILE },
  reset_password: { link: 'http://panel.example/reset-password?token=t', email: HOSTILE },
  confirm_new_email: { link: 'http://panel.example/callback?token=e.t' },
  email_change_asked: { new_email: HOSTILE },
  email_changed: { new_email: HOSTILE },
  two_factor_on: {},
  two_factor_off: {},
  two_factor_removed: {},
  contact_answer: { name: HOSTILE, subject: HOSTILE, message: HOSTILE, answer: HOSTILE },
  customer_reminder: {
    username: HOSTILE,
    expiry: '24-11-2026',
    content: HOSTILE,
    seller: HOSTILE,
    stop_link: 'http://panel.example/stop-reminders?token=t',
  },
  notice: {
    title: HOSTILE,
    content: HOSTILE,
    link: 'http://panel.example/users/all?expires=7d',
    is_conversation: true,
  },
};
const kinds = Object.keys(facts) as MailKind[];
const all = languages.flatMap((language) => kinds.map((kind) => [language, kind] as const));

function write(
  language: (typeof languages)[number],
  kind: MailKind,
  site_name = HOSTILE,
  legal_notice = HOSTILE,
) {
  const about = {
    site_name,
    legal_notice,
    site: 'http://panel.example/',
    email: 'reader@panel.example',
  };
  return composeMail({ kind, facts: facts[kind], language, ...about });
}

/** The tags of a mail that are not from the template. */
function tagsOf(html: string): string[] {
  const own =
    /^<(!doctype html|html lang="\w\w"|head|main|meta [\w-]+="[\w -]+"( content="[\w=, .-]+")?|title|body style="[^"]*"|table role="presentation"[\w\s="%:;,.-]*|tr|td( align="center")? style="[^"<>]*"|p dir="auto" style="[^"<>]*"|h1 dir="auto" style="[^"<>]*"|a href="http:\/\/panel\.example\/[^"<>]*"( style="[^"<>]*")?|br|\/\w+)>$/;
  return [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag).filter((tag) => !own.test(tag));
}

describe.each(all)('in %s the mail %s', (language, kind) => {
  test('has both parts, the link in each, why it comes and from where', () => {
    const { text, html } = write(language, kind, 'Linekeeper');
    const about = facts[kind];
    if ('link' in about) {
      expect(text.split('\n')).toContain(about.link);
      const escaped = about.link.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      expect(html.split(`<a href="${escaped}"`)).toHaveLength(3);
    }
    expect(html).toContain(`<html lang="${language}">`);
    for (const part of [text, html]) {
      expect(part).toContain('reader@panel.example');
      expect(part).toContain('http://panel.example/');
      expect(part).not.toMatch(/undefined|null|\[object/);
    }
    // The mail loads nothing from elsewhere and contains nothing that could run.
    expect(html).not.toMatch(/<(img|script|style|link|iframe)|url\(|@import/i);
  });

  test('is nothing but text where strangers typed', () => {
    const { subject, html } = write(language, kind);
    expect(tagsOf(html)).toEqual([]);
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(subject.length).toBeLessThanOrEqual(200);
  });
});

test('the subject carries the name of the site if it fits', () => {
  const subject = (title: string, site_name: string) =>
    composeMail({
      kind: 'notice',
      facts: { title, content: '', link: 'http://panel.example/', is_conversation: false },
      language: 'en',
      site_name,
      legal_notice: '',
      site: 'http://panel.example/',
      email: 'a@panel.example',
    }).subject;
  expect(subject('Low balance', 'North')).toBe('Low balance - North');
  expect(subject('x'.repeat(70), 'A rather long name')).toBe('x'.repeat(70));
  expect(subject('Welcome to North', 'North')).toBe('Welcome to North');
});

test('the legal notice stands below both parts', () => {
  const legal_notice = 'Küste GmbH\nHafen 1 <Hamburg>';
  const { text, html } = write('en', 'confirm_email', 'North', legal_notice);
  expect(text.endsWith(`\n${legal_notice}\n`)).toBe(true);
  expect(html).toContain('Küste GmbH<br>Hafen 1 &lt;Hamburg&gt;');
});

describe('on its way', () => {
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await startMailbox();
  });

  test('a mail reaches one reader, whatever the names in it say', async () => {
    const mail = createMail(mailbox.url);
    for (const kind of kinds) await mail.send(write('en', kind));
    expect(mailbox.letters).toHaveLength(kinds.length);
    for (const { recipients, to, headers, html, text } of mailbox.letters) {
      expect([recipients, to]).toEqual([['reader@panel.example'], ['reader@panel.example']]);
      const names = headers.map(({ key }) => key);
      expect(names).not.toContain('bcc');
      expect(names.filter((name) => name === 'subject')).toHaveLength(1);
      expect(headers).toContainEqual(
        expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
      );
      expect(tagsOf(html)).toEqual([]);
      expect(text).toContain('http://panel.example/');
    }
  });

  test('letters of all languages arrive as they were written', async () => {
    const mail = createMail(mailbox.url);
    for (const language of languages) {
      const written = write(language, 'reset_password', 'Żółw & Söhne');
      await mail.send(written);
      const letter = mailbox.letters.at(-1);
      expect(letter?.subject).toBe(written.subject);
      expect(letter?.text.trim()).toBe(written.text.replaceAll('\r\n', '\n').trim());
      expect(letter?.from).toMatchObject({ name: 'Żółw & Söhne', address: 'no-reply@127.0.0.1' });
    }
  });

  test('SMTP_URL names another sender', async () => {
    const from = encodeURIComponent('Lines <lines@north.example>');
    await createMail(`${mailbox.url}?from=${from}`).send(write('en', 'notice'));
    expect(mailbox.letters.at(-1)?.from).toMatchObject({
      name: 'Lines',
      address: 'lines@north.example',
    });
  });
});
