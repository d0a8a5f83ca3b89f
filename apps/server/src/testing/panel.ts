import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, startAgent } from '@linekeeper/agent/agent.ts';
import pino from 'pino';
import { inject } from 'vitest';
import { type Panel, startPanel } from '../commands/panel.ts';
import { connectPostgres } from '../db/connect.ts';
import { atEnd } from './at-end.ts';
import { TestClient } from './client.ts';
import { copyEmbeddedTemplate } from './database/embedded-template.ts';
import { TEMPLATE } from './postgres.setup.ts';
import { ZONE } from './zone.ts';

export const databases = ['postgres', 'embedded'] as const;
export type TestDatabase = (typeof databases)[number];

export const ADMIN = { email: 'admin@panel.example', password: 'first-admin-password' };
export const AGENT = { username: 'panel', password: 'ägent:password' };

/**
 * Milliseconds that are longer than any push. On a busy machine, a successful push may take longer
 * than the panel usually waits.
 */
const PUSH_PATIENCE_MS = 12_000;

/** Makes the panel reply before a slow push has ended, as it does outside of tests. */
export function stopWaitingForPushes({ services }: Pick<Panel, 'services'>): void {
  delete services.outbound.replyAfterMs;
}

export interface TestPanel extends Panel {
  /** A client that is signed in as the first administrator. */
  admin: TestClient;
  env: Record<string, string>;
  /** Returns a client without a session. */
  anonymous(): TestClient;
  /** Creates a reseller with credits at the top level and signs it in. */
  reseller(options?: { credits?: number; group_id?: string }): Promise<TestAccount>;
  /** Creates an account below another, by default without credits, and signs it in. */
  below(
    owner: TestAccount,
    options?: { credits?: number; group_id?: string },
  ): Promise<TestAccount>;
  /** Adds a card server and tests it, which makes it active. */
  addServer(agentUrl: string, name?: string): Promise<{ id: string }>;
  /** Closes the panel and removes its database. */
  stop(): Promise<void>;
}

export interface TestAccount {
  id: string;
  email: string;
  password: string;
  client: TestClient;
}

/**
 * Creates a database that goes with the test file: a folder, or on PostgreSQL a clone of the template. For an empty `template`
 * the database on PostgreSQL has no schema.
 */
export async function makeDatabase(
  kind: TestDatabase,
  // The strategy writes no log of each page, which would take longer than the copy.
  template = `template ${TEMPLATE} strategy file_copy`,
): Promise<{ env: Record<string, string>; remove(): Promise<void> }> {
  if (kind === 'embedded') {
    const folder = await mkdtemp(join(tmpdir(), 'linekeeper-test-'));
    return {
      env: { DATA_DIR: folder, TIME_ZONE: ZONE },
      remove: atEnd(() => rm(folder, { recursive: true, force: true })),
    };
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = await connectPostgres(inject('postgresUrl'));
  await admin.query(`create database ${name} ${template}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    env: {
      DATABASE_URL: url.href,
      SECRET_KEY: 'a secret key of the tests, long enough',
      TIME_ZONE: ZONE,
    },
    remove: atEnd(async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.close();
    }),
  };
}

/**
 * Starts the real panel on a new database, with a signed-in administrator. Decision 0014: no part
 * of the panel is mocked. It ends with the test file, as card servers and mailboxes do.
 */
export async function startTestPanel(
  kind: TestDatabase = 'postgres',
  overrides: Record<string, string> = {},
): Promise<TestPanel> {
  const database = await makeDatabase(kind);
  if (database.env.DATA_DIR) {
    await copyEmbeddedTemplate(inject('embeddedTemplateFolder'), database.env.DATA_DIR);
  }
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...database.env,
    ...overrides,
  };
  const panel = await startPanel(env, pino({ level: 'silent' }));
  const { outbound } = panel.services;
  outbound.replyAfterMs = PUSH_PATIENCE_MS;
  // Shops and push services of tests listen on this machine.
  outbound.permitsToOthers = outbound.permits;
  const admin = new TestClient(panel.url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  return {
    ...panel,
    admin,
    env,
    anonymous: () => new TestClient(panel.url),
    reseller: (options) => makeAccount(panel.url, admin, options),
    below: (owner, options) => makeAccount(panel.url, owner.client, { credits: 0, ...options }),
    addServer: async (agentUrl, server_name = 'Frankfurt 1') => {
      const { hostname, port } = new URL(agentUrl);
      const { body } = await admin.post('/api/servers', {
        server_name,
        host_ip: hostname,
        port: 12000,
        api_port: Number(port),
        ...AGENT,
      });
      await admin.post(`/api/servers/${body.server.id}/test`);
      return body.server;
    },
    stop: atEnd(async () => {
      await panel.close();
      await database.remove();
    }),
  };
}

async function makeAccount(
  url: string,
  maker: TestClient,
  { credits = 100, group_id = '2' }: { credits?: number; group_id?: string } = {},
): Promise<TestAccount> {
  const email = `seller-${randomUUID()}@panel.example`;
  const password = 'a reseller password';
  const { body } = await maker.post('/api/accounts', { email, password, group_id, credits });
  const client = new TestClient(url);
  await client.signIn(email, password);
  return { id: body.account.id, email, password, client };
}

/** Starts another panel on the database of the first. */
export async function startSecondPanel({ env }: Pick<TestPanel, 'env'>): Promise<Panel> {
  const panel = await startPanel(env, pino({ level: 'silent' }));
  return { ...panel, close: atEnd(panel.close) };
}

export type TestAgent = Agent & { dir: string };

/** Starts an agent on loopback with its own folder. */
export async function startTestAgent(port = 0, dir?: string): Promise<TestAgent> {
  const folder = dir ?? (await mkdtemp(join(tmpdir(), 'linekeeper-agent-')));
  const agent = await startAgent({ ...AGENT, dir: folder, port, timeZone: ZONE });
  return { ...agent, dir: folder, close: atEnd(agent.close) };
}

/** Starts a panel, and a card server to sell lines on. `stop` ends both. */
export async function startTestShop(kind?: TestDatabase) {
  const agent = await startTestAgent();
  const panel = await startTestPanel(kind);
  const { id: serverId } = await panel.addServer(agent.url);
  const stop = async () => {
    await panel.stop();
    await agent.close();
  };
  return { panel, agent, serverId, stop };
}
