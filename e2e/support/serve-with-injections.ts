import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startAgent } from '../../apps/agent/src/agent.ts';
import { startPanel } from '../../apps/server/src/commands/panel.ts';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { startPostgres } from '../../scripts/test-postgres.ts';
import { accounts, agentCredentials, secretKey } from './people.ts';
import { seed } from './seed.ts';
import { writeInjections } from './write-injections.ts';

/** Starts a panel in which every typed text tries to run a script. */
const postgres = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'linekeeper-injected-'));
const agent = await startAgent({
  ...agentCredentials,
  dir: folder,
  port: 0,
  reload: { command: ['true'] },
});
const panel = await startPanel(
  {
    HOST: '127.0.0.1',
    TIME_ZONE: ZONE,
    PORT: process.env.OWN_PANEL_PORT,
    DATABASE_URL: postgres.url(),
    SECRET_KEY: secretKey,
    ADMIN_EMAIL: accounts.admin.email,
    ADMIN_PASSWORD: accounts.admin.password,
  },
  pino({ level: 'silent' }),
);
await seed(panel.url, agent.url);
await writeInjections(postgres.url());
process.stdout.write(`${JSON.stringify({ url: panel.url })}\n`);

process.once('SIGTERM', async () => {
  await panel.close();
  await agent.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
});
