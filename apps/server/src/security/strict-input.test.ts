// @module-tag thorough
import { type Endpoint, isMutation } from '@linekeeper/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { changesBetween, readRows } from '../testing/database/changes.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { JSON_TYPE, sendRaw } from '../testing/wire/raw.ts';
import { sampleBody, samplePath, successStatus } from '../testing/world/samples.ts';
import { makeWorld, type World } from '../testing/world/world.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

interface Sent {
  query?: string;
  body?: unknown;
  /** The raw body. */
  text?: string | undefined;
}

/** Sends as an administrator, who is refused only for invalid input. */
async function send(endpoint: Endpoint, { query = '', body, text = JSON.stringify(body) }: Sent) {
  const { panel, people } = world;
  const reply = await sendRaw(panel.url, {
    method: endpoint.method,
    path: samplePath(endpoint, people.admin.own) + query,
    headers: {
      ...(text === undefined ? {} : JSON_TYPE),
      cookie: people.admin.client.cookie,
      'idempotency-key': crypto.randomUUID(),
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const isJson = reply.text.startsWith('{');
  return { status: reply.status, body: isJson ? JSON.parse(reply.text) : {} };
}

const sound = (endpoint: Endpoint) => {
  const { admin } = world.people;
  return sampleBody(endpoint, admin.own, admin);
};

/** The request must be refused with the field's name, without any change. */
async function expectUnknown(endpoint: Endpoint, sent: Sent, field: string): Promise<void> {
  const { db } = world.panel.services;
  await db.deleteFrom('rate_limits').execute();
  const before = await readRows(db);
  const { status, body } = await send(endpoint, sent);
  expect([status, body.fields], field).toEqual([422, { [field]: 'Unknown field' }]);
  expect(body.data.field_codes).toEqual({ [field]: 'UNKNOWN_FIELD' });
  // Each minute, a session stores that it was used.
  const changes = changesBetween(before, await readRows(db));
  expect(changes.filter((change) => !/^update auth_sessions .*last_used_at/.test(change))).toEqual(
    [],
  );
}

const MISSPELT = 'subscription_month';

describe.each(endpoints)('$name', (endpoint) => {
  test('refuses a parameter it does not know', async () => {
    for (const name of [MISSPELT, 'forse', 'a[b]', '__proto__x']) {
      const query = `?${encodeURIComponent(name)}=1`;
      const body = sound(endpoint);
      await expectUnknown(endpoint, { query, body }, name);
    }
  });

  // Uploads are left out: the fields that come with their file have separate tests.
  if (!isMutation(endpoint) || endpoint.takesFile) return;

  test('refuses a field it does not know', async () => {
    await expectUnknown(endpoint, { body: { ...sound(endpoint), [MISSPELT]: 1 } }, MISSPELT);
  });

  if (endpoint.body) return;

  test('takes no body, except an empty one', async () => {
    for (const body of [[], [1], 'text', 7, true]) {
      expect((await send(endpoint, { body })).status).toBe(422);
    }
    // These would end the session or delete rows that the other tests need.
    if (endpoint.method === 'DELETE' || endpoint.name === 'signOut') return;
    for (const body of [{}, null]) {
      await world.panel.services.db.deleteFrom('rate_limits').execute();
      expect([successStatus(endpoint), 409]).toContain((await send(endpoint, { body })).status);
    }
  });
});

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: unknown;
}

/** All objects of a schema with their paths. */
function objectsIn(schema: Schema, path: string): { path: string; schema: Schema }[] {
  const here = schema.type === 'object' ? [{ path, schema }] : [];
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => ({
      one,
      at: `${path}.${name}`,
    })),
    ...(schema.items ? [{ one: schema.items, at: `${path}[]` }] : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((one) => ({ one, at: path })),
  ];
  return [...here, ...inner.flatMap(({ one, at }) => objectsIn(one, at))];
}

test('no object of any body or query is open, however deep', () => {
  const open = endpoints.flatMap(({ name, body, query }) =>
    [body, query].flatMap((schema) => {
      if (!schema) return [];
      const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
      return objectsIn(described, name)
        .filter((found) => found.schema.additionalProperties !== false)
        .map(({ path }) => path);
    }),
  );
  // Import rows have the columns of a file, each of which is validated alone. Choices have the
  // values of those columns as keys.
  expect(open).toEqual(['bulkLines.rows[]', 'bulkLines.states']);
});

describe('a nested object', () => {
  const call = (name: string) => endpoints.find((one) => one.name === name) as Endpoint;

  test.each([
    ['testCall', { call: 'health', arguments: { user: 'x' } }, 'arguments.user'],
    ['testCall', { call: 'health', configuration: { hostip: 'x' } }, 'configuration.hostip'],
    [
      'editPreferences',
      { lists: { lines: { views: [{ name: 'a', search: {}, colour: 'red' }] } } },
      'lists.lines.views.0.colour',
    ],
    [
      'editPreferences',
      { lists: { lines: { views: [{ name: 'a', search: { to: 'x' } }] } } },
      'lists.lines.views.0.search.to',
    ],
    ['editLine', { status: [{ label: 'active', icon: 'x' }] }, 'status.0.icon'],
    ['bulkLines', { action: 'delete', filter: { statu: 'expired' } }, 'filter.statu'],
    ['bulkLines', { action: 'renew', ids: [], month: 1, subscription_months: 1 }, 'month'],
  ])('of %s takes no field it does not know: %j', async (name, given, field) => {
    const { db } = world.panel.services;
    const before = await readRows(db);
    const { status, body } = await send(call(name), { body: given });
    expect([status, body.data.field_codes[field]]).toEqual([422, 'UNKNOWN_FIELD']);
    expect(changesBetween(before, await readRows(db))).toEqual([]);
  });

  test('a status takes its own colour back, and no other', async () => {
    const edit = call('editLine');
    const status = (color: string) => send(edit, { body: { status: [{ label: 'vip', color }] } });
    expect((await status('info')).status).toBe(200);
    expect((await status('error')).body.fields).toEqual({ 'status.0.color': 'Invalid value' });
  });

  test('a row of a file with a column that means nothing says so', async () => {
    const row = { username: 'column', password: 'pw', subscription_months: '1' };
    const rows = [
      { ...row, seller: 'x' },
      {
        ...row,
        username: 'others',
        added_date: '01-01-2026',
        owner_email: world.people.admin.email,
      },
    ];
    const { body } = await send(call('bulkLines'), {
      body: { action: 'import', preview: true, rows },
    });
    expect(body.job.items.map(({ error }: { error: unknown }) => error)).toMatchObject([
      { field: 'seller', code: 'UNKNOWN_FIELD' },
      null,
    ]);
  });
});

describe('depth', () => {
  /** The JSON is written as text, because JSON.stringify would overflow the stack too. */
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  const tooDeep = {
    code: 'TOO_DEEP',
    message: 'The request is nested too deeply: at most 32 levels',
  };

  test.each(endpoints.filter((one) => isMutation(one) && !one.takesFile))(
    '$name refuses what is nested too deeply',
    async (endpoint) => {
      const { db } = world.panel.services;
      await db.deleteFrom('rate_limits').execute();
      const before = await readRows(db);
      const rest = JSON.stringify(sound(endpoint) ?? {}).slice(1);
      const comma = rest === '}' ? '' : ',';
      for (const levels of [32, 5000]) {
        const text = `{"${MISSPELT}":${nested(levels)}${comma}${rest}`;
        const { status, body } = await send(endpoint, { text });
        expect([status, body]).toMatchObject([422, tooDeep]);
      }
      expect(changesBetween(before, await readRows(db))).toEqual([]);
    },
  );

  test('a row of a file of 5,000 levels is refused, to look at and to import', async () => {
    const bulk = endpoints.find(({ name }) => name === 'bulkLines') as Endpoint;
    const importing = (preview: boolean, cell: string) =>
      send(bulk, {
        text: `{"action":"import","preview":${preview},"rows":[
          {"username":"deep","password":"pw","notes":${cell}}]}`,
      });
    for (const preview of [true, false]) {
      for (const levels of [30, 5000]) {
        expect(await importing(preview, nested(levels))).toMatchObject({
          status: 422,
          body: tooDeep,
        });
      }
    }
    const { status, body } = await importing(true, nested(29));
    expect([status, body.job.items[0].error.field]).toEqual([200, 'notes']);
  });
});
