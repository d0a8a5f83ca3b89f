import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { root } from './prepare.mjs';

/** Enough for Playwright to close its browsers and servers, and for PostgreSQL to stop. */
const GRACE_MS = 15_000;

/**
 * Tools started by a test run. Each leads a process group, so that children it leaves behind end
 * with it, and Ctrl-C reaches it only once, from here.
 */
export class Group {
  readonly #running = new Set<ChildProcess>();
  #ending = false;

  /** Keeps the output for the caller, or with `label` shows each line as it comes, labelled. */
  async runNode(
    args: string[],
    options: { label?: string; env?: Record<string, string> } = {},
  ): Promise<{ code: number | null; output: string }> {
    if (this.#ending) return { code: null, output: 'The run was ended.' };
    const child = spawn(process.execPath, args, {
      cwd: root,
      detached: process.platform !== 'win32',
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (options.label) showLines(stream, options.label);
      else stream.on('data', (chunk: Buffer) => output.push(chunk));
    }
    try {
      const [code] = await once(child, 'exit');
      signalGroup(child, 'SIGKILL');
      // The remaining child processes have ended now, so the output ends as well.
      await Promise.all([child.stdout, child.stderr].map(ended));
      return { code, output: Buffer.concat(output).toString() };
    } finally {
      this.#running.delete(child);
    }
  }

  /** Signals every tool to end, and kills it after a grace period. */
  end(): void {
    this.#ending = true;
    for (const child of this.#running) signalGroup(child, 'SIGINT');
    setTimeout(() => this.kill(), GRACE_MS).unref();
  }

  kill(): void {
    for (const child of this.#running) signalGroup(child, 'SIGKILL');
  }
}

function showLines(stream: NodeJS.ReadableStream, label: string): void {
  createInterface({ input: stream }).on('line', (line) => console.log(`${label} │ ${line}`));
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The group has no process left.
  }
}

async function ended(stream: NodeJS.ReadableStream): Promise<void> {
  if ('readableEnded' in stream && stream.readableEnded) return;
  await once(stream, 'close');
}
