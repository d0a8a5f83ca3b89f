import { createTransport } from 'nodemailer';

interface Letter {
  to: string;
  subject: string;
  text: string;
}

export interface Mail {
  /** False without SMTP_URL; then nothing is sent or announced. */
  isConfigured: boolean;
  /** Passes a mail to the mail server; throws MailNotTaken. */
  send(letter: Letter): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/** Safe to log and to store: contains nothing of the mail, which mail servers may quote. */
export class MailNotTaken extends Error {
  readonly code: string;
  readonly response_code: number | null;
  readonly response: string | null;
  /** The recipient or the mail was refused permanently, so a retry would not help. */
  readonly isFinal: boolean;

  constructor(cause: unknown) {
    super('The mail server did not take the mail');
    const { code, command, responseCode, response } = cause as Record<string, unknown>;
    const isAboutLetter = command === 'DATA';
    this.code = typeof code === 'string' ? code : 'UNKNOWN';
    this.response_code = typeof responseCode === 'number' ? responseCode : null;
    this.response = typeof response === 'string' && !isAboutLetter ? response : null;
    // A refused sender or sign-in is due to the settings, which an operator can correct.
    const isRefused = this.response_code !== null && this.response_code >= 500;
    this.isFinal = isRefused && (isAboutLetter || command === 'RCPT TO');
  }
}

export function createMail(smtpUrl: string | null): Mail {
  if (!smtpUrl) return { isConfigured: false, send: async () => {} };
  const url = new URL(smtpUrl);
  const from = url.searchParams.get('from') ?? `Linekeeper <no-reply@${url.hostname}>`;
  url.searchParams.delete('from');
  const transport = createTransport(
    {
      url: url.toString(),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    },
    { from },
  );
  return {
    isConfigured: true,
    send: async (letter) => {
      try {
        await transport.sendMail(letter);
      } catch (error) {
        throw new MailNotTaken(error);
      }
    },
  };
}
