import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type JsonRequest,
  type Outbound,
  requestJson,
} from '../../../platform/http-client/request.ts';
import {
  closedPort,
  httpText,
  outbound,
  startCanned,
  startTcp,
  stopServers,
} from './testing/servers.ts';

const impatient: Outbound = { ...outbound, deadlineMs: 300 };
const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const get = (port: number): JsonRequest => ({
  scheme: 'http',
  host: '127.0.0.1',
  port,
  method: 'GET',
  path: '/',
});
const unreachable = (reason: string) => ({ kind: 'unreachable', reason });
const onRequest = (answer: (socket: Socket) => void) =>
  startTcp((socket) => socket.once('data', () => answer(socket)));

/** Writes one byte of `text` every 20 ms for as long as the connection lives. */
function trickle(socket: Socket, text: string): void {
  let position = 0;
  const timer = setInterval(() => socket.write(text[position++ % text.length] ?? ''), 20);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the client reads, up to 50 MB, and reports the number of bytes sent. */
function flood(socket: Socket, head: string, onClose: (bytes: number) => void): void {
  const block = Buffer.alloc(256 * 1024, 'a');
  const pour = () => {
    while (socket.writable && socket.bytesWritten < 50_000_000) if (!socket.write(block)) return;
  };
  socket.on('drain', pour);
  socket.on('close', () => onClose(socket.bytesWritten));
  socket.write(head);
  pour();
}

afterEach(stopServers);

describe('silence ends at the deadline', () => {
  const timedOut = unreachable('connection timed out');
  const behaviours: [string, (socket: Socket) => void][] = [
    ['no answer', () => {}],
    ['half a status line', (socket) => socket.write('HTTP/1.1 2')],
    ['half the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-')],
    ['half the body', (socket) => socket.write(`${JSON_HEAD}content-length: 9\r\n\r\n{"a"`)],
    ['a body without end', (socket) => socket.write(`${JSON_HEAD}\r\n{"a":1}`)],
    ['a reading side that stops', (socket) => socket.pause()],
    ['trickling headers', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nx: '.padEnd(9_999, 'y'))],
    [
      'a trickling body',
      (socket) => {
        socket.write(`${JSON_HEAD}content-length: 60000\r\n\r\n`);
        trickle(socket, '{"message":"ok"}');
      },
    ],
    [
      'endless provisional replies',
      (socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ];

  test.each(behaviours)('%s', async (name, behave) => {
    let isClosed: Promise<unknown> | undefined;
    const { port } = await startTcp((socket) => {
      isClosed = new Promise((resolve) => socket.on('close', resolve));
      socket.once('data', () => behave(socket));
    });
    // None of these servers ends by itself, so only the deadline can produce a result.
    expect(await requestJson(impatient, get(port))).toEqual(timedOut);
    // A paused client does not notice the end. All other connections close immediately.
    if (name !== 'a reading side that stops') await isClosed;
  });

  test('a name lookup that hangs', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const reply = await requestJson({ ...impatient, resolve }, { ...get(1), host: 'x.example' });
    expect(reply).toEqual(timedOut);
  });

  test('the caller’s signal ends it earlier', async () => {
    const { port, connections } = await startTcp(() => {});
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const cancelled = unreachable('request cancelled');
    expect(await requestJson(outbound, get(port), controller.signal)).toEqual(cancelled);
    expect(await requestJson(outbound, get(port), controller.signal)).toEqual(cancelled);
    expect(await requestJson(outbound, get(port), AbortSignal.timeout(50))).toEqual(timedOut);
    expect(connections()).toBe(2);
  });
});

describe('broken connections', () => {
  test('nothing listens', async () => {
    const port = await closedPort();
    expect(await requestJson(outbound, get(port))).toEqual(unreachable('connection refused'));
  });

  test.each([0, -1, 65_536, 1.5, Number.NaN])('port %d', async (port) => {
    expect(await requestJson(outbound, get(port))).toMatchObject({ kind: 'unreachable' });
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['reset on request', (socket) => socket.resetAndDestroy(), 'connection reset'],
    ['closed without a word', (socket) => socket.end(), 'connection closed early'],
    [
      'closed within headers',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nx'),
      'connection closed early',
    ],
    [
      'JSON cut before its length',
      (socket) => socket.end(`${JSON_HEAD}content-length: 99\r\n\r\n{"message":"o`),
      'connection closed early',
    ],
    [
      'JSON cut between chunks',
      (socket) => socket.end(`${JSON_HEAD}transfer-encoding: chunked\r\n\r\n8\r\n{"messag\r\n`),
      'connection closed early',
    ],
    [
      'JSON cut without a length',
      (socket) => socket.end(`${JSON_HEAD}\r\n{"message":"o`),
      'connection closed early',
    ],
    [
      'reset within the body',
      (socket) => {
        socket.write(`${JSON_HEAD}content-length: 99\r\n\r\n{"message`);
        setTimeout(() => socket.resetAndDestroy(), 50);
      },
      'connection reset',
    ],
    ['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'invalid response'],
    [
      'two lengths',
      (socket) => socket.end(`${JSON_HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
      'invalid response',
    ],
    [
      'switched protocols',
      (socket) => socket.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      'invalid response',
    ],
  ])('%s', async (_name, behave, reason) => {
    let isClosed: Promise<unknown> | undefined;
    const { port } = await onRequest((socket) => {
      isClosed = new Promise((resolve) => socket.on('close', resolve));
      behave(socket);
    });
    expect(await requestJson(outbound, get(port))).toEqual(unreachable(reason));
    await isClosed;
  });
});

describe('replies that are not JSON objects', () => {
  test.each([
    [500, '{"message":"broken"}', { message: 'broken' }],
    [401, '{"message":"no"}', { message: 'no' }],
    [200, '\ufeff{"message":"ok"}', { message: 'ok' }],
    [502, '<html><h1>Bad gateway</h1></html>', null],
    [200, '<!doctype html>', null],
    [200, '{"message":', null],
    [200, '[{"message":"ok"}]', null],
    [200, '"ok"', null],
    [200, 'null', null],
    [200, '', null],
    [200, '['.repeat(60_000), null],
  ])('%i %.30j', async (status, body, json) => {
    const { port } = await startCanned(httpText(status, body));
    expect(await requestJson(outbound, get(port))).toEqual({
      kind: 'reply',
      text: expect.any(String),
      status,
      json,
      sent_at: expect.any(Date),
    });
  });

  test('HTML that ends with the connection', async () => {
    const { port } = await startCanned('HTTP/1.1 404 Not Found\r\n\r\n<html>');
    const reply = await requestJson(outbound, get(port));
    expect(reply).toEqual({
      kind: 'reply',
      text: expect.any(String),
      status: 404,
      json: null,
      sent_at: expect.any(Date),
    });
  });

  test('204', async () => {
    const { port } = await startCanned('HTTP/1.1 204 No Content\r\n\r\n');
    const reply = await requestJson(outbound, get(port));
    expect(reply).toEqual({
      kind: 'reply',
      text: expect.any(String),
      status: 204,
      json: null,
      sent_at: expect.any(Date),
    });
  });
});

describe('size', () => {
  const tooLarge = unreachable('response too large');

  test.each([
    ['chunked', `${JSON_HEAD}transfer-encoding: chunked\r\n\r\n2faf080\r\n`],
    ['declared', `${JSON_HEAD}content-length: 50000000\r\n\r\n`],
    ['open-ended', `${JSON_HEAD}\r\n`],
    ['endless header', 'HTTP/1.1 200 OK\r\nx: '],
  ])('50 MB, %s, leave memory flat', async (_name, head) => {
    let bytesSent: Promise<number> = Promise.resolve(Number.NaN);
    const { port } = await onRequest((socket) => {
      bytesSent = new Promise((resolve) => flood(socket, head, resolve));
    });
    const before = process.memoryUsage().rss;
    expect(await requestJson(outbound, get(port))).toEqual(tooLarge);
    // The kernel's buffers take some data before the cut, far less than 50 MB.
    expect(await bytesSent).toBeLessThan(20_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  test('a declared length is believed without waiting for it', async () => {
    const { port } = await onRequest((socket) =>
      socket.write(`${JSON_HEAD}content-length: 65537\r\n\r\n`),
    );
    expect(await requestJson(outbound, get(port))).toEqual(tooLarge);
  });

  test('64 KiB pass, one byte more does not', async () => {
    const bodyOf = (bytes: number) => `{"m":"${'a'.repeat(bytes - 8)}"}`;
    const fits = await startCanned(httpText(200, bodyOf(65_536)));
    expect(await requestJson(outbound, get(fits.port))).toMatchObject({ status: 200 });
    const exceeds = await startCanned(httpText(200, bodyOf(65_537)));
    expect(await requestJson(outbound, get(exceeds.port))).toEqual(tooLarge);
  });
});
