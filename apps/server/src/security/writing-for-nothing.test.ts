import { can } from '@linekeeper/contract/permissions.ts';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { startPanel } from '../commands/panel.ts';
import { MOST_ACTS_A_DAY } from '../domain/accounts/daily-limits.ts';
import { TestClient } from '../testing/client.ts';
import { requestBulk } from '../testing/jobs.ts';
import { newLine } from '../testing/lines.ts';
import type { TestAccount } from '../testing/panel.ts';
import { sendSample, successStatus } from '../testing/world/samples.ts';
import { makeWorld, type World } from '../testing/world/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

const db = () => world.panel.services.db;
const countOf = async (id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count from rate_limits where scope = 'acts-a-day' and subject = ${id}`.execute(db());
  return rows[0]?.count ?? 0;
};
const setCount = (id: string, count: number) =>
  sql`insert into rate_limits (scope, subject, count, window_ends_at)
    values ('acts-a-day', ${id}, ${count}, now() + interval '1 hour')
    on conflict (scope, subject) do update set count = excluded.count`.execute(db());
const creditsOf = async (id: string): Promise<number> => {
  const balance = db().selectFrom('auth_users').select('credits').where('id', '=', id);
  return (await balance.executeTakeFirstOrThrow()).credits;
};
const hasEntries = async (request_id: unknown) => {
  const entries = db().selectFrom('audit_log').select('id');
  const found = await entries.where('request_id', '=', String(request_id)).execute();
  return found.length > 0;
};

/** Calls that leave nothing to do for others come last. */
const last = ['deleteWebhook', 'deleteLine', 'deleteGroup', 'banAccount', 'changePassword'];
const calls = routes
  .filter(({ endpoint: { access } }) => access !== 'public' && access !== 'admin')
  .map((route) => ({ ...route, name: route.endpoint.name }))
  .toSorted((one, other) => last.indexOf(one.name) - last.indexOf(other.name));

test.each(calls)(
  '$name is paid, writes nothing, or ends when the day is used up',
  async ({ endpoint, audit }) => {
    const { people, panel } = world;
    const makers = [people.alpha, people.group_manager, people.overseer];
    const maker = makers.find((one) => can(one, endpoint.access)) ?? people.alpha;
    const { id, own } = maker;

    await setCount(id, MOST_ACTS_A_DAY);
    const credits = await creditsOf(id);
    const { status, headers, text } = await sendSample(panel.url, endpoint, own, maker);
    const isPaid = (await creditsOf(id)) < credits;
    const isUncounted = audit !== null && 'isUncounted' in audit;
    if (await hasEntries(headers['x-request-id'])) expect(isPaid || isUncounted).toBe(true);

    // A delivery changes no row, but costs the card server's time.
    const isAudited = audit !== null && !('notAudited' in audit) && !isUncounted;
    const isCounted = isAudited || endpoint.name === 'syncLine';
    if (!isCounted || isPaid) return expect(status).not.toBe(429);
    // The sample is always refused, or it is a preview.
    if (successStatus(endpoint) >= 400 || endpoint.name === 'bulkLines') return;
    expect([status, JSON.parse(text)]).toMatchObject([
      429,
      { code: 'TOO_MANY_CHANGES', data: { limit: MOST_ACTS_A_DAY } },
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
    expect(await countOf(id)).toBe(MOST_ACTS_A_DAY);
    // The same request succeeds if the limit permits one more, and counts.
    await setCount(id, MOST_ACTS_A_DAY - 1);
    const again = await sendSample(panel.url, endpoint, own, maker);
    expect([again.status, again.text]).toMatchObject([successStatus(endpoint), expect.anything()]);
    expect(await countOf(id)).toBe(MOST_ACTS_A_DAY);
  },
);

let names = 0;
const rename = ({ client }: Pick<TestAccount, 'client'>) =>
  client.patch('/api/me', { full_name: `Name ${names++}` });

test('an account and all below it share a day; administrators have no limit', async () => {
  const { panel } = world;
  const top = await panel.reseller({ credits: 30 });
  const below = await panel.below(top);
  const lowest = await panel.below(below, { group_id: '3' });
  const deeds = await countOf(top.id);
  expect((await rename(lowest)).status).toBe(200);
  expect([await countOf(lowest.id), await countOf(top.id)]).toEqual([1, deeds + 1]);
  await setCount(top.id, MOST_ACTS_A_DAY - 1);
  expect((await rename(below)).status).toBe(200);
  for (const account of [top, below, lowest]) expect((await rename(account)).status).toBe(429);
  expect((await rename(await panel.reseller())).status).toBe(200);
  expect((await rename({ client: panel.admin })).status).toBe(200);
});

test('what changes nothing, is refused or is paid takes nothing of the day', async () => {
  const { panel } = world;
  const seller = await panel.reseller({ credits: 30 });
  const { client, id } = seller;
  await client.patch('/api/me', { full_name: 'Same' });
  const count = await countOf(id);
  expect((await client.patch('/api/me', { full_name: 'Same' })).status).toBe(200);
  expect((await client.post(`/api/lines/${crypto.randomUUID()}/reveal`)).status).toBe(404);
  const sold = await client.post('/api/lines', newLine('paid-for'));
  expect(sold.status).toBe(201);
  const path = `/api/lines/${sold.body.line.id}`;
  expect((await client.post(`${path}/renew`, { subscription_months: 1 })).status).toBe(200);
  expect(await countOf(id)).toBe(count);
});

test('a day that is used up keeps nobody from ending what does harm', async () => {
  const { panel } = world;
  const top = await panel.reseller({ credits: 30 });
  const below = await panel.below(top);
  const key = (await top.client.post('/api/auth/api-keys', { name: 'Stolen' })).body;
  const sold = await top.client.post('/api/lines', newLine('kept-on'));
  await setCount(top.id, MOST_ACTS_A_DAY);
  expect((await rename(below)).status).toBe(429);
  expect((await top.client.post(`/api/accounts/${below.id}/ban`, {})).status).toBe(200);
  expect((await top.client.delete(`/api/auth/api-keys/${key.id}`)).status).toBe(200);
  expect((await top.client.delete('/api/auth/sessions')).status).toBe(200);
  expect((await top.client.post(`/api/accounts/${below.id}/unban`, {})).status).toBe(429);
  const edit = { action: 'edit', ids: [sold.body.line.id], notes: 'in bulk' };
  expect((await requestBulk(top.client, edit)).status).toBe(429);
  expect((await top.client.post('/api/auth/sign-out')).status).toBe(200);
});

test('two panels and calls side by side count together', async () => {
  const { panel } = world;
  const other = await startPanel(panel.env, pino({ level: 'silent' }));
  const top = await panel.reseller();
  const below = await panel.below(top, { group_id: '3' });
  const clients = [top, below].flatMap(({ client }) => {
    const elsewhere = Object.assign(new TestClient(other.url), { cookie: client.cookie });
    return [client, elsewhere, client, elsewhere];
  });
  await setCount(top.id, MOST_ACTS_A_DAY - 5);
  const replies = await Promise.all(clients.map((client) => rename({ client })));
  await other.close();
  expect(replies.map(({ status }) => status).toSorted()).toEqual([
    ...Array(5).fill(200),
    ...Array(3).fill(429),
  ]);
  expect(await countOf(top.id)).toBe(MOST_ACTS_A_DAY);
});
