import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fixture } from './fixture.ts';

/** As many as one account may have open. */
const OF_ONE_ACCOUNT = 20;
const STREAMS = 500;
const EVENTS = 5;
/** Longer than any of them should take; only what is lost takes as long. */
const PATIENCE_MS = 30_000;

export interface Streams {
  count: number;
  /** Growth of the panel's process in MiB. */
  memory: number;
  /** From the request that causes an event until the last stream has it, in ms. */
  slowest: number[];
}

/** Opens streams of many accounts, and says something to everyone. */
export async function measureStreams({ panel, cookieOf }: Fixture): Promise<Streams> {
  const before = await memoryOf(panel.pid);
  const heard: string[] = Array.from({ length: STREAMS }, () => '');
  const sockets = await Promise.all(
    heard.map((_, index) => {
      const cookie = cookieOf(2 + Math.floor(index / OF_ONE_ACCOUNT));
      return open(panel.url, cookie, (text) => {
        heard[index] += text;
      });
    }),
  );
  const until = async (isDone: (text: string) => boolean) => {
    for (const endsAt = performance.now() + PATIENCE_MS; !heard.every(isDone); await sleep(2)) {
      if (performance.now() > endsAt) throw new Error('Not all streams heard of it.');
    }
  };
  await until((text) => text.includes('retry: '));
  const slowest: number[] = [];
  for (let event = 0; event < EVENTS; event++) {
    const begun = performance.now();
    const id = await tellEveryone(panel.url, cookieOf(1));
    await until((text) => text.includes(id));
    slowest.push(Math.round(performance.now() - begun));
  }
  const memory = Math.round((await memoryOf(panel.pid)) - before);
  for (const socket of sockets) socket.destroy();
  return { count: STREAMS, memory, slowest };
}

function open(url: string, cookie: string, onText: (text: string) => void): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET /api/events HTTP/1.1\r\nhost: bench\r\ncookie: ${cookie}\r\n\r\n`);
      resolve(socket);
    });
    socket.setEncoding('utf8');
    socket.on('data', onText);
    socket.on('error', reject);
  });
}

async function tellEveryone(url: string, cookie: string): Promise<string> {
  const response = await fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ title: 'To everyone', content: 'Something to read', is_global: true }),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { message: { id: string } }).message.id;
}

/** Resident memory in MiB. Linux only. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}
