import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONFIGURATION = fileURLToPath(new URL('../../../../../deploy/nginx.conf', import.meta.url));

/** The path of the machine's nginx, or of the one in NGINX_PATH; null if there is none. */
export function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const programs = folders.map((folder) => join(folder, 'nginx'));
  if (process.env.NGINX_PATH) programs.unshift(process.env.NGINX_PATH);
  return programs.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** The delivered configuration, with ports of this test and without TLS. */
function configuration(folder: string, port: number, panels: number[]): string {
  const left = [...panels];
  const own = readFileSync(CONFIGURATION, 'utf8')
    .replace(/(?<=^\tserver 127\.0\.0\.1:)\d+/gm, () => String(left.shift()))
    .replace(/^\s*listen \[::\].*$/gm, '')
    .replace(/listen 80;/, `listen unix:${join(folder, 'http.sock')};`)
    .replace(/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`)
    .replace(/^\s*ssl_.*$/gm, '')
    .replaceAll('/var/log/nginx/', `${folder}/`);
  const spools = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  // The other settings of a machine's /etc/nginx/nginx.conf.
  const user = process.geteuid?.() === 0 ? 'user root;' : '';
  return `${user} daemon off; pid ${join(folder, 'pid')}; events {} http { ${spools.join(' ')} ${own} }`;
}

export interface Nginx {
  url: string;
  /** The access log so far. */
  log(): { ip: string; path: string; status: number }[];
  stop(): Promise<void>;
}

/** Runs deploy/nginx.conf in front of panels on these ports of 127.0.0.1. */
export async function startNginx(program: string, port: number, panels: number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, panels));
  const child = spawn(program, ['-e', 'stderr', '-p', folder, '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(child, url, () => said);
  return {
    url,
    log: () =>
      readFileSync(join(folder, 'linekeeper.log'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(child: ChildProcess, url: string, said: () => string) {
  while (!(await fetch(url).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said()}`);
  }
}
