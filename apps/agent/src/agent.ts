import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createGate } from './auth.ts';
import { createCalls } from './calls.ts';
import { calendarOf } from './days.ts';
import { holdFolder } from './folder-lock.ts';
import { causeOf, type Log } from './log.ts';
import { openRenderedFiles } from './rendered-files.ts';
import { openServer } from './server.ts';
import { openStore, type Store } from './store.ts';

export type AgentOptions = {
  /** What callers sign in with. */
  username: string;
  password: string;
  /** Holds the accounts and the card servers' files; made where missing. */
  dir: string;
  /** 0 takes any free port. */
  port?: number;
  host?: string;
  /** Says which day it is. */
  timeZone?: string;
  log?: Log;
  /** For tests: the clock, how often it is looked at, and how long a request may take to arrive. */
  now?: () => Date;
  checkEveryMs?: number;
  requestTimeoutMs?: number;
};

export type Agent = {
  url: string;
  /** Ends requests in flight, then lets go of port and folder. */
  close(): Promise<void>;
};

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function requireCredentials({ username, password }: AgentOptions): void {
  if (!username) throw new Error('AGENT_USERNAME is missing: set the name callers sign in with');
  if (!password) throw new Error('AGENT_PASSWORD is missing: set the password for AGENT_USERNAME');
  // Basic auth ends the name at the first colon: nobody could ever sign in.
  if (username.includes(':')) throw new Error('AGENT_USERNAME must not contain a colon');
}

function prepareFolder(dir: string): string {
  const path = resolve(dir);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Error(`cannot make AGENT_DIR ${path}: ${causeOf(error)}`);
  }
  return path;
}

function openAccounts(path: string): Store {
  try {
    return openStore(path);
  } catch (error) {
    throw new Error(`cannot open ${path}: ${causeOf(error)}`);
  }
}

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { host = '127.0.0.1', port = 3000, timeZone = 'UTC', log = () => {} } = options;
  const { now = () => new Date(), checkEveryMs = 10_000, requestTimeoutMs = 15_000 } = options;
  requireCredentials(options);
  const dayOf = calendarOf(timeZone);
  const dir = prepareFolder(options.dir);

  // Undone in reverse, at the end or where the start fails halfway.
  const undo: (() => void | Promise<void>)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const lock = holdFolder(dir);
    undo.push(() => lock.release());
    const store = openAccounts(join(dir, 'agent.db'));
    undo.push(() => store.close());

    const files = openRenderedFiles(dir, store, () => dayOf(now()), log);
    undo.push(() => files.settle());
    // Brings in what was committed but not written when the last run ended. A failure is logged
    // and tried again below; the agent starts, because callers are better served by its answer.
    await files.removeStale().catch(() => {});
    await files.render().catch(() => {});

    const calls = createCalls(store, files, ownVersion());
    const admits = createGate(options.username, options.password);
    const server = await openServer(host, port, { calls, admits, log, requestTimeoutMs });
    undo.push(() => server.stop());

    const timer = setInterval(() => {
      if (files.isDue()) files.render().catch(() => {});
    }, checkEveryMs).unref();
    undo.push(() => clearInterval(timer));

    let closed: Promise<void> | undefined;
    return {
      url: server.url,
      close() {
        closed ??= stop();
        return closed;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
