import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { agentCredentials } from './people.ts';

const AGENT = join(import.meta.dirname, '../../apps/agent/src/main.ts');

/** A separate card server for one test, which can stop and start again on the same port. */
export class CardServer {
  port = 0;
  #folder = '';
  #process: ChildProcess | null = null;
  readonly #reload: Record<string, string>;

  /** `isTold` is false for an agent that has no way to make its card server read the accounts. */
  constructor({ isTold = true } = {}) {
    this.#reload = isTold ? { RELOAD_COMMAND: 'true' } : {};
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.#folder ||= await mkdtemp(join(tmpdir(), 'linekeeper-e2e-agent-'));
    const child = spawn(process.execPath, [AGENT], {
      env: {
        ...process.env,
        ...this.#reload,
        TIME_ZONE: ZONE,
        AGENT_DIR: this.#folder,
        AGENT_PORT: String(this.port),
        AGENT_USERNAME: agentCredentials.username,
        AGENT_PASSWORD: agentCredentials.password,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process = child;
    this.port = await new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the agent ended with ${code}`)));
      child.stdout?.on('data', (text: Buffer) => {
        const address = /listening on http:\/\/[^:]+:(\d+)/.exec(String(text));
        if (address) resolve(Number(address[1]));
      });
    });
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** Stops the server and deletes its files. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Content of the file that the card server software reads. */
  read(file: 'CCcam.cfg' | 'oscam.user'): Promise<string> {
    return readFile(join(this.#folder, file), 'utf8');
  }

  /** Appends a row to such a file, as the operator does. */
  append(file: 'CCcam.cfg' | 'oscam.user', row: string): Promise<void> {
    return appendFile(join(this.#folder, file), row);
  }
}
