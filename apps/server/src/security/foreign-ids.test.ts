import { type Endpoint, isMutation } from '@linekeeper/contract/endpoint.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { dumpWithoutJobs } from '../testing/database/dump.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { JSON_TYPE, sendRaw } from '../testing/wire/raw.ts';
import { resourceOf, sampleBody, samplePath, sendSample } from '../testing/world/samples.ts';
import { makeWorld, type Targets, type World } from '../testing/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

/** The kind of row that a field of a body or query names. */
const namedBy: Record<string, keyof Targets | 'group'> = {
  id: 'account',
  owner_id: 'account',
  account_id: 'account',
  recipient_id: 'account',
  line_id: 'line',
  line_ids: 'line',
  server_id: 'server',
  to_server_id: 'server',
  user_id: 'account',
  code_id: 'redeem_code',
  group_id: 'group',
  package_id: 'credit_package',
  plan_id: 'plan',
  plan_ids: 'plan',
  assigned_to: 'account',
  price_list_id: 'price_list',
  attachment_ids: 'attachment',
  bundle_id: 'transfer',
};

const named = (field: string) => field === 'id' || field === 'assigned_to' || /_ids?$/.test(field);

/** For a union, the member that the sample uses. */
function formOf(endpoint: Endpoint): z.ZodType | undefined {
  const { body } = endpoint;
  if (!(body instanceof z.ZodDiscriminatedUnion)) return body;
  const given = sampleBody(endpoint, world.people.alpha.own, world.people.alpha);
  return (body.options as z.ZodType[]).find((form) => form.safeParse(given).success);
}

function idFields(schema: z.ZodType | undefined): string[] {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const fields = Object.keys(shape).filter(named);
  for (const field of fields) {
    if (!namedBy[field]) throw new Error(`Say in this test what the field ${field} names`);
  }
  return fields;
}

/** The foreign id in the form that the field accepts. */
function foreignIn(field: string): string | string[] {
  return field.endsWith('_ids') ? [foreignValue(field)] : foreignValue(field);
}

/**
 * Ids of beta's rows; a server that does not exist, because servers have no owner; the
 * administrators' group.
 */
function foreignValue(field: string): string {
  const kind = namedBy[field] ?? 'account';
  if (kind === 'group') return '1';
  // Rows of these kinds belong to no account.
  if (kind === 'server' || kind === 'credit_package' || kind === 'plan') return world.missing[kind];
  return world.people.beta.own[kind];
}

const forResellers = () =>
  endpoints.filter(({ access }) => access !== 'public' && can(world.people.alpha, access));

async function expectNoEffect(work: () => Promise<unknown>): Promise<void> {
  const { db } = world.panel.services;
  const before = await dumpWithoutJobs(db);
  await work();
  expect(await dumpWithoutJobs(db)).toEqual(before);
}

test('a foreign id in the path has no effect and is not found', async () => {
  const { panel, people } = world;
  const withIds = forResellers().filter((endpoint) => {
    const resource = resourceOf(endpoint);
    // Articles belong to nobody.
    return resource && resource !== 'article';
  });
  expect(withIds.length).toBeGreaterThan(4);
  await expectNoEffect(async () => {
    for (const endpoint of withIds) {
      const { status } = await sendSample(panel.url, endpoint, people.beta.own, people.alpha);
      expect(status, endpoint.name).toBe(404);
    }
  });
});

test('a foreign id in a body is refused and has no effect', async () => {
  const { people } = world;
  const { own, client } = people.alpha;
  const cases = forResellers().flatMap((endpoint) =>
    idFields(formOf(endpoint)).map((field) => ({ endpoint, field })),
  );
  expect(cases.map(({ endpoint, field }) => `${endpoint.name} ${field}`).sort()).toEqual([
    'changePlan plan_id',
    'changePlan server_id',
    'checkLineName line_id',
    'checkLineName server_id',
    'createAccount group_id',
    'createActivationCodes plan_id',
    'createLine owner_id',
    'createLine plan_id',
    'createLine server_id',
    'createTicket attachment_ids',
    'createTicket line_id',
    'createTicketReply attachment_ids',
    'editAccount group_id',
    'editAccount owner_id',
    'editAccount price_list_id',
    'editLine owner_id',
    'editLine plan_id',
    'editLine server_id',
    'editTicket assigned_to',
    'markTold line_ids',
    'orderTopUp package_id',
    'quoteLine line_id',
    'setLimits plan_ids',
  ]);
  await expectNoEffect(async () => {
    for (const { endpoint, field } of cases) {
      const body = { ...sampleBody(endpoint, own, people.alpha), [field]: foreignIn(field) };
      const send = (headers: Record<string, string>) =>
        client.send(endpoint.method, samplePath(endpoint, own), body, headers);
      if (endpoint.name === 'markTold') {
        // Lines that no longer exist are left out, and so are the lines of others. With a key, the
        // reply would be stored.
        const reply = await send({});
        expect([reply.status, reply.body]).toEqual([200, { told: 0 }]);
        continue;
      }
      const reply = await send({ 'idempotency-key': crypto.randomUUID() });
      expect([404, 422], `${endpoint.name} ${field}: ${reply.status}`).toContain(reply.status);
    }
  });
});

test('a foreign id as a filter finds nothing', async () => {
  const { people } = world;
  const { client } = people.alpha;
  const reading = forResellers().filter(({ method }) => method === 'GET');
  const cases = reading.flatMap((endpoint) =>
    idFields(endpoint.query).map((field) => ({ endpoint, field })),
  );
  expect(cases.length).toBeGreaterThan(2);
  for (const { endpoint, field } of cases) {
    const path = samplePath(endpoint, people.alpha.own);
    const { status, body } = await client.get(`${path}?${field}=${foreignValue(field)}`);
    // The field names the account whose prices are requested, as a path would.
    if (endpoint.name === 'listPrices') {
      if (field === 'plan_id') {
        expect([status, body]).toEqual([200, []]);
        continue;
      }
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
      continue;
    }
    if ('contentType' in endpoint) {
      // A file without rows has a header only.
      expect([status, body.trim().split('\n').length], endpoint.name).toEqual([200, 1]);
      continue;
    }
    // The reply counts customers to notify by their lines.
    const total = endpoint.name === 'jobCustomers' ? body.lines : body.total;
    expect([status, body.items, total], `${endpoint.name} ${field}`).toEqual([200, [], 0]);
  }
});

test('a cursor and a search of the other tree stay within the own one', async () => {
  const { people } = world;
  const { alpha, beta, admin } = people;
  const foreign = await admin.client.get('/api/lines?limit=1&sort=username');
  const path = `/api/lines?sort=username&cursor=${foreign.body.next_cursor}`;
  const seen = [
    await alpha.client.get(path),
    await alpha.client.get('/api/lines?q=by-beta'),
    await alpha.client.get('/api/lines?q=by'),
    await alpha.client.get(`/api/accounts?q=${beta.email}`),
    await alpha.client.get('/api/lines/csv'),
    await alpha.client.get('/api/lines/counts/choices'),
    await alpha.client.get('/api/lines/counts'),
  ];
  for (const { status, body } of seen) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toMatch(/\bby-(?!alpha)/);
    expect(JSON.stringify(body)).not.toContain(beta.id);
  }
  expect(seen.at(-1)?.body.all).toBe(1);
});

test('an Idempotency-Key used by another account is still unused for one’s own', async () => {
  const { panel, people } = world;
  const key = { 'idempotency-key': 'the same for everybody' };
  const create = endpoints.find(({ name }) => name === 'createLine') as Endpoint;
  const sell = async (person: typeof people.alpha) => {
    const body = sampleBody(create, person.own, person);
    return { body, reply: await person.client.post(create.path, body, key) };
  };
  const first = await sell(people.alpha);
  const second = await sell(people.beta);
  expect([first.reply.status, second.reply.status]).toEqual([201, 201]);
  expect(second.reply.headers.has('idempotency-replayed')).toBe(false);
  expect(second.reply.body.line).toMatchObject({
    username: second.body?.username,
    owner_id: people.beta.id,
  });
  // With another account's session the key reveals nothing.
  const headers = { ...JSON_TYPE, ...key };
  const body = JSON.stringify(first.body);
  const anonymous = await sendRaw(panel.url, { method: 'POST', path: create.path, headers, body });
  expect(anonymous.status).toBe(401);
});

test('every mutation of the contract that names a row is covered here or for administrators only', () => {
  for (const endpoint of endpoints.filter(isMutation)) {
    expect(() => idFields(endpoint.body)).not.toThrow();
    expect(() => resourceOf(endpoint)).not.toThrow();
  }
});
