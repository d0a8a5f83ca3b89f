import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { isMailWaiting, type Mailbox } from '../../testing/mail/mailbox.ts';
import { startMailingPanel } from '../../testing/mail/mailing-panel.ts';
import { ADMIN, type TestPanel } from '../../testing/panel.ts';

const PATH = '/api/contact';
const sent = {
  name: 'Zoë Żak',
  email: 'zoe@visitor.example',
  subject: 'Prices for 20 lines',
  message: 'Good day,\n\nwhat do 20 lines cost?',
};

describe('the contact form with a mail server', () => {
  let panel: TestPanel;
  let mailbox: Mailbox;
  beforeAll(async () => {
    ({ panel, mailbox } = await startMailingPanel());
  });

  const write = (body: object, headers = {}) => panel.anonymous().send('POST', PATH, body, headers);
  const answer = async (subject: string, text: string) => {
    const { body } = await panel.admin.get(`${PATH}?q=${encodeURIComponent(subject)}`);
    return panel.admin.patch(`${PATH}/${body.items[0].id}`, { answer: text });
  };
  const letterTo = (address: string) =>
    eventually(() => {
      const [letter] = mailbox.lettersTo(address);
      if (!letter) throw new Error(`Nothing for ${address}`);
      return letter;
    });

  test('the sender gets the answer by mail, in the language of the form', async () => {
    await write({ ...sent, language: 'pl' });
    await answer(sent.subject, 'Kosztują 40 kredytów.\nhttp://panel.example/payments');
    const letter = await letterTo(sent.email);
    expect(letter.subject).toContain(`Re: ${sent.subject}`);
    for (const part of [
      'Dzień dobry, Zoë Żak',
      'Kosztują 40 kredytów.',
      'what do 20 lines cost?',
    ]) {
      expect(letter.text).toContain(part);
    }
    expect(letter.text).toContain('Odpowiedzi na tę wiadomość nie są czytane.');
    await eventually(async () => {
      const { body } = await panel.admin.get(PATH);
      expect(body.items[0].answer_is_mailed).toBe(true);
    });
  });

  test('without a language in the form, that of the browser counts', async () => {
    await write(
      { ...sent, email: 'de@visitor.example', subject: 'Preise' },
      { 'accept-language': 'de-DE,de;q=0.9' },
    );
    await answer('Preise', 'Gern.');
    expect((await letterTo('de@visitor.example')).text).toContain('Guten Tag Zoë Żak');
  });

  test('each of many answers to one address arrives', async () => {
    const email = 'asks-often@visitor.example';
    for (let number = 1; number <= 5; number++) {
      await write({ ...sent, email, subject: `Question ${number} of five` });
      await answer(`Question ${number} of five`, `Answer ${number}`);
    }
    await eventually(() => expect(mailbox.lettersTo(email)).toHaveLength(5));
  });

  test('administrators get a mail, unless they have turned it off', async () => {
    const letter = await letterTo(ADMIN.email);
    expect(letter.subject).toBe('Message from Zoë Żak - Linekeeper');
    expect(letter.text).toContain('http://panel.example/support/contact');
    await panel.admin.patch('/api/me/settings', { mails: { contact_received: false } });
    const before = mailbox.lettersTo(ADMIN.email).length;
    await write({ ...sent, subject: 'Not by mail' });
    const { is_mailed } = await panel.services.db
      .selectFrom('notifications')
      .select(isMailWaiting.as('is_mailed'))
      .where('content', 'like', 'Not by mail%')
      .executeTakeFirstOrThrow();
    expect(is_mailed).toBe(false);
    expect(mailbox.lettersTo(ADMIN.email)).toHaveLength(before);
  });
});
