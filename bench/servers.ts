import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { BareOptions } from './bare-server.ts';

export interface Running {
  url: string;
  /** Process id; the card server runs in this process. */
  pid: number;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/**
 * Runs the panel as in production, with its log.
 * @param within a command that becomes the one it is given, such as `systemd-run --scope`
 */
export async function startPanel(
  env: Record<string, string>,
  within: string[] = [],
): Promise<Running> {
  const panel = join(root, 'apps/server/src/commands/main.ts');
  const [command = '', ...args] = [...within, process.execPath, panel];
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env },
    // The IPC channel makes the panel end with this process.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      if (output === 'up') return;
      output += chunk;
      const found = /^Linekeeper is running at (\S+)$/m.exec(output)?.[1];
      if (!found) return;
      output = 'up';
      resolve(found);
    });
    child.once('exit', () => reject(new Error(`The panel ended. ${output}`)));
  });
  return { url, pid: child.pid ?? 0, stop: () => end(child) };
}

export async function startBare(options: BareOptions): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'bare-server.ts'));
  child.send(options);
  const [url] = await once(child, 'message');
  return { url, pid: child.pid ?? 0, stop: () => end(child) };
}

/** A card server that accepts every change. */
export async function startCardServer(): Promise<Running> {
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': 17 });
    res.end('{"message":"yes"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return {
    url: `http://127.0.0.1:${port}`,
    pid: process.pid,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
