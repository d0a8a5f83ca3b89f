import { expect, test } from 'vitest';
import { basic, call, openSocket, startTestAgent } from './testing.ts';

test('unknown paths are 404, wrong methods 405 with Allow', async () => {
  const { call: ask, url } = await startTestAgent();
  for (const path of ['/nope', '/add-user/', '/__proto__', '/constructor', '//health']) {
    const answer = await ask('GET', path);
    expect([path, answer.status, answer.body.message]).toEqual([path, 404, 'Not found']);
  }
  const methods = { '/health': 'GET', '/': 'GET', '/add-user': 'POST', '/edit-user': 'PUT' };
  for (const [path, allowed] of Object.entries(methods)) {
    const answer = await ask('PATCH', path, {});
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allowed]);
    expect(answer.body.message).toBeTypeOf('string');
  }
  expect((await call(url, 'GET', '/health?from=probe', undefined, '')).status).toBe(200);
});

test('a body over 64 KiB is 413, with a length and without one', async () => {
  const { call: ask, url } = await startTestAgent();
  const fits = JSON.stringify({ username: 'a'.repeat(64 * 1024 - 15) });
  expect(fits.length).toBe(64 * 1024);
  expect((await ask('DELETE', '/delete-user', fits)).status).toBe(404);

  const announced = await ask('DELETE', '/delete-user', `${fits} `);
  expect([announced.status, announced.headers.get('connection')]).toEqual([413, 'close']);
  const large = await ask('POST', '/add-user', 'x'.repeat(512 * 1024));
  expect(large.body.message).toBe('The request body is larger than 64 KiB');

  const unannounced = openSocket(url);
  const head = `POST /add-user HTTP/1.1\r\nhost: x\r\nauthorization: ${basic()}\r\n`;
  unannounced.socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
  for (let part = 0; part < 5; part += 1) {
    unannounced.socket.write(`4000\r\n${'x'.repeat(16 * 1024)}\r\n`);
  }
  unannounced.socket.write('0\r\n\r\n');
  expect(await unannounced.received).toMatch(
    /^HTTP\/1.1 413 [\s\S]*{"message":"The request body is larger than 64 KiB"}$/,
  );
});

test('a caller who reads only after sending everything still gets the refusal', async () => {
  const { url } = await startTestAgent();
  const { socket, received } = openSocket(url);
  socket.pause();
  const head = `POST /add-user HTTP/1.1\r\nhost: x\r\nauthorization: ${basic()}\r\n`;
  socket.write(`${head}content-length: ${20 * 16 * 1024}\r\n\r\n`);
  for (let part = 0; part < 20; part += 1) {
    socket.write('x'.repeat(16 * 1024));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  socket.resume();
  expect(await received).toMatch(/^HTTP\/1.1 413 /);
});

test('a request that expects 100-continue is told to send its body', async () => {
  const { url } = await startTestAgent();
  const head = `DELETE /delete-user HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nauthorization: `;
  const taken = openSocket(url);
  taken.socket.write(`${head}${basic()}\r\nconnection: close\r\ncontent-length: 18\r\n\r\n`);
  taken.socket.once('data', () => taken.socket.write('{"username":"bob"}'));
  expect(await taken.received).toMatch(/^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 404 /);
});

test('slow and broken requests are answered and cut off', async () => {
  const { url } = await startTestAgent({ requestTimeoutMs: 500 });
  const [slowHead, slowBody, silent, broken] = [1, 2, 3, 4].map(() => openSocket(url));
  slowHead!.socket.write('GET /health HTTP/1.1\r\nhost: x\r\n');
  const head = `POST /add-user HTTP/1.1\r\nhost: x\r\nauthorization: ${basic()}`;
  slowBody!.socket.write(`${head}\r\ncontent-length: 100\r\n\r\n{`);
  broken!.socket.write('NONSENSE\r\n\r\n');
  expect(await slowHead!.received).toMatch(/^HTTP\/1.1 408 /);
  expect(await slowBody!.received).toMatch(/^HTTP\/1.1 408 /);
  expect(await broken!.received).toMatch(/^HTTP\/1.1 400 /);
  await silent!.received;
});

test('each request is one log line, without anything secret', async () => {
  const lines: Record<string, unknown>[] = [];
  const {
    call: ask,
    add,
    edit,
    close,
    url,
  } = await startTestAgent({ log: (line) => lines.push(line) });
  await add('logged-name', 'hidden-1');
  await edit({ username: 'logged-name', newPassword: 'hidden-2' });
  await ask('GET', '/?token=hidden-3');
  await call(url, 'GET', '/', undefined, basic('x', 'hidden-4'));
  const absolute = openSocket(url);
  absolute.socket.end(
    'GET http://u:hidden-5@h/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  );
  await absolute.received;
  await close();
  const requests = lines.map(({ method, path, status }) => [method, path, status]);
  expect(requests).toEqual([
    ['POST', '/add-user', 201],
    ['PUT', '/edit-user', 200],
    ['GET', '/', 200],
    ['GET', '/', 401],
    ['GET', '/health', 200],
  ]);
  expect(lines.every(({ ms }) => Number.isInteger(ms))).toBe(true);
  expect(JSON.stringify(lines)).not.toMatch(/hidden|geheim|Basic/);
});
