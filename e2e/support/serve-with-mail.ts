import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startPanel } from '../../apps/server/src/commands/panel.ts';
import { startMailbox } from '../../apps/server/src/testing/mail/mailbox.ts';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { accounts } from './people.ts';

/**
 * Starts a panel with a mail server in its own process, because the shared panels send no mail.
 * Prints its address and, for each email address that it reads, the newest mail to this address.
 */
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-mail-'));
const mailbox = await startMailbox();
const panel = await startPanel(
  {
    HOST: '127.0.0.1',
    TIME_ZONE: ZONE,
    PORT: process.env.MAIL_PANEL_PORT,
    DATA_DIR: folder,
    SMTP_URL: mailbox.url,
    ADMIN_EMAIL: accounts.admin.email,
    ADMIN_PASSWORD: accounts.admin.password,
  },
  pino({ level: 'silent' }),
);
const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
write({ url: panel.url });

process.stdin.on('data', async (line) => {
  const [email = '', path] = String(line).trim().split(' ');
  await mailbox.tokenFor(email, path);
  const { subject, text, html } = mailbox.lettersTo(email).at(-1) ?? {};
  write({ subject, text, html });
});

process.once('SIGTERM', async () => {
  await panel.close();
  await mailbox.close();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
});
