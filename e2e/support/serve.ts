import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startAgent } from '../../apps/agent/src/agent.ts';
import { startPanel } from '../../apps/server/src/commands/panel.ts';
import { hashCheaply } from '../../apps/server/src/testing/accounts/password-cost.ts';
import { StripeServer } from '../../apps/server/src/testing/payments/stripe-server.ts';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { startPostgres } from '../../scripts/test-postgres.ts';
import { forgetDatabase, noteDatabase } from './database.ts';
import { panelPort } from './panel.ts';
import { accounts, agentCredentials, secretKey } from './people.ts';
import { seed } from './seed.ts';

hashCheaply();

/** Starts a panel on PostgreSQL with a card server, payments by card and test data. */
const postgres = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-e2e-'));
const agent = await startAgent({
  ...agentCredentials,
  dir: folder,
  port: 0,
  timeZone: ZONE,
  reload: { command: ['true'] },
});
const stripe = await new StripeServer().start();
const panel = await startPanel(
  {
    HOST: '127.0.0.1',
    TIME_ZONE: ZONE,
    PORT: String(panelPort),
    DATABASE_URL: postgres.url(),
    SECRET_KEY: secretKey,
    ADMIN_EMAIL: accounts.admin.email,
    ADMIN_PASSWORD: accounts.admin.password,
    ...stripe.env,
  },
  pino({ level: 'error' }),
);
// Shops and push services of the tests listen on this machine.
panel.services.outbound.permitsToOthers = panel.services.outbound.permits;
stripe.panelUrl = panel.url;
await noteDatabase(postgres.url());
await seed(panel.url, agent.url);
process.stdout.write('seeded\n');

process.once('SIGTERM', async () => {
  await panel.close();
  await agent.close();
  await stripe.stop();
  await postgres.stop();
  await forgetDatabase();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
});
