import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresCopy } from './postgres-copy.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

export interface ServerOptions {
  /** Keeps fsync and all other crash safety on, for tests that kill the server. */
  durable?: boolean;
  /** Further server settings, for example `{ max_connections: '20' }`. */
  settings?: Record<string, string>;
}

/** The process of a PostgreSQL server on one port of this machine. */
export class PostgresServer {
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

  async start(): Promise<void> {
    const log = openSync(this.#logFile, 'a');
    // A process group of its own, because Ctrl-C in the terminal must reach the tests before the
    // server.
    const postgres = spawn(this.#copy.postgres, this.#arguments(), {
      ...this.#copy.spawnAs,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#postgres = postgres;
    // A server that was not stopped must not keep its parent alive; the guard process ends it.
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

  /**
   * Whether the server accepts connections, by the last line of the file that pg_ctl reads, too; a standby accepts
   * those that only read.
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

  get #logFile(): string {
    return join(this.#copy.folder, 'postgres.log');
  }

  #arguments(): string[] {
    const fast = {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // A worker would visit each of the hundreds of databases of a run in turn, all the time.
      autovacuum: 'off',
    };
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
      // All processes are stopped first, or the main process would react to the death of a worker.
      process.kill(pid, 'SIGSTOP');
      signalWorkers(pid, 'SIGKILL');
    }
    await this.end('SIGKILL');
  }

  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#postgres?.pid;
    if (pid === undefined) return;
    process.kill(pid, signal);
    signalWorkers(pid, signal);
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

function signalWorkers(pid: number, signal: NodeJS.Signals): void {
  for (const worker of childrenOf(pid)) {
    try {
      process.kill(worker, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/** Linux only; elsewhere the workers notice the death of the main process and end. */
function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
}

function parentOf(name: string): number | undefined {
  try {
    // "pid (command) state parent …"; the command may contain spaces and brackets.
    const afterCommand = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1);
    return Number(afterCommand?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
