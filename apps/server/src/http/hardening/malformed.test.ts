import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { countFiles, filePart, multipart, pngOf } from '../../testing/files/files.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { sendRaw } from '../../testing/wire/raw.ts';

const MEGABYTE = 1024 * 1024;

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});

function connect() {
  const { hostname, port } = new URL(panel.url);
  const socket = createConnection(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const ended = new Promise<string>((resolve, reject) => {
    socket.on('close', () => resolve(received)).on('error', reject);
  });
  return { socket, ended, received: () => received };
}

/** Sends pieces over one connection. Returns all replies until the panel ends the connection. */
function send(...pieces: (string | Buffer)[]): Promise<string> {
  const { socket, ended } = connect();
  socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  return ended;
}

function headOf(path: string, type: string, length: number): string {
  return (
    `POST ${path} HTTP/1.1\r\nhost: panel\r\ncookie: ${panel.admin.cookie}\r\n` +
    `idempotency-key: ${crypto.randomUUID()}\r\n` +
    `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
  );
}

/** The replies in a text, one after the other. */
function repliesIn(text: string) {
  return text.split(/(?=HTTP\/1\.1 )/).map((reply) => {
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: JSON.parse(body) };
  });
}

const malformed = {
  code: 'REQUEST_MALFORMED',
  message: 'The request is malformed or longer than declared',
  data: {},
};
const body = JSON.stringify({ title: 'Longer', description: 'Text' });
const tickets = async () => (await panel.admin.get('/api/tickets')).body.items.length;

describe('a body longer than it says', () => {
  test.each([
    ['cut in the middle', body.slice(0, 10), body.slice(10)],
    ['whole, with more behind it', body, '{"and": "more"}'],
    ['none at all', '', body],
  ])('is refused, and nothing of it is done: %s', async (_, said, more) => {
    const before = await tickets();
    const replies = repliesIn(
      await send(headOf('/api/tickets', 'application/json', said.length), said, more),
    );
    expect(replies.map(({ status, body }) => [status, body])).toEqual([[400, malformed]]);
    const { head } = replies[0] ?? {};
    expect(head).toContain('content-type: application/json');
    expect(head).toContain('connection: close');
    expect(head).toContain('x-content-type-options: nosniff');
    expect(head).toContain('content-security-policy: ');
    expect(await tickets()).toBe(before);
    expect((await sendRaw(panel.url, { path: '/health' })).status).toBe(200);
  });

  test('that goes on later is answered first as far as it was whole', async () => {
    const before = await tickets();
    const { socket, ended, received } = connect();
    socket.write(headOf('/api/tickets', 'application/json', body.length) + body);
    await eventually(() => expect(received()).toContain('}'));
    socket.write('and more');
    const replies = repliesIn(await ended);
    expect(replies.map(({ status }) => status)).toEqual([201, 400]);
    expect(replies[1]?.body).toEqual(malformed);
    expect(await tickets()).toBe(before + 1);
  });

  test.each([
    ['small', pngOf()],
    ['large', pngOf(Buffer.alloc(3 * MEGABYTE))],
  ])('leaves nothing of a %s file', async (_, content) => {
    const { type, body } = multipart([filePart(content, 'a.png')]);
    const text = await send(headOf('/api/attachments', type, body.length), body, 'more of it');
    const replies = repliesIn(text);
    expect(replies[0]).toMatchObject({ status: 400, body: malformed });
    await eventually(async () => expect(await countFiles(panel)).toEqual({ files: 0, chunks: 0 }));
  });
});

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'REQUEST_MALFORMED'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'REQUEST_MALFORMED'],
  [
    'two lengths',
    'POST /api/tickets HTTP/1.1\r\nhost: panel\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    400,
    'REQUEST_MALFORMED',
  ],
  [
    'headers without end',
    `GET /health HTTP/1.1\r\nhost: panel\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`,
    431,
    'HEADERS_TOO_LARGE',
  ],
])('%s is answered in the format of all errors', async (_, sent, status, code) => {
  const replies = repliesIn(await send(sent));
  expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual([[status, code]]);
});

test('who never stops sending is cut off', async () => {
  const { socket, ended } = connect();
  socket.write('hello\r\n\r\n');
  socket.on('error', () => {});
  // If the panel kept the connection open, this loop would run until the end of the test.
  while (!socket.closed) {
    await sleep(20);
    if (socket.writable) socket.write('hello');
  }
  expect(socket.destroyed).toBe(true);
  await ended.catch(() => {});
});
