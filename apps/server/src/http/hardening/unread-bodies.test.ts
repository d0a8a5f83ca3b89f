// @module-tag thorough
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';

const MEGABYTE = 1024 * 1024;
let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel('postgres');
});

/** Sends a request as a proxy does, which reads only after it has sent everything. */
async function sendAsProxy(start: string, bytes: number, connection = 'close'): Promise<string> {
  const { hostname, port, host } = new URL(panel.url);
  const socket = connect(Number(port), hostname);
  const problems: string[] = [];
  socket.on('error', ({ message }) => problems.push(message));
  await once(socket, 'connect');
  socket.pause();
  const head = [
    `${start} HTTP/1.1`,
    `Host: ${host}`,
    `Connection: ${connection}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const block = Buffer.alloc(MEGABYTE, ' ');
  for (let left = bytes; left > 0; left -= block.length) {
    const part = block.subarray(0, Math.min(left, block.length));
    if (!socket.write(part) && !problems.length) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
  }
  let reply = '';
  socket.setEncoding('utf8').on('data', (text) => {
    reply += text;
  });
  socket.resume();
  if (!socket.closed) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
  expect(problems).toEqual([]);
  return reply;
}

test.each([
  ['too large for sign-in', 'POST /api/auth/sign-in/email', 413],
  ['of who is not signed in', 'POST /api/lines', 401],
  ['for nothing that is there', 'POST /api/nothing', 413],
  ['that nobody asked for', 'GET /robots.txt', 200],
])('a body %s is taken whole before it is answered', async (_, start, status) => {
  expect(await sendAsProxy(start, 6 * MEGABYTE)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test.each([
  ['keep-alive', 20],
  ['close', 20],
  ['close', 100],
])('%s: who sends %i MB, more than is taken, can read why it is refused', async (asked, size) => {
  const reply = await sendAsProxy('POST /api/auth/sign-in/email', size * MEGABYTE, asked);
  expect(reply).toMatch(/^HTTP\/1.1 413 /);
});

test('whoever falls silent midway is refused all the same', async () => {
  const { hostname, port, host } = new URL(panel.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  socket.write(
    `POST /api/attachments HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\n\r\n--x',
  );
  const [reply] = await once(socket, 'data');
  expect(reply).toMatch(/^HTTP\/1.1 401 /);
  // The rest of the body never arrives, so the connection cannot be used again.
  await once(socket, 'close');
});

const START_OF_FILE =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n' +
  'Content-Type: image/png\r\n\r\n';

test.each([
  ['of a wrong type', START_OF_FILE, 0, 422],
  ['larger than any', START_OF_FILE, 'a', 413],
  ['that never begins', '', 'a', 413],
])('a file %s is refused, whose length was not announced', async (_, start, content, status) => {
  const { cookie } = panel.admin;
  const { hostname, port, origin } = new URL(panel.url);
  const sent = request({
    hostname,
    port,
    path: '/api/attachments',
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', cookie, origin },
  });
  sent.write(start);
  const block = Buffer.alloc(MEGABYTE, content);
  const replied = once(sent, 'response');
  for (let blocks = 0; blocks < 14; blocks++) {
    if (!sent.write(block)) await once(sent, 'drain');
  }
  sent.end('\r\n--x--\r\n');
  const [{ statusCode }] = await replied;
  expect(statusCode).toBe(status);
});
