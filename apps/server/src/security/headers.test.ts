import { readdir } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../testing/panel.ts';
import { JSON_TYPE, type RawRequest, sendRaw } from '../testing/wire/raw.ts';
import { openStream } from '../testing/wire/streams.ts';

const ASSETS = join(import.meta.dirname, '../../../web/dist/assets');

let plain: TestPanel;
let secure: TestPanel;
beforeAll(async () => {
  plain = await startTestPanel();
  secure = await startTestPanel('postgres', { PUBLIC_URL: 'https://panel.example' });
});
afterAll(async () => {
  await plain?.stop();
  await secure?.stop();
});

const PANEL_POLICY = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'worker-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

function readPolicy({ 'content-security-policy': policy }: IncomingHttpHeaders) {
  return Object.fromEntries(
    String(policy)
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name, ...values]) => [name, values]),
  );
}

function expectGuarded(headers: IncomingHttpHeaders, isHttps: boolean): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(headers['x-powered-by']).toBeUndefined();
  expect(headers.server).toBeUndefined();
  const hsts = headers['strict-transport-security'];
  if (isHttps) expect(hsts).toMatch(/^max-age=(\d{8,})/);
  else expect(hsts).toBeUndefined();
}

const requests: [name: string, status: number, request: RawRequest, isAnonymous?: boolean][] = [
  ['an account', 200, { path: '/api/me' }],
  ['a list', 200, { path: '/api/lines' }],
  ['nobody', 401, { path: '/api/me' }, true],
  ['an unknown call', 404, { path: '/api/nothing' }],
  ['an unknown row', 404, { path: `/api/lines/${crypto.randomUUID()}` }],
  ['a malformed id', 422, { path: '/api/lines/1' }],
  ['an id of 8,000 letters', 422, { path: `/api/lines/${'a'.repeat(8000)}` }],
  ['an address that cannot be decoded', 404, { path: '/api/lines/%zz' }],
  ['another site', 403, { method: 'POST', path: '/api/auth/sign-out', headers: { origin: 'x' } }],
  ['no JSON', 400, { method: 'POST', path: '/api/lines', headers: JSON_TYPE, body: '{' }],
  [
    'too much',
    413,
    { method: 'POST', path: '/api/lines', headers: JSON_TYPE, body: ' '.repeat(3e5) },
  ],
  ['a method that is none', 404, { method: 'PUT', path: '/api/lines' }],
  ['OPTIONS', 404, { method: 'OPTIONS', path: '/api/lines' }],
  ['HEAD', 200, { method: 'HEAD', path: '/api/lines' }],
];

const pages: [name: string, status: number, path: string][] = [
  ['the first page', 200, '/'],
  ['a screen', 200, '/users/all'],
  ['a file that is none', 404, '/assets/nothing.js'],
  ['health', 200, '/health'],
  ['readiness', 200, '/ready'],
  ['metrics', 200, '/metrics'],
  ['the favicon', 200, '/favicon.svg'],
  ['what robots may read', 200, '/robots.txt'],
  ['a well-known file that is none', 404, '/.well-known/security.txt'],
];

describe.each([
  ['http', () => plain],
  ['https', () => secure],
] as const)('over %s', (scheme, panelOf) => {
  const send = (request: RawRequest, isAnonymous = false) => {
    const { url, admin } = panelOf();
    const cookie = isAnonymous ? {} : { cookie: admin.cookie };
    return sendRaw(url, { ...request, headers: { ...cookie, ...request.headers } });
  };

  test.each(requests)(
    'the API’s answer to %s is guarded and kept by no cache',
    async (_, status, request, isAnonymous) => {
      const reply = await send(request, isAnonymous);
      expect(reply.status).toBe(status);
      expectGuarded(reply.headers, scheme === 'https');
      expect(readPolicy(reply.headers)).toEqual(PANEL_POLICY);
      expect(reply.headers['cache-control']).toBe('no-store');
      if (request.method !== 'HEAD') {
        expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      }
      if (status >= 400) {
        expect(Object.keys(JSON.parse(reply.text))).toEqual(
          expect.arrayContaining(['code', 'message', 'data']),
        );
      }
    },
  );

  test.each(pages)('%s is guarded', { tags: ['spec:7.45'] }, async (_, status, path) => {
    const reply = await send({ path });
    expect(reply.status).toBe(status);
    expectGuarded(reply.headers, scheme === 'https');
    expect(readPolicy(reply.headers)).toEqual(PANEL_POLICY);
  });

  test('an event stream is guarded', async () => {
    const stream = await openStream(panelOf().admin);
    const headers = stream.headers as IncomingHttpHeaders;
    expectGuarded(headers, scheme === 'https');
    expect(readPolicy(headers)).toEqual(PANEL_POLICY);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-encoding']).toBeUndefined();
    stream.close();
  });

  test('the documentation works under a policy of its own, which lets in no other host', async () => {
    const page = await send({ path: '/api/docs/' });
    expect(page.status).toBe(200);
    expectGuarded(page.headers, scheme === 'https');
    const policy = readPolicy(page.headers);
    expect(policy).toMatchObject({
      'default-src': ["'self'"],
      'script-src': ["'self'", "'unsafe-inline'"],
      'connect-src': ["'self'"],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    });
    expect(JSON.stringify(policy)).not.toMatch(/https?:|\*|unsafe-eval/);
    const [, script] = /<script[^>]+src="([^"]+)"/.exec(page.text) ?? [];
    expect(new URL(script ?? '', `${panelOf().url}/api/docs/`).origin).toBe(panelOf().url);
    const path = new URL(script ?? '', `${panelOf().url}/api/docs/`).pathname;
    const code = await send({ path });
    expect([code.status, code.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('javascript'),
    ]);
    expect((await send({ path: '/api/openapi.json' })).status).toBe(200);
  });
});

test('files named by their content are kept for good, the page that names them is not', async () => {
  const file = (await readdir(ASSETS)).find((name) => name.endsWith('.js'));
  const asset = await sendRaw(plain.url, { path: `/assets/${file}` });
  expect(asset.status).toBe(200);
  expectGuarded(asset.headers, false);
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const page = await sendRaw(plain.url, { path: '/' });
  expect(page.headers['cache-control']).toBe('no-cache');
  expect(page.text).not.toMatch(/<script>[^<]|<script(?![^>]*src=)|onload=|https?:\/\/(?!www\.w3)/);
});

test('with an https address the cookie is bound to this host and sent over https only', async () => {
  const client = secure.anonymous();
  const { admin } = secure;
  expect(admin.cookie).toMatch(/^__Host-linekeeper\.session=/);
  const reply = await client.signIn(secure.env.ADMIN_EMAIL ?? '', secure.env.ADMIN_PASSWORD ?? '');
  const [cookie = ''] = reply.headers.getSetCookie();
  const attributes = cookie
    .split('; ')
    .slice(1)
    .map((one) => one.toLowerCase());
  expect(attributes.sort()).toEqual([
    'httponly',
    'max-age=604800',
    'path=/',
    'samesite=lax',
    'secure',
  ]);
  const renamed = client.cookie.replace('__Host-', '');
  const { status } = await sendRaw(secure.url, { path: '/api/me', headers: { cookie: renamed } });
  expect(status).toBe(401);
  const signedOut = await client.post('/api/auth/sign-out', undefined, {
    origin: 'https://panel.example',
  });
  expect(signedOut.status).toBe(200);
  expect(signedOut.headers.getSetCookie()[0]).toMatch(
    /^__Host-linekeeper\.session=; Max-Age=0; Path=\/; .*Secure$/,
  );
});
