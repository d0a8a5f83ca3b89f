import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { chown, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { acceptNamelessUser, copyPostgres, type PostgresCopy } from './postgres-copy.ts';

const run = promisify(execFile);

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const SUPERUSER = 'postgres';

export interface TestPostgresOptions {
  /** Keep every promise about crashes (fsync and so on), for tests that kill the server. */
  durable?: boolean;
  /** Further server settings, for example `{ max_connections: '20' }`. */
  settings?: Record<string, string>;
}

export interface TestPostgres {
  /** Connection address of one database (by default `postgres`), as the superuser. */
  url(database?: string): string;
  port: number;
  /** Ends the server and removes everything it wrote. */
  stop(): Promise<void>;
  /** A crash: every process of the server dies at once. `restart` brings it back. */
  kill(): Promise<void>;
  /** Starts the server again on the same data and port, after ending it if it still runs. */
  restart(): Promise<void>;
}

/**
 * A real PostgreSQL with an empty cluster (UTF-8, order by code point, UTC). It ends with this
 * process, also when this process is killed. TEST_DATABASE_URL names one to use instead.
 */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
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
  const refuse = async () => {
    throw new Error('A PostgreSQL given by TEST_DATABASE_URL is not ours to kill.');
  };
  const url = (database?: string) => {
    const result = new URL(address);
    if (database) result.pathname = `/${encodeURIComponent(database)}`;
    return result.href;
  };
  return { port, url, kill: refuse, restart: refuse, stop: async () => {} };
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
  // One round keeps a connection cheap; a random password needs no stretching.
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

async function startOnFreePort(copy: PostgresCopy, options: TestPostgresOptions): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    const server = new Server(copy, await findFreePort(), options);
    try {
      await server.start();
      return server;
    } catch (error) {
      // Another process took the port between our look and the start: look again.
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

class Server {
  readonly port: number;
  readonly #copy: PostgresCopy;
  readonly #options: TestPostgresOptions;
  #postgres: ChildProcess | undefined;
  readonly #killOnExit = () => this.#postgres?.kill('SIGQUIT');

  constructor(copy: PostgresCopy, port: number, options: TestPostgresOptions) {
    this.#copy = copy;
    this.port = port;
    this.#options = options;
  }

  async start(): Promise<void> {
    const log = openSync(this.#logFile, 'a');
    // A group of its own: Ctrl-C in the terminal must reach the tests first, then the server.
    const postgres = spawn(this.#copy.postgres, this.#arguments(), {
      ...this.#copy.spawnAs,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#postgres = postgres;
    // A server that nobody stopped must not keep its parent waiting; the guard ends it.
    postgres.unref();
    process.on('exit', this.#killOnExit);
    let failure: Error | undefined;
    postgres.once('error', (error) => {
      failure = error;
    });
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!this.#isReady()) {
      if (failure || hasEnded(postgres) || Date.now() > deadline) {
        await this.end('SIGKILL');
        const log = readFileSync(this.#logFile, 'utf8').slice(-4000);
        throw new Error(`PostgreSQL did not start. ${failure?.message ?? ''}\n${log}`);
      }
      await sleep(10);
    }
  }

  /** The last line of this file is how pg_ctl, too, knows that connections are accepted. */
  #isReady(): boolean {
    try {
      const lines = readFileSync(join(this.#copy.dataDir, 'postmaster.pid'), 'utf8').split('\n');
      return Number(lines[0]) === this.#postgres?.pid && lines[7]?.trim() === 'ready';
    } catch {
      return false;
    }
  }

  get #logFile(): string {
    return join(this.#copy.folder, 'postgres.log');
  }

  #arguments(): string[] {
    const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
    const settings: Record<string, string> = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      max_connections: '300',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...(this.#options.durable ? {} : fast),
      ...this.#options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return ['-D', this.#copy.dataDir, ...flags];
  }

  async kill(): Promise<void> {
    const pid = this.#postgres?.pid;
    if (pid !== undefined && !hasEnded(this.#postgres)) {
      // Frozen first, or the main process would answer the death of a worker before its own.
      process.kill(pid, 'SIGSTOP');
      for (const worker of childrenOf(pid)) {
        try {
          process.kill(worker, 'SIGKILL');
        } catch {
          // It ended by itself meanwhile.
        }
      }
    }
    await this.end('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.end('SIGINT');
    await this.start();
  }

  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const postgres = this.#postgres;
    if (postgres?.pid !== undefined && !hasEnded(postgres)) {
      postgres.ref();
      const ended = new Promise((resolve) => postgres.once('exit', resolve));
      postgres.kill(signal);
      const impatience = setTimeout(() => postgres.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(impatience);
    }
    process.off('exit', this.#killOnExit);
    this.#postgres = undefined;
  }
}

function hasEnded(child: ChildProcess | undefined): boolean {
  return !child || child.exitCode !== null || child.signalCode !== null;
}

/**
 * A shell that waits for the end of its input, which comes when this process ends in any way
 * (also by SIGKILL), then ends the server and removes its folder.
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

/** Only Linux tells; elsewhere the workers notice the death of the main process and end. */
function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
}

function parentOf(name: string): number | undefined {
  try {
    // "pid (command) state parent …", and the command may hold spaces and brackets itself.
    const afterCommand = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1);
    return Number(afterCommand?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
