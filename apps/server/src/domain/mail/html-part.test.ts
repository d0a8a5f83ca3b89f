import { expect, test } from 'vitest';
import { injections } from '../../testing/wire/script-injections.ts';
import { htmlPart } from './compose-mail.ts';

const link = 'http://panel.example/tickets/1';

function tagsOf(html: string): string[] {
  return html.match(/<[^>]*>/g) ?? [];
}

test.each(injections.map((typed) => [typed]))(
  'a mail is not changed in its markup by %s',
  (typed) => {
    const part = (words: string) =>
      htmlPart({
        button: words,
        language: 'en',
        site_name: words,
        legal_notice: words.replaceAll('\n', ' '),
        site: 'http://panel.example/',
        heading: words,
        text: `Good day,\n\n${words.replaceAll('\n', ' ')}\n\n${link}\n`,
        link,
        reason: words,
      });
    expect(tagsOf(part(typed))).toEqual(tagsOf(part('words')));
    expect(part(typed)).toContain('pwn');
  },
);
