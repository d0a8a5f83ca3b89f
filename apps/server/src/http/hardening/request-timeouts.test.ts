import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { filePart, multipart } from '../../testing/files/files.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { sendRaw } from '../../testing/wire/raw.ts';
import { requestTimeouts } from './request-timeouts.ts';

const SHORT_MS = 300;

let panel: TestPanel;
let impatient: FastifyInstance;
let url: string;
beforeAll(async () => {
  panel = await startTestPanel();
  impatient = await buildApp(panel.services, requestTimeouts(SHORT_MS));
  url = await impatient.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => impatient?.close());

/**
 * Sends `beginning`, then single bytes at intervals without end. Returns the received text when the connection ends.
 */
async function drip(beginning: string, byte: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  let reply = '';
  socket.on('data', (chunk) => {
    reply += chunk;
  });
  // A byte may be in transit when the panel closes the connection.
  socket.on('error', () => {});
  socket.write(beginning);
  while (!socket.closed) {
    await sleep(10);
    if (socket.writable) socket.write(byte);
  }
  return reply;
}

test.each([
  ['headers', 'GET /health HTTP/1.1\r\nhost: panel\r\nx-slow: ', 'a'],
  [
    'a body',
    'POST /api/auth/sign-in/email HTTP/1.1\r\nhost: panel\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{"email": "',
    'a',
  ],
])(
  'a sender that drips %s is cut off with 408 while it still sends',
  async (_, beginning, byte) => {
    // The reply is lost if the panel closes the connection while a byte is in transit.
    expect(await drip(beginning, byte)).toMatch(/^(HTTP\/1\.1 408 .*"REQUEST_TIMEOUT"|$)/s);
    // Other clients are not affected.
    expect((await sendRaw(url, { path: '/health' })).status).toBe(200);
  },
);

test('a file may take longer to arrive than any other body', async () => {
  const { type, body } = multipart([filePart('a text that takes its time', 'slow.txt')]);
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.write(
    `POST /api/attachments HTTP/1.1\r\nhost: panel\r\ncookie: ${panel.admin.cookie}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
  );
  for (let at = 0; at < body.length; at += 10) {
    await sleep((SHORT_MS * 30) / body.length);
    socket.write(body.subarray(at, at + 10));
  }
  let reply = '';
  for await (const chunk of socket) reply += chunk;
  expect(reply).toMatch(/^HTTP\/1\.1 201 /);
});

test('a panel gives every request 30 s to arrive, and looks often enough to keep to it', () => {
  expect(panel.app.server).toMatchObject({ requestTimeout: 600_000, headersTimeout: 30_000 });
  expect(requestTimeouts().body_ms).toBe(30_000);
  expect(requestTimeouts().server.http.connectionsCheckingInterval).toBeLessThanOrEqual(1000);
});
