// @module-tag thorough
import { isMutation } from '@linekeeper/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesBetween, readRows } from '../testing/database/changes.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { sendRaw } from '../testing/wire/raw.ts';
import { sample, samplePath } from '../testing/world/samples.ts';
import { makeWorld, type World } from '../testing/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

const NUMBERS = ['limit', 'expires_within', 'expired_for', 'hours'];
const numbers = endpoints.flatMap((endpoint) =>
  NUMBERS.filter((field) => endpoint.query && field in endpoint.query.shape).map((field) => ({
    endpoint,
    field,
    path: endpoint.path,
  })),
);

describe('a number in a query', () => {
  test('stands in lists, filters and the history of a server', () => {
    expect(new Set(numbers.map(({ field }) => field))).toEqual(new Set(NUMBERS));
  });

  test.each(numbers)('$field of $path is digits and nothing else', async ({ endpoint, field }) => {
    const { client, own } = world.people.admin;
    const ask = (text: string) => client.get(`${samplePath(endpoint, own)}?${field}=${text}`);
    for (const text of [
      '',
      '%20',
      '0x10',
      '1e1',
      '%205',
      '5%20',
      '5.0',
      '%2B5',
      '-0',
      '٥',
      '5,0',
    ]) {
      const { status, body } = await ask(text);
      expect([status, body.fields], text).toEqual([422, { [field]: 'Invalid value' }]);
    }
    expect((await ask('5')).status).toBe(200);
  });
});

// The only call that accepts a file accepts no JSON.
const takingJson = endpoints.filter((endpoint) => isMutation(endpoint) && !endpoint.takesFile);
describe.each(takingJson)('the body of $name', (endpoint) => {
  async function send(contentType: string, body?: string) {
    const { panel, people } = world;
    await panel.services.db.deleteFrom('rate_limits').execute();
    const before = await readRows(panel.services.db);
    const { headers, ...request } = sample(endpoint, people.admin.own, people.admin);
    const reply = await sendRaw(panel.url, {
      ...request,
      headers: { ...headers, cookie: people.admin.client.cookie, 'content-type': contentType },
      body: body ?? String(request.body ?? '{}'),
    });
    expect(changesBetween(before, await readRows(panel.services.db))).toEqual([]);
    return { status: reply.status, code: JSON.parse(reply.text).code };
  }

  test('is refused in any other encoding than UTF-8', async () => {
    for (const charset of ['iso-8859-1', '"UTF-16"', 'utf-7']) {
      const refused = await send(`application/json; charset=${charset}`);
      expect(refused).toEqual({ status: 400, code: 'NOT_JSON' });
    }
  });

  if (!endpoint.body) return;

  test('is not null', async () => {
    expect((await send('application/json; charset=utf-8', 'null')).status).toBe(422);
  });
});
