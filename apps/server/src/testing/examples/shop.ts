import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from '@linekeeper/agent/agent.ts';
import { holdChecks } from '../loops.ts';
import { startMailbox } from '../mail/mailbox.ts';
import { startTestPanel } from '../panel.ts';
import { StripeServer } from '../payments/stripe-server.ts';

export const TIME_ZONE = 'Europe/Berlin';
export const LOGIN = { username: 'panel', password: 'amber-kettle-40' };

/** Starts a panel with mail, card payments and two card servers, and with the accounts for all calls. */
export async function openShop() {
  const mailbox = await startMailbox();
  const stripe = await new StripeServer().start();
  const panel = await startTestPanel('postgres', {
    SMTP_URL: mailbox.url,
    TIME_ZONE,
    PUBLIC_URL: 'https://panel.example',
    ...stripe.env,
  });
  await holdChecks(panel.services.db);
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-examples-'));
  const openAgent = (name: string, port = 0) =>
    startAgent({ ...LOGIN, dir: join(folder, name), port, timeZone: TIME_ZONE });
  const frankfurt = await openAgent('frankfurt');
  const warsaw = await openAgent('warsaw');
  return {
    panel,
    mailbox,
    stripe,
    frankfurt,
    warsaw,
    file: join(folder, 'frankfurt', 'CCcam.cfg'),
    stop: async () => {
      await panel.stop();
      await Promise.all([frankfurt.close(), warsaw.close(), mailbox.close(), stripe.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

export const only = (id: string) => ({ params: { id } });
export const two = { query: { limit: '2' } };
