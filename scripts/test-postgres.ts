import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { acceptNamelessUser, copyPostgres, type PostgresCopy } from './postgres-copy.ts';
import { PostgresServer, type ServerOptions } from './postgres-server.ts';

const run = promisify(execFile);

const SUPERUSER = 'postgres';
/** The name under which the standby asks its primary for the log. */
const STANDBY = 'standby';

export interface TestPostgres {
  /** Connection URL of a database (by default `postgres`), as superuser. */
  url(database?: string): string;
  port: number;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
  /** Simulates a crash: kills every process of the server at once. `restart` brings it back. */
  kill(): Promise<void>;
  /** Freezes every process of the server: connections stay open without replies. Linux only. */
  freeze(): void;
  thaw(): void;
  /** Starts the server again on the same data and port, after stopping it if it still runs. */
  restart(): Promise<void>;
}

/**
 * A real PostgreSQL with an empty cluster (UTF-8, sorted by code point, UTC). It ends with this
 * process, even if this process is killed. TEST_DATABASE_URL names another server to use instead.
 */
export async function startPostgres(options: ServerOptions = {}): Promise<TestPostgres> {
  const external = process.env.TEST_DATABASE_URL;
  if (external) return useExternal(external);
  const copy = await copyPostgres();
  const guard = guardAgainstOrphan(copy);
  const cleanUp = async () => {
    await rm(copy.folder, { recursive: true, force: true });
    guard?.kill('SIGKILL');
  };
  try {
    const password = await createCluster(copy);
    const server = await startOnFreePort(copy, options);
    const address = `${SUPERUSER}:${password}@127.0.0.1:${server.port}`;
    return {
      port: server.port,
      url: (database = 'postgres') => `postgres://${address}/${encodeURIComponent(database)}`,
      kill: () => server.kill(),
      freeze: () => server.signalAll('SIGSTOP'),
      thaw: () => server.signalAll('SIGCONT'),
      restart: () => server.restart(),
      stop: async () => {
        await server.end('SIGQUIT');
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

function useExternal(address: string): TestPostgres {
  const port = Number(new URL(address).port || 5432);
  const refuse = () => {
    throw new Error('A PostgreSQL given by TEST_DATABASE_URL is not ours to kill.');
  };
  const url = (database?: string) => {
    const result = new URL(address);
    if (database) result.pathname = `/${encodeURIComponent(database)}`;
    return result.href;
  };
  return {
    port,
    url,
    kill: refuse,
    freeze: refuse,
    thaw: refuse,
    restart: refuse,
    stop: async () => {},
  };
}

/** A random password, because any user of this machine can reach the port. */
async function createCluster(copy: PostgresCopy): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(copy.folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  const { uid, gid } = copy.spawnAs;
  if (uid !== undefined && gid !== undefined) await chown(passwordFile, uid, gid);
  const settings = ['--pgdata', copy.dataDir, '--username', SUPERUSER, '--pwfile', passwordFile];
  settings.push('--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-instructions');
  settings.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync');
  // One iteration makes connecting fast, and a random password needs no key stretching.
  settings.push('--set', 'scram_iterations=1');
  try {
    await run(copy.initdb, settings, copy.spawnAs);
  } catch (error) {
    if (!String(error).includes('could not look up effective user ID')) throw error;
    await acceptNamelessUser(copy);
    await run(copy.initdb, settings, copy.spawnAs);
  } finally {
    await rm(passwordFile, { force: true });
  }
  return password;
}

async function startOnFreePort(
  copy: PostgresCopy,
  options: ServerOptions,
): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = new PostgresServer(copy, await findFreePort(), options);
    try {
      await server.start();
      return server;
    } catch (error) {
      // Another process may take the port between our check and the start; then another port is
      // tried.
      const portTaken = String(error).includes('could not create any TCP/IP sockets');
      if (!portTaken || attempt === 5) throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port found.');
  return address.port;
}

/**
 * A shell that waits for the end of its stdin, which comes when this process ends in any way
 * (including SIGKILL), then ends the server and removes its folder.
 */
function guardAgainstOrphan({ folder, dataDir }: PostgresCopy): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const script = `
    read -r line
    if read -r pid < "$2/postmaster.pid"; then
      kill -QUIT "$pid"
      tries=0
      while [ -e "$2/postmaster.pid" ] && [ $tries -lt 50 ]; do
        sleep 0.1
        tries=$((tries + 1))
      done
      [ -e "$2/postmaster.pid" ] && kill -KILL "$pid"
    fi
    rm -rf "$1"`;
  const guard = spawn('/bin/sh', ['-c', script, 'guard', folder, dataDir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as Socket | null)?.unref();
  guard.once('error', () => {});
  return guard;
}

export interface PostgresPair {
  /** Connection URL that names both servers, the primary first. */
  url: string;
  primary: PostgresServer;
  standby: PostgresServer;
  /** Makes the standby a primary that waits for no standby of its own. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Two real PostgreSQL servers with all crash safety: a primary and its streaming standby, for which the primary's
 * commits wait.
 */
export async function startPostgresPair(): Promise<PostgresPair> {
  const copies = [await copyPostgres(), await copyPostgres()] as const;
  const guards = copies.map((copy) => guardAgainstOrphan(copy));
  const [first, second] = copies;
  const password = await createCluster(first);
  await becomeCopyOf(first, second);
  const primary = await startOnFreePort(first, {
    durable: true,
    settings: { synchronous_standby_names: STANDBY, synchronous_commit: 'on' },
  });
  const standby = await startOnFreePort(second, {
    durable: true,
    settings: {
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} password=${password} application_name=${STANDBY}`,
    },
  });
  const login = `postgres://${SUPERUSER}:${password}`;
  return {
    url: `${login}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    primary,
    standby,
    promote: async () => {
      const client = new pg.Client(`${login}@127.0.0.1:${standby.port}/postgres`);
      await client.connect();
      await client.query('select pg_promote(true, 60)');
      await client.end();
    },
    stop: async () => {
      await Promise.all([primary.end('SIGQUIT'), standby.end('SIGQUIT')]);
      for (const { folder } of copies) await rm(folder, { recursive: true, force: true });
      for (const guard of guards) guard?.kill('SIGKILL');
    },
  };
}

/** While the cluster does not run, its files are a whole copy of it. */
async function becomeCopyOf(from: PostgresCopy, to: PostgresCopy): Promise<void> {
  await run('cp', ['-a', `${from.dataDir}/.`, to.dataDir]);
  await writeFile(join(to.dataDir, 'standby.signal'), '');
}
