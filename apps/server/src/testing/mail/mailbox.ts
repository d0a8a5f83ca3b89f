import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { sql } from 'kysely';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { atEnd } from '../at-end.ts';
import { eventually } from '../eventually.ts';

/** A mail as a mail program decodes it. */
export interface Letter {
  /** The recipients in the commands to the mail server, which the headers need not match. */
  recipients: string[];
  from: Email['from'];
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: Email['headers'];
  attachments: Email['attachments'];
  /** The mail as it was received. */
  raw: string;
}

export interface Mailbox {
  url: string;
  /** The mails in the order of arrival. */
  letters: Letter[];
  lettersTo(address: string): Letter[];
  /**
   * Sets the server's replies to recipients from now on, such as "451 try again later"; by default all
   * are accepted.
   */
  answerRecipient(answer: (address: string) => string | undefined): void;
  /** The token of the latest link for `address`, as a reader of the mail sees it. Waits for the mail. */
  tokenFor(address: string, path?: string): Promise<string>;
  close(): Promise<void>;
}

function refusal(reply: string): Error {
  const [code = '', ...words] = reply.split(' ');
  return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) });
}

async function decode(raw: string, recipients: string[]): Promise<Letter> {
  const {
    from,
    to = [],
    subject = '',
    text = '',
    html = '',
    ...rest
  } = await PostalMime.parse(raw);
  const { headers, attachments } = rest;
  const named = to.map(({ address = '' }) => address);
  return { recipients, from, to: named, subject, text, html, headers, attachments, raw };
}

/** Starts a mail server on loopback that accepts every mail and delivers none. */
export async function startMailbox(onPort = 0): Promise<Mailbox> {
  const letters: Letter[] = [];
  const lettersTo = (address: string) => letters.filter(({ to }) => to.includes(address));
  let answer: (address: string) => string | undefined = () => undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onRcptTo: ({ address }, _session, done) => {
      const reply = answer(address);
      done(reply ? refusal(reply) : null);
    },
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      readText(stream)
        .then((raw) => decode(raw, recipients))
        .then(
          (letter) => {
            letters.push(letter);
            done(null);
          },
          (error: Error) => done(error),
        );
    },
  });
  // The error of a client that is killed in the middle of a mail must not end the test.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    lettersTo,
    answerRecipient: (given) => {
      answer = given;
    },
    tokenFor: (address, path = '/callback') =>
      eventually(() => {
        const letter = lettersTo(address).findLast(({ text }) => text.includes(path));
        const token = new RegExp(`${path}\\?token=(\\S+)`).exec(letter?.text ?? '')?.[1];
        if (!token) throw new Error(`no letter to ${address} has come`);
        return token;
      }),
    close: atEnd(() => new Promise<void>((resolve) => server.close(() => resolve()))),
  };
}

/** SQL condition: the notification's mail waits in the outbox. */
export const isMailWaiting = sql<boolean>`exists (
  select from mails where mail ->> 'notification_id' = notifications.id::text)`;
