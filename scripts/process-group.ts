import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './prepare.mjs';

/** Playwright closes its browsers and servers in this time, and PostgreSQL ends. */
const GRACE_MS = 15_000;

/**
 * Tools started by a test run. Each leads a process group, so that its own children, which it
 * may forget, end with it; and Ctrl-C reaches it once, from here.
 */
export class Group {
  readonly #running = new Set<ChildProcess>();
  #ending = false;

  /** Shows the output as it comes, or keeps it for the caller. */
  async runNode(
    args: string[],
    options: { show?: boolean; env?: Record<string, string> } = {},
  ): Promise<{ code: number | null; output: string }> {
    if (this.#ending) return { code: null, output: 'The run was ended.' };
    const child = spawn(process.execPath, args, {
      cwd: root,
      detached: process.platform !== 'win32',
      env: { ...process.env, ...options.env },
      stdio: options.show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    try {
      const [code] = await once(child, 'exit');
      signalGroup(child, 'SIGKILL');
      // What was forgotten has ended now, so the output ends as well.
      await Promise.all([child.stdout, child.stderr].map((stream) => stream && ended(stream)));
      return { code, output: Buffer.concat(output).toString() };
    } finally {
      this.#running.delete(child);
    }
  }

  /** Asks every tool to end, and makes it after a while. */
  end(): void {
    this.#ending = true;
    for (const child of this.#running) signalGroup(child, 'SIGINT');
    setTimeout(() => this.kill(), GRACE_MS).unref();
  }

  kill(): void {
    for (const child of this.#running) signalGroup(child, 'SIGKILL');
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

async function ended(stream: NodeJS.ReadableStream): Promise<void> {
  if ('readableEnded' in stream && stream.readableEnded) return;
  await once(stream, 'close');
}
