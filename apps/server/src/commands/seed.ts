// `npm run db:seed`: creates a reseller, and the local agent as a CCcam and as a NewCamd server if its
// credentials are set. Running it again changes nothing. The embedded database belongs to one process at a
// time, so if a panel is running, its API is used.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createAccount } from '@linekeeper/contract/accounts/accounts.ts';
import { ADMIN_GROUP, RESELLER_GROUP } from '@linekeeper/contract/permissions.ts';
import {
  createServer,
  DEFAULT_API_PORT,
  DEFAULT_SERVER_PORT,
  listServers,
  testServer,
} from '@linekeeper/contract/servers/servers.ts';
import pino from 'pino';
import type { Connection } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { type Db, transact } from '../db/transaction.ts';
import { insertAccount } from '../domain/accounts/accounts.ts';
import { ISSUANCE, moveCredits } from '../domain/credits/credits.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { Refusal } from '../platform/errors/refusal.ts';
import { checkSecretKey } from '../platform/keys/key-check.ts';
import { settledSecretKey } from '../platform/keys/key-file.ts';
import { hashPassword } from '../platform/keys/passwords.ts';
import { createServices } from '../services.ts';
import { makeFirstAdministrator } from './first-administrator.ts';
import { openDatabase } from './open-database.ts';
import { type PanelClient, withRunningPanel } from './panel-client.ts';
import { runCommand, say } from './run-command.ts';

const RESELLER_EMAIL = 'reseller@linekeeper.local';
const RESELLER_CREDITS = 100;
const SERVER_NAME = 'Local agent';
/**
 * One agent as two servers, one in each protocol, at an address that customers might be given. Lines are sold on the
 * newest server, so the usual protocol comes last.
 */
const demoServers = [
  {
    server_name: `${SERVER_NAME} (NewCamd)`,
    protocol: 'NewCamd' as const,
    port: 15_000,
    newcamd_ports: [{ port: 15_001, caid: '0500' }],
    public_host: 'fra1.lines.example',
  },
  {
    server_name: SERVER_NAME,
    protocol: 'CCcam' as const,
    port: DEFAULT_SERVER_PORT,
    public_host: 'fra1.lines.example',
  },
];

const agent = {
  username: process.env.AGENT_USERNAME ?? '',
  password: process.env.AGENT_PASSWORD ?? '',
  api_port: Number(process.env.AGENT_PORT || DEFAULT_API_PORT),
};
const isAgentKnown = agent.username !== '' && agent.password !== '';

function sayReseller(password: string | null): void {
  if (password)
    say(`Reseller: ${RESELLER_EMAIL}\nPassword: ${password}\nCredits: ${RESELLER_CREDITS}`);
  else say(`${RESELLER_EMAIL} already exists and was not changed`);
}

const newPassword = () => randomBytes(12).toString('base64url');

async function seedDatabase(config: Config, connection: Connection): Promise<void> {
  const { db } = connection;
  const applied = await migrate(db);
  if (applied.length > 0) say(`Applied ${applied.join(', ')}`);
  const secretKey = config.secret_key ?? (await settledSecretKey(db, resolve(config.data_dir)));
  const services = createServices(config, connection, secretKey, pino({ level: 'silent' }));
  await checkSecretKey(db, services.secrets);
  await makeFirstAdministrator(services, async (line) => say(line));
  sayReseller(await makeReseller(db));
  if (isAgentKnown) {
    const how = config.database_url
      ? 'set PANEL_URL to one'
      : 'start it and run this command again';
    say(`"${SERVER_NAME}" was not added, because only a running panel can add it: ${how}`);
  }
}

/** The new account's password; null if the account exists already. */
async function makeReseller(db: Db): Promise<string | null> {
  const password = newPassword();
  const password_hash = await hashPassword(password);
  return transact(db, async (tx) => {
    const id = await insertAccount(tx, {
      email: RESELLER_EMAIL,
      password_hash,
      email_verified: true,
      group_id: RESELLER_GROUP,
      owner_id: null,
    });
    if (!id) return null;
    const administrator = await tx
      .selectFrom('auth_users')
      .select('id')
      .where('group_id', '=', ADMIN_GROUP)
      .orderBy('created_at')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    await moveCredits(tx, {
      kind: 'mint',
      from_id: ISSUANCE,
      to_id: id,
      amount: RESELLER_CREDITS,
      actor_id: administrator.id,
    });
    return password;
  });
}

async function seedThroughPanel(panel: PanelClient): Promise<void> {
  sayReseller(await askForReseller(panel));
  if (!isAgentKnown) return;
  for (const server of demoServers) await askForServer(panel, server);
}

async function askForReseller(panel: PanelClient): Promise<string | null> {
  const password = newPassword();
  try {
    await panel.call(createAccount, {
      email: RESELLER_EMAIL,
      password,
      group_id: RESELLER_GROUP,
      credits: RESELLER_CREDITS,
    });
    return password;
  } catch (error) {
    if (error instanceof Refusal && error.body.code === 'EMAIL_EXISTS') return null;
    throw error;
  }
}

async function askForServer(panel: PanelClient, demo: (typeof demoServers)[number]): Promise<void> {
  const { server_name } = demo;
  const query = new URLSearchParams({ q: server_name });
  const { items } = await panel.call(listServers, undefined, `${listServers.path}?${query}`);
  const known = items.find((server) => server.server_name === server_name);
  const wanted = { ...demo, host_ip: '127.0.0.1', ...agent };
  const server = known ?? (await panel.call(createServer, wanted)).server;
  const path = testServer.path.replace('{id}', server.id);
  const { status, message } = await panel.call(testServer, undefined, path);
  say(`Server: ${server_name}${known ? ' already exists' : ''}, ${message ?? status}`);
}

await runCommand('seed', async () => {
  const config = readConfig(process.env);
  const connection = process.env.PANEL_URL ? null : await openDatabase(config);
  if (connection) await seedDatabase(config, connection).finally(() => connection.close());
  else await withRunningPanel(config, seedThroughPanel);
  return undefined;
});
