import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createGate } from './auth.ts';
import { createCalls } from './calls.ts';
import { calendarOf } from './days.ts';
import { type OwnFolder, openOwnFolder } from './files/own-folder.ts';
import { openRenderedFiles, RENDERED_NAMES } from './files/rendered-files.ts';
import { checkGroups, checkOptions } from './grants.ts';
import { causeOf, type Log } from './log.ts';
import { openServer } from './server.ts';

export type AgentOptions = {
  /** Name and password for Basic authentication of requests. */
  username: string;
  password: string;
  /** Folder for the accounts and the card servers' files; created if missing. */
  dir: string;
  /** 0 picks any free port. */
  port?: number;
  host?: string;
  /** IANA name; determines the current day, and so which accounts have expired. */
  timeZone?: string;
  /** Groups of new rows in oscam.user, as in 1,2,10. */
  oscamGroup?: string;
  /** What new F lines in CCcam.cfg say behind name and password, as in 1 0 1 { 0:0:1 }. */
  cccamOptions?: string;
  log?: Log;
  /** For tests: the clock, the interval in ms at which it is read, and the request timeout in ms. */
  now?: () => Date;
  checkEveryMs?: number;
  requestTimeoutMs?: number;
};

export type Agent = {
  url: string;
  /** Finishes the requests in flight, then releases the port and the folder. */
  close(): Promise<void>;
};

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function requireCredentials({ username, password }: AgentOptions): void {
  if (!username) throw new Error('AGENT_USERNAME is missing: set the name callers sign in with');
  if (!password) throw new Error('AGENT_PASSWORD is missing: set the password for AGENT_USERNAME');
  // Basic authentication ends the username at the first colon, so no request could ever
  // authenticate.
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

function openFolder(dir: string): OwnFolder {
  try {
    return openOwnFolder(dir, RENDERED_NAMES);
  } catch (error) {
    // SQLite's error message names neither the file nor its folder.
    if (error instanceof Error && !('code' in error)) throw error;
    throw new Error(`cannot open ${join(dir, 'agent.db')}: ${causeOf(error)}`);
  }
}

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { host = '127.0.0.1', port = 3000, timeZone = 'UTC', log = () => {} } = options;
  const { now = () => new Date(), checkEveryMs = 10_000, requestTimeoutMs = 15_000 } = options;
  requireCredentials(options);
  const dayOf = calendarOf(timeZone);
  const grants = {
    'oscam.user': checkGroups(options.oscamGroup ?? '1'),
    'CCcam.cfg': checkOptions(options.cccamOptions ?? ''),
  };
  const dir = prepareFolder(options.dir);

  // Undone in reverse order, on close or when the start fails halfway.
  const undo: (() => void | Promise<void>)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const folder = openFolder(dir);
    undo.push(() => folder.close());

    const files = openRenderedFiles(
      dir,
      folder,
      { today: () => dayOf(now()), grants, log },
      { mark: () => 0, onRendered: () => {} },
    );
    undo.push(() => files.close());
    await files.requireAlone();
    // Writes out what the last run committed but did not render. A failure is logged and retried
    // below; the agent starts anyway, because clients are better served by an error reply.
    await files.removeStale().catch(() => {});
    await files.render().catch(() => {});

    const calls = createCalls(folder, files, ownVersion());
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
