import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

export interface Mail {
  /** Without SMTP_URL nothing is sent and nothing is promised to be. */
  isConfigured: boolean;
  /** Sends in the background; a failure is logged, never thrown. */
  send(letter: Letter): void;
}

const TIMEOUT_MS = 15_000;

export function createMail(smtpUrl: string | null, log: FastifyBaseLogger): Mail {
  if (!smtpUrl) return { isConfigured: false, send: () => {} };
  const url = new URL(smtpUrl);
  const from = url.searchParams.get('from') ?? `Linekeeper <no-reply@${url.hostname}>`;
  url.searchParams.delete('from');
  const transport = createTransport(
    { url: url.toString(), connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    { from },
  );
  return {
    isConfigured: true,
    send: (letter) => {
      transport.sendMail(letter).catch((error: unknown) => {
        log.error({ err: error }, 'mail could not be sent');
      });
    },
  };
}
