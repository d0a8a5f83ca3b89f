// `npm run db:seed`: adds a reseller to the running panel, and the local agent as a CCcam and as a NewCamd server if its
// credentials are set. Running it again changes nothing.
import { randomBytes } from 'node:crypto';
import { createAccount } from '@linekeeper/contract/accounts/accounts.ts';
import { RESELLER_GROUP } from '@linekeeper/contract/permissions.ts';
import {
  createServer,
  DEFAULT_API_PORT,
  DEFAULT_SERVER_PORT,
  listServers,
  testServer,
} from '@linekeeper/contract/servers/servers.ts';
import { readConfig } from '../platform/config/config.ts';
import { Refusal } from '../platform/errors/refusal.ts';
import { type PanelClient, withRunningPanel } from './panel-client.ts';
import { runCommand, say } from './run-command.ts';

const RESELLER_EMAIL = 'reseller@linekeeper.local';
const RESELLER_CREDITS = 100;
const SERVER_NAME = 'Local agent';
/** The same agent in both protocols, at an address that customers might be given; lines are sold on the newest server, so the usual one comes last. */
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

async function seed(panel: PanelClient): Promise<void> {
  await addReseller(panel);
  if (agent.username === '' || agent.password === '') return;
  for (const server of demoServers) await addServer(panel, server);
}

async function addReseller(panel: PanelClient): Promise<void> {
  const password = randomBytes(12).toString('base64url');
  try {
    await panel.call(createAccount, {
      email: RESELLER_EMAIL,
      password,
      group_id: RESELLER_GROUP,
      credits: RESELLER_CREDITS,
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.body.code !== 'EMAIL_EXISTS') throw error;
    return say(`${RESELLER_EMAIL} exists already; it was not changed`);
  }
  say(`Reseller: ${RESELLER_EMAIL}\nPassword: ${password}\nCredits: ${RESELLER_CREDITS}`);
}

async function addServer(panel: PanelClient, demo: (typeof demoServers)[number]): Promise<void> {
  const { server_name } = demo;
  const query = new URLSearchParams({ q: server_name });
  const { items } = await panel.call(listServers, undefined, `${listServers.path}?${query}`);
  const known = items.find((server) => server.server_name === server_name);
  const wanted = { ...demo, host_ip: '127.0.0.1', ...agent };
  const server = known ?? (await panel.call(createServer, wanted)).server;
  const path = testServer.path.replace('{id}', server.id);
  const { status, message } = await panel.call(testServer, undefined, path);
  say(`Server: ${server_name}${known ? ' exists already' : ''}, ${message ?? status}`);
}

await runCommand(() => withRunningPanel(readConfig(process.env), seed));
