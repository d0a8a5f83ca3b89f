// @module-tag thorough
import type { OutgoingHttpHeaders } from 'node:http';
import { type Endpoint, isMutation } from '@linekeeper/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpWithoutJobs } from '../testing/database/dump.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { sendRaw } from '../testing/wire/raw.ts';
import { resourceOf, sample, samplePath } from '../testing/world/samples.ts';
import { makeWorld, type World } from '../testing/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

const mutations = endpoints.filter(isMutation);
/** A reveal of a secret is written to the audit log, so it counts as an act. */
const acts = endpoints.filter((call) => isMutation(call) || call.repliesWithSecret);

/**
 * Sends every mutation as the administrator's browser would for another site's page; nothing may
 * change.
 */
async function expectAllRefused(
  change: OutgoingHttpHeaders,
  statuses: number[],
  body?: string,
  asked: readonly Endpoint[] = acts,
): Promise<void> {
  const { panel, people } = world;
  const { db } = panel.services;
  const before = await dumpWithoutJobs(db);
  for (const endpoint of asked) {
    const request = sample(endpoint, people.admin.own, people.admin);
    const reply = await sendRaw(panel.url, {
      ...request,
      headers: { ...request.headers, ...change },
      ...(body === undefined ? {} : { body }),
    });
    expect(statuses, `${endpoint.name} was answered ${reply.status}`).toContain(reply.status);
    expect(reply.headers['set-cookie']).toBeUndefined();
  }
  expect(await dumpWithoutJobs(db)).toEqual(before);
}

describe('a change asked for by another site is refused without any effect', () => {
  const own = () => world.panel.url;
  const origins: [name: string, origin: () => string][] = [
    ['another host', () => 'https://evil.example'],
    ['no origin at all', () => 'null'],
    ['another port of this host', () => own().replace(/\d+$/, '1')],
    ['a subdomain', () => own().replace('http://', 'http://evil.')],
    ['a longer name', () => `${own()}.evil.example`],
    ['credentials before the host', () => own().replace('http://', 'http://evil@')],
    ['a path after the host', () => `${own()}/evil`],
    ['no address', () => 'panel'],
    ['a file', () => 'file://'],
    ['two origins', () => `${own()} https://evil.example`],
    ['nothing', () => ''],
  ];
  test.each(origins)('Origin: %s', async (_, origin) => {
    await expectAllRefused({ origin: origin() }, [403]);
  });

  test.each(['cross-site', 'same-site', 'cross-origin', ''])('Sec-Fetch-Site: %s', async (site) => {
    await expectAllRefused({ 'sec-fetch-site': site }, [403]);
    await expectAllRefused({ 'sec-fetch-site': site, origin: own() }, [403]);
  });

  test('a proxy’s header does not make it the own site', async () => {
    const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    await expectAllRefused({ origin: 'https://evil.example', ...forwarded }, [403]);
  });
});

describe('what a form of another site can send is not taken', () => {
  const json = '{"username":"x","password":"y","email":"a@b.example","amount":5}';
  const parts = '--b\r\ncontent-disposition: form-data; name="amount"\r\n\r\n5\r\n--b--\r\n';
  const bodies: [type: string, body: string][] = [
    ['text/plain', json],
    ['application/x-www-form-urlencoded', 'username=x&password=y&amount=5'],
    ['multipart/form-data; boundary=b', parts],
    ['text/plain; application/json', json],
    ['application/xml', '<amount>5</amount>'],
    ['', json],
  ];
  test.each(bodies)('content type "%s"', async (type, body) => {
    // The call that accepts forms refuses this form because of its content.
    const statuses = type.startsWith('multipart/') ? [400, 422] : [400];
    await expectAllRefused({ 'content-type': type }, statuses, body, mutations);
  });

  test('nor a form without fields where the call has no body', async () => {
    const { panel, people } = world;
    const before = await dumpWithoutJobs(panel.services.db);
    for (const endpoint of mutations.filter((one) => !one.body)) {
      const { headers, method, path } = sample(endpoint, people.admin.own, people.admin);
      const { status } = await sendRaw(panel.url, {
        method: method ?? 'POST',
        path,
        headers: {
          ...headers,
          origin: 'https://evil.example',
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': '0',
        },
      });
      expect(status, endpoint.name).toBe(403);
    }
    expect(await dumpWithoutJobs(panel.services.db)).toEqual(before);
  });
});

test('a link or an image changes nothing: GET on the path of a change is none', async () => {
  const { panel, people } = world;
  const { own, client } = people.admin;
  const before = await dumpWithoutJobs(panel.services.db);
  const readable = endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path);
  for (const endpoint of mutations) {
    const path = `${samplePath(endpoint, own)}?_method=${endpoint.method}&amount=5&username=x`;
    const headers = { cookie: client.cookie, 'x-http-method-override': endpoint.method };
    const { status } = await sendRaw(panel.url, { path, headers });
    // The path may match a route with an id instead: "quote" is not a line's id.
    const isReadable = readable.includes(endpoint.path) || resourceOf(endpoint) === 'line';
    expect(isReadable ? [200, 404, 422] : [404, 422], endpoint.name).toContain(status);
  }
  expect(await dumpWithoutJobs(panel.services.db)).toEqual(before);
});

test('the own pages are let through: same origin, and a typed address', async () => {
  const { panel, people } = world;
  const ways: Record<string, string>[] = [
    { origin: panel.url, 'sec-fetch-site': 'same-origin' },
    { origin: panel.url },
    { 'sec-fetch-site': 'none' },
  ];
  for (const headers of ways) {
    const reply = await people.alpha.client.post('/api/lines/quote', quote, headers);
    expect(reply.status).toBe(200);
  }
});

const quote = { action: 'create', subscription_months: 1 };

test('a script that is no browser needs neither Origin nor Sec-Fetch headers', async () => {
  // This is intended: browsers send at least one of these headers with a change, and SameSite=Lax
  // also keeps the cookie from other sites' changes; a client that sends neither header is not a
  // browser.
  const { panel, people } = world;
  const reply = await sendRaw(panel.url, {
    method: 'POST',
    path: '/api/lines/quote',
    headers: { cookie: people.alpha.client.cookie, 'content-type': 'application/json' },
    body: JSON.stringify(quote),
  });
  expect(reply.status).toBe(200);
});

test('no reply lets another origin read it', async () => {
  const { panel, people } = world;
  for (const path of ['/api/me', '/api/lines', '/api/events-none', '/', '/metrics', '/api/docs']) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await sendRaw(panel.url, {
        method,
        path,
        headers: {
          cookie: people.alpha.client.cookie,
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      const granted = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
      expect(granted, `${method} ${path}`).toEqual([]);
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  }
});
