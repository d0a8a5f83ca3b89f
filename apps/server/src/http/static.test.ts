import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../testing/panel.ts';
import { sendRaw } from '../testing/wire/raw.ts';

const DIST = join(import.meta.dirname, '../../../web/dist');

let panel: TestPanel;
let script: string;
let font: string;
beforeAll(async () => {
  panel = await startTestPanel();
  const assets = await readdir(join(DIST, 'assets'));
  script = `/assets/${assets.find((name) => name.startsWith('entry-') && name.endsWith('.js'))}`;
  font = `/assets/${assets.find((name) => name.endsWith('.woff2'))}`;
});

const get = (path: string, headers = {}, method = 'GET') =>
  sendRaw(panel.url, { path, headers, method });

describe('a file of the web app', () => {
  test.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
    ['gzip', 'br;q=0, gzip;q=0.5', gunzipSync],
    [undefined, 'identity', (bytes: Buffer) => bytes],
    [undefined, '', (bytes: Buffer) => bytes],
  ])('comes as %s to who takes "%s"', async (encoding, accepted, unpack) => {
    const reply = await get(script, { 'accept-encoding': accepted });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
      'content-length': String(reply.bytes.length),
    });
    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(unpack(reply.bytes)).toEqual(await readFile(join(DIST, script)));
  });

  test('that is packed by its nature comes as it is', async () => {
    const reply = await get(font, { 'accept-encoding': 'br, gzip' });
    expect(reply.headers['content-type']).toBe('font/woff2');
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.bytes).toEqual(await readFile(join(DIST, font)));
  });

  test('that the browser has already is not sent again', async () => {
    const packed = { 'accept-encoding': 'br' };
    const { etag } = (await get('/', packed)).headers;
    for (const known of [etag, `"another", W/${etag}`]) {
      const reply = await get('/', { ...packed, 'if-none-match': known });
      expect([reply.status, reply.bytes.length]).toEqual([304, 0]);
      expect(reply.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
    }
    expect((await get('/', { ...packed, 'if-none-match': '"another"' })).status).toBe(200);
    // Each encoding has its own ETag.
    const unpacked = (await get(script)).headers.etag;
    expect((await get(script, packed)).headers.etag).not.toBe(unpacked);
  });

  test('tells HEAD what GET would bring', async () => {
    const whole = await get(script, { 'accept-encoding': 'br' });
    const head = await get(script, { 'accept-encoding': 'br' }, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'content-encoding', 'etag', 'vary']) {
      expect(head.headers[name], name).toBe(whole.headers[name]);
    }
  });
});

describe('an address', () => {
  test('/robots.txt tells robots to stay away: a panel is private', async () => {
    const reply = await sendRaw(panel.url, { path: '/robots.txt' });
    expect(reply).toMatchObject({ status: 200, text: 'User-agent: *\nDisallow: /\n' });
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test.each([
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/files.json', 'application/json; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['/icons/icon-192.png', 'image/png'],
  ])('that says what can be installed and kept is asked for each time: %s', async (path, type) => {
    const reply = await sendRaw(panel.url, { path });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' });
  });

  test.each([
    '/favicon.ico',
    '/sitemap.xml',
    '/.well-known/security.txt',
    '/.env',
    '/.vite/manifest.json',
    '/.stamp',
    '/wp-login.php',
    '/index.html.br',
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/nothing.js',
  ])('of a file that is none is missed, not answered with a page: %s', async (path) => {
    const reply = await sendRaw(panel.url, { path, headers: { accept: '*/*' } });
    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('that somebody typed wrongly shows the web app’s own page, and is missed all the same', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const reply = await sendRaw(panel.url, { path: '/nowhere/at-all.html', headers: { accept } });
    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain('<div id="root">');
    const script = await sendRaw(panel.url, { path: '/assets/none.js', headers: { accept } });
    expect(JSON.parse(script.text)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([
    '/users/all?q=a.b&expiry=01.02.2027',
    `/users/edit/${crypto.randomUUID()}`,
    '/no-such-screen',
    '/apiary',
    '/sign-in?to=/.//x',
  ])('of a screen, or of none, is the router’s to show: %s', async (path) => {
    const reply = await sendRaw(panel.url, { path });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});
