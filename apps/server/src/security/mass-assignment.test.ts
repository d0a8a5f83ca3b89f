// @module-tag thorough
import { type Endpoint, isMutation } from '@linekeeper/contract/endpoint.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { changesBetween, readRows } from '../testing/database/changes.ts';
import { dumpWithoutJobs } from '../testing/database/dump.ts';
import { endpoints } from '../testing/wire/endpoints.ts';
import { JSON_TYPE, type RawReply, sendRaw } from '../testing/wire/raw.ts';
import { sampleBody, samplePath } from '../testing/world/samples.ts';
import { type ActorName, makeWorld, type World } from '../testing/world/world.ts';

let world: World;
/** Unknown fields that a reply lists, at most. */
const MOST_UNKNOWN_FIELDS = 50;

let hostile: Record<string, unknown> = {};
beforeAll(async () => {
  world = await makeWorld();
  hostile = await everyColumn();
});
afterAll(() => world?.stop());

const writes = endpoints.filter((endpoint) => isMutation(endpoint) && endpoint.body);

/** Every column of the important tables, with a value that an attacker would want. */
async function everyColumn(): Promise<Record<string, unknown>> {
  const { panel, people } = world;
  const { rows } = await sql<{ name: string; type: string }>`
    select distinct column_name as name, data_type as type from information_schema.columns
      where table_name in ('auth_users', 'users', 'cccam_servers', 'credit_transfers',
        'auth_credentials', 'auth_sessions', 'server_accounts')`.execute(panel.services.db);
  const values: Record<string, unknown> = {
    boolean: true,
    uuid: people.beta.id,
    bigint: 999_999,
    integer: 999,
    date: '2099-01-01',
    'timestamp with time zone': '2099-01-01T00:00:00Z',
    jsonb: [{ label: 'stolen', color: 'success' }],
    ARRAY: ['stolen'],
    text: 'stolen',
  };
  const columns = Object.fromEntries(rows.map(({ name, type }) => [name, values[type]]));
  return {
    ...columns,
    group_id: '1',
    permissions: ['manage_users'],
    cost: 0,
    user_metadata: { is_admin: true, credits: 999_999 },
    app_metadata: { is_admin: true },
  };
}

function declaredFields({ body }: Endpoint): string[] {
  const options = body instanceof z.ZodDiscriminatedUnion ? body.options : [body];
  return options.flatMap((option) => Object.keys((option as z.ZodObject).shape));
}

/** Columns that the endpoint does not declare. */
function undeclared(endpoint: Endpoint): Record<string, unknown> {
  const declared = new Set(declaredFields(endpoint));
  return Object.fromEntries(Object.entries(hostile).filter(([name]) => !declared.has(name)));
}

async function send(endpoint: Endpoint, actor: ActorName, body: string): Promise<RawReply> {
  const { panel, people } = world;
  const { client, own } = people[actor];
  return sendRaw(panel.url, {
    method: endpoint.method,
    path: samplePath(endpoint, own),
    headers: { ...JSON_TYPE, cookie: client.cookie, 'idempotency-key': crypto.randomUUID() },
    body,
  });
}

describe.each(['user', 'alpha', 'admin'] as const)('written by %s', (actor) => {
  const allowed = () =>
    writes.filter(({ access }) => can(world.people[actor], access)).map(({ name }) => name);

  test.each(writes.map(({ name }) => name))(
    '%s refuses every column it does not declare, by its name',
    { tags: ['spec:7.21'] },
    async (name) => {
      if (!allowed().includes(name)) return;
      const endpoint = writes.find((one) => one.name === name) as Endpoint;
      const { db } = world.panel.services;
      await db.deleteFrom('rate_limits').execute();
      const who = world.people[actor];
      const sound = sampleBody(endpoint, who.own, who);
      const extra = undeclared(endpoint);
      expect(Object.keys(extra).length).toBeGreaterThan(20);
      const before = await readRows(db);
      const names = [...Object.keys(extra), 'prototype'];
      for (let at = 0; at < names.length; at += MOST_UNKNOWN_FIELDS) {
        const some = names.slice(at, at + MOST_UNKNOWN_FIELDS);
        const unknown = Object.fromEntries(some.map((name) => [name, hostile[name] ?? {}]));
        const body = JSON.stringify({ ...sound, ...unknown });
        const { status, text } = await send(endpoint, actor, body);
        expect(status).toBe(422);
        expect(Object.keys(JSON.parse(text).fields).sort()).toEqual(some.sort());
      }
      expect(changesBetween(before, await readRows(db))).toEqual([]);
    },
  );
});

const polluted = [
  '"__proto__":{"is_admin":true,"group_id":"1","credits":999999}',
  '"constructor":{"prototype":{"is_admin":true}}',
  '"\\u005f_proto__":{"is_admin":true}',
];

test('a body that reaches for the prototype is refused and changes nothing', async () => {
  const before = await dumpWithoutJobs(world.panel.services.db);
  for (const endpoint of writes) {
    for (const part of polluted) {
      const body = `{${part},"email":"a@b.example"}`;
      const { status } = await send(endpoint, 'admin', body);
      expect([400, 422], `${endpoint.name} ${part}: ${status}`).toContain(status);
      const deep = await send(endpoint, 'admin', `{"status":[{${part}}],"x":{${part}}}`);
      expect([400, 422], `${endpoint.name} deep ${part}: ${deep.status}`).toContain(deep.status);
    }
  }
  expect(await dumpWithoutJobs(world.panel.services.db)).toEqual(before);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('is_admin' in {}).toBe(false);
});

test('the comparison notices a stolen owner, role, moment and balance', async () => {
  const { panel, people } = world;
  const { db } = panel.services;
  const before = await readRows(db);
  await sql`update users set owner_id = ${people.beta.id}, created_at = '2099-01-01'
    where id = ${people.alpha.own.line}`.execute(db);
  await sql`update auth_users set group_id = '1', credits = credits + 5
    where id = ${people.alpha.id}`.execute(db);
  const changes = changesBetween(before, await readRows(db)).join();
  expect(changes).toContain(`"owner_id":"${people.beta.id}"`);
  expect(changes).toContain('"created_at":"2099-01-01T00:00:00+00:00"');
  expect(changes).toMatch(/"credits":"moved by 5".*"group_id":"1".*"is_admin":true/);
});
