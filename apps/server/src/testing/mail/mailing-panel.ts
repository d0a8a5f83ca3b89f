import { startTestPanel, type TestDatabase } from '../panel.ts';
import { startMailbox } from './mailbox.ts';

/** Starts a panel whose mails a mailbox receives. */
export async function startMailingPanel(kind?: TestDatabase) {
  const mailbox = await startMailbox();
  const settings = { SMTP_URL: mailbox.url, PUBLIC_URL: 'http://panel.example' };
  return { mailbox, panel: await startTestPanel(kind, settings) };
}
