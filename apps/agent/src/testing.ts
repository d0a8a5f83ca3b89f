import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import { type AgentOptions, startAgent } from './agent.ts';

const USERNAME = 'pänel';
const PASSWORD = 'geheim:ü:1';

type Answer = {
  status: number;
  body: Record<string, string>;
  headers: Headers;
};

export function basic(username = USERNAME, password = PASSWORD): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Sends text and bytes unchanged, anything else as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  authorization: string | undefined = basic(),
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: authorization ? { authorization } : {},
    ...(body === undefined
      ? {}
      : {
          body: raw ? (body as string | Uint8Array<ArrayBuffer> | undefined) : JSON.stringify(body),
        }),
  });
  const answer = (await response.json()) as Record<string, string>;
  return { status: response.status, headers: response.headers, body: answer };
}

export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'agent-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export async function startTestAgent(options: Partial<AgentOptions> = {}) {
  const dir = options.dir ?? temporaryFolder();
  const agent = await startAgent({
    username: USERNAME,
    password: PASSWORD,
    port: 0,
    ...options,
    dir,
  });
  onTestFinished(() => agent.close());
  const { url } = agent;
  return {
    ...agent,
    dir,
    call: (method: string, path: string, body?: unknown) => call(url, method, path, body),
    add: (username: string, password = 'pw', expiryDate = '31-12-2099') =>
      call(url, 'POST', '/add-user', { username, password, expiryDate }),
    edit: (body: object) => call(url, 'PUT', '/edit-user', body),
    remove: (username: string) => call(url, 'DELETE', '/delete-user', { username }),
    read: (file: string) => readFileSync(join(dir, file)),
    text: (file: string) => readFileSync(join(dir, file), 'utf8'),
  };
}

/** Retries until `ask` does not throw; only a failure needs the full timeout. */
export function eventually<T>(ask: () => T): Promise<T> {
  return vi.waitFor(ask, { timeout: 120_000, interval: 10 });
}

/** Sends raw bytes; `received` resolves with everything received once the other end closes. */
export function openSocket(url: string): { socket: Socket; received: Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  // `once` of node:events is not used, because it rejects if the other end resets the connection.
  const received = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()));
  });
  onTestFinished(() => void socket.destroy());
  return { socket, received };
}

type Child = {
  process: ChildProcess;
  /** The address of the agent; undefined if it refused to start. */
  url: string | undefined;
  output(): string;
  errors(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

/** Runs the agent in its own process, as in production. */
export async function spawnAgent(
  env: Record<string, string>,
  /** The user to run as, which needs root. */
  user: { uid?: number; gid?: number } = {},
): Promise<Child> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    ...user,
    env: {
      PATH: process.env.PATH,
      AGENT_PORT: '0',
      AGENT_USERNAME: USERNAME,
      AGENT_PASSWORD: PASSWORD,
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const listening = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const url = /^Agent listening on (\S+)$/m.exec(output)?.[1];
      if (url) resolve(url);
    });
  });
  const url = await Promise.race([listening, ended.then(() => undefined)]);
  return { process: child, url, output: () => output, errors: () => errors, ended };
}
