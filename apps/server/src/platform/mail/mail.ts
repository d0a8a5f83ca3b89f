import { createTransport } from 'nodemailer';

export interface Letter {
  /** The Message-ID without its host. It stays the same at each attempt, so that mail programs recognize an email that was accepted twice. */
  id?: string | undefined;
  to: string;
  /** Name of the sender, unless SMTP_URL has another. */
  from_name: string;
  subject: string;
  text: string;
  html: string;
  /** The address for replies; by default the sender's. */
  reply_to?: string | undefined;
  /** The page that stops emails like this one. */
  stop_link?: string | undefined;
}

export interface Mail {
  /** False without SMTP_URL: the panel then sends no emails, and does not mention any. */
  isConfigured: boolean;
  /** Gives an email to the mail server; `ending` aborts this. Throws MailNotTaken. */
  send(letter: Letter, ending?: AbortSignal): Promise<void>;
}

/** Milliseconds for which the mail server may be silent. */
const TIMEOUT_MS = 15_000;
/** Milliseconds for a whole email, because a server could otherwise keep the connection busy forever. */
const DEADLINE_MS = 60_000;

/** The mail server did not accept an email. The message is safe to log: it contains nothing of the email. */
export class MailNotTaken extends Error {
  readonly code: string;
  readonly response_code: number | null;
  readonly response: string | null;
  /** The recipient or the mail was refused permanently, so a retry would not help. */
  readonly isFinal: boolean;

  constructor(cause: unknown) {
    super('The mail server did not accept the email');
    const { code, command, responseCode, response } = cause as Record<string, unknown>;
    const isAboutLetter = command === 'DATA';
    this.code = typeof code === 'string' ? code : 'UNKNOWN';
    this.response_code = typeof responseCode === 'number' ? responseCode : null;
    this.response = typeof response === 'string' && !isAboutLetter ? response : null;
    // If the sender or the sign-in is refused, the settings are wrong, and an operator can correct them.
    const isRefused = this.response_code !== null && this.response_code >= 500;
    this.isFinal = isRefused && (isAboutLetter || command === 'RCPT TO');
  }
}

/** The parts of `SMTP_URL`, with the sender in `?from=`. */
function readSmtpUrl(smtpUrl: string) {
  const url = new URL(smtpUrl);
  const from = url.searchParams.get('from');
  url.searchParams.delete('from');
  const ownAddress = `no-reply@${url.hostname}`;
  const [, domain] = /@([^\s>]+)/.exec(from ?? ownAddress) ?? [];
  return { url: url.toString(), from, ownAddress, domain };
}

export function createMail(smtpUrl: string | null, deadlineMs = DEADLINE_MS): Mail {
  if (!smtpUrl) return { isConfigured: false, send: async () => {} };
  const { url, from, ownAddress, domain } = readSmtpUrl(smtpUrl);
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    isConfigured: true,
    send: async ({ id, to, from_name, reply_to, stop_link, ...content }, ending) => {
      const deadline = AbortSignal.timeout(deadlineMs);
      const letter = {
        ...content,
        from: from ?? { name: from_name, address: ownAddress },
        // The address is passed as an object, because a text would be split at its commas.
        to: { name: '', address: to },
        ...(id && { messageId: `<${id}@${domain}>` }),
        ...(reply_to && { replyTo: { name: '', address: reply_to } }),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(stop_link && {
            'List-Unsubscribe': `<${stop_link}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        signal: ending ? AbortSignal.any([deadline, ending]) : deadline,
      };
      try {
        await transport.sendMail(letter);
      } catch (error) {
        throw new MailNotTaken(error);
      }
    },
  };
}
