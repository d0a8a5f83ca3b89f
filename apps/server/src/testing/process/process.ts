import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { TestClient } from '../client.ts';
import { copyEmbeddedTemplate } from '../database/embedded-template.ts';
import { ADMIN, AGENT, makeDatabase, type TestDatabase } from '../panel.ts';
import { ENVIRONMENT } from './command.ts';

const MAIN = fileURLToPath(new URL('../../commands/main.ts', import.meta.url));

/** Runs the panel in its own process, as in production. */
export interface PanelProcess {
  child: ChildProcess;
  /** The address of the panel; empty if it refused to start. */
  url: string;
  stdout(): string;
  stderr(): string;
  /** The exit of the process; `ms` is its lifetime in milliseconds. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; ms: number }>;
  /** The password that the process printed, if any. */
  password(): string | undefined;
}

/** The line in which a panel prints its address. */
const RUNNING = /^Linekeeper is running at (\S+)$/m;
/** The line in which a panel prints its address while it waits for its database. */
export const WAITING = /^Waiting for the database at .+ (http\S+)\/ready/m;

const running = new Set<ChildProcess>();

/**
 * Starts main.ts and waits until it prints its address. Test files must call `endPanels` at the
 * end.
 */
export async function spawnPanel(env: Record<string, string>): Promise<PanelProcess> {
  const panel = await tryToSpawnPanel(env);
  if (panel.url) return panel;
  throw new Error(`The panel did not start: ${panel.stderr()}${panel.stdout()}`);
}

/**
 * Starts the panel like `spawnPanel`, but also resolves if the panel ends. `onSpawn` gets the
 * process immediately. `user` needs root. `address` finds the awaited line.
 */
export async function tryToSpawnPanel(
  env: Record<string, string>,
  onSpawn: (child: ChildProcess) => void = () => {},
  user: { uid?: number; gid?: number } = {},
  address = RUNNING,
): Promise<PanelProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    ...user,
    env: {
      ...ENVIRONMENT,
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    },
    // The IPC channel makes the panel end with the tests, however they end.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  onSpawn(child);
  let [stdout, stderr] = ['', ''];
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  // 'close' never comes after the channel was closed from this side.
  const wasRead = [child.stdout, child.stderr].map((output) => output && once(output, 'end'));
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    const ms = performance.now() - startedAt;
    running.delete(child);
    await Promise.all(wasRead);
    return { code, signal, ms };
  });
  const isUp = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
      const url = address.exec(stdout)?.[1];
      if (url) resolve(url);
    });
  });
  const url = await Promise.race([isUp, ended.then(() => '')]);
  return {
    child,
    url,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    password: () => /^Password: (\S+)$/m.exec(stdout)?.[1],
  };
}

/** For afterAll: stops all running panels. */
export async function endPanels(): Promise<void> {
  const ending = [...running].map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ending);
}

/** A migrated database that no panel has used yet. */
export async function makeMigratedDatabase(kind: TestDatabase) {
  const database = await makeDatabase(kind);
  const { DATA_DIR } = database.env;
  if (DATA_DIR) await copyEmbeddedTemplate(inject('embeddedTemplateFolder'), DATA_DIR);
  return database;
}

/** Environment for a panel's first start, so that the administrator's password is known. */
export const FIRST_START = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

export interface TestWorld {
  admin: TestClient;
  server_id: string;
  reseller: { id: string; client: TestClient };
}

/** Creates an administrator, an active card server and a reseller with credits over HTTP. */
export async function openTestWorld(
  url: string,
  cardServerUrl: string,
  credits = 100,
): Promise<TestWorld> {
  const admin = new TestClient(url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const { hostname, port } = new URL(cardServerUrl);
  const added = await admin.post('/api/servers', {
    server_name: 'Frankfurt 1',
    host_ip: hostname,
    port: 12000,
    api_port: Number(port),
    ...AGENT,
  });
  const server_id = added.body.server.id;
  await admin.post(`/api/servers/${server_id}/test`);
  const seller = { email: 'seller@panel.example', password: 'a reseller password' };
  const { body } = await admin.post('/api/accounts', { ...seller, group_id: '2', credits });
  const client = new TestClient(url);
  await client.signIn(seller.email, seller.password);
  return { admin, server_id, reseller: { id: body.account.id, client } };
}

/** A client with the same session on another or restarted panel. */
export function movedTo(url: string, { cookie }: TestClient): TestClient {
  const client = new TestClient(url);
  client.cookie = cookie;
  return client;
}

/** A reseller's balance, read by an administrator. */
export async function balanceOf(admin: TestClient, accountId: string): Promise<number> {
  return (await admin.get(`/api/accounts/${accountId}`)).body.credits;
}

/** Usernames of all lines, sorted. */
export async function soldNames(admin: TestClient): Promise<string[]> {
  const { body } = await admin.get('/api/lines?limit=100&sort=username');
  return body.items.map((line: { username: string }) => line.username);
}
