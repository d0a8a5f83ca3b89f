import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { addMonths } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopServers } from '../../domain/machines/card-server/testing/servers.ts';
import {
  type MemoryCardServer,
  startMemoryCardServer,
} from '../../testing/card-servers/memory-card-server.ts';
import {
  addOscamServer,
  type OscamServer,
  startOscamServer,
} from '../../testing/card-servers/oscam-server.ts';
import type { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { newLine } from '../../testing/lines.ts';
import { databases, startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { addPlan } from '../../testing/plans.ts';

let panel: TestPanel;
let one: MemoryCardServer;
let other: MemoryCardServer;
let oscam: OscamServer;
/** Ids of the servers that the panel reaches by the agents `one` and `other`, and by the web interface of `oscam`. */
let servers: [string, string, string];

async function start(kind: (typeof databases)[number]) {
  panel = await startTestPanel(kind);
  one = await startMemoryCardServer('one');
  other = await startMemoryCardServer('other');
  oscam = await startOscamServer();
  servers = [
    (await panel.addServer(one.url, 'One')).id,
    (await panel.addServer(other.url, 'Other')).id,
    (await addOscamServer(panel, oscam, { server_name: 'OSCam' })).id,
  ];
}
async function stop() {
  await panel?.stop();
  await oscam?.stop();
  await stopServers();
}

const placed = (ids: readonly string[], rights: object = {}) =>
  ids.map((server_id) => ({ server_id, ...rights }));
const terms = (...pairs: [months: number, credits: number][]) =>
  pairs.map(([months, credits]) => ({ months, credits }));
const lineOf = async (client: TestClient, id: string) =>
  (await client.get(`/api/lines/${id}`)).body;
const statesOf = (line: { servers: { server_id: string; sync_state: string }[] }) =>
  Object.fromEntries(line.servers.map(({ server_id, sync_state }) => [server_id, sync_state]));
const credits = async (client: TestClient): Promise<number> =>
  (await client.get('/api/me')).body.credits;

async function jobDone(client: TestClient, id: string) {
  return eventually(async () => {
    const { body } = await client.get(`/api/jobs/${id}?items=none`);
    expect(body.state).toBe('done');
    return body;
  });
}

describe.each(databases)('a plan on several servers, on %s', (kind) => {
  beforeAll(() => start(kind));
  afterAll(stop);

  test('has its lines on all of them, with what they may do there', async () => {
    const plan_id = await addPlan(panel, {
      serves: 'all',
      servers: [
        { server_id: servers[0], oscam: { group: '2,1', max_connections: 2 } },
        ...placed([servers[2]], { oscam: { group: '3' } }),
      ],
    });
    const { client } = await panel.reseller();
    const reply = await client.post('/api/lines', newLine('on-both', { plan_id }));
    expect(reply).toMatchObject({ status: 201, body: { cost: 3, sync: { ok: true } } });
    const { line } = reply.body;
    expect(line).toMatchObject({ plan_id, server_id: servers[0], sync_state: 'synced' });
    expect(statesOf(line)).toEqual({ [servers[0]]: 'synced', [servers[2]]: 'synced' });
    expect(one.accounts.get('on-both')?.rights).toEqual({ group: '1,2', max_connections: '2' });
    expect(oscam.account('on-both')).toMatchObject({ group: '3', max_connections: '1' });
    expect(other.accounts.has('on-both')).toBe(false);
    const receivers = (await client.get(`/api/lines/${line.id}/receivers`)).body;
    expect(receivers.servers.map(({ server_id }: { server_id: string }) => server_id)).toEqual([
      servers[0],
      servers[2],
    ]);
    expect(receivers.servers[0].cccam).toBe(receivers.cccam);

    const path = `/api/lines/${line.id}`;
    await client.patch(path, { username: 'renamed' });
    await eventually(() => {
      expect([...one.accounts.keys()]).toContain('renamed');
      expect([...one.accounts.keys()]).not.toContain('on-both');
      expect(oscam.account('renamed')?.group).toBe('3');
      expect(oscam.account('on-both')).toBeUndefined();
    });
    await client.post(`${path}/suspend`, {});
    await eventually(() => {
      expect(one.accounts.has('renamed')).toBe(false);
      expect(oscam.account('renamed')?.disabled).toBe('1');
    });
    await client.post(`${path}/resume`, {});
    await eventually(() => {
      expect(one.accounts.get('renamed')?.rights).toEqual({ group: '1,2', max_connections: '2' });
      expect(oscam.account('renamed')?.disabled).toBe('0');
    });
    await client.delete(path);
    await eventually(() => {
      expect(one.accounts.has('renamed')).toBe(false);
      expect(oscam.account('renamed')).toBeUndefined();
    });
  });

  test('sells while one of them is away, and delivers there once it is back', async () => {
    const plan_id = await addPlan(panel, { serves: 'all', servers: placed(servers.slice(0, 2)) });
    const { client } = await panel.reseller();
    other.answersWith = { status: 503 };
    const { body } = await client.post('/api/lines', newLine('half', { plan_id }));
    expect(body).toMatchObject({ cost: 3, credits: 97, sync: { ok: false } });
    expect(body.line.sync_state).toBe('failed');
    expect(statesOf(body.line)).toEqual({ [servers[0]]: 'synced', [servers[1]]: 'failed' });
    expect(one.accounts.has('half')).toBe(true);
    const { items } = (await client.get('/api/lines?sync_state=failed')).body;
    expect(items).toEqual([body.line]);
    other.answersWith = null;
    await eventually(async () => {
      expect(statesOf(await lineOf(client, body.line.id))).toEqual({
        [servers[0]]: 'synced',
        [servers[1]]: 'synced',
      });
    });
    expect(other.accounts.has('half')).toBe(true);
    expect(await credits(client)).toBe(97);
  });

  test('takes over accounts with its lines’ names on a server that is added, as a sale does', async () => {
    const account = { password: 'before', expiryDate: '01-01-2030' };
    one.accounts.set('was-there', account);
    other.accounts.set('was-there', account);
    const id = await addPlan(panel, { serves: 'all', servers: placed([servers[0]]) });
    const { client } = await panel.reseller();
    const sale = newLine('was-there', { plan_id: id });
    expect((await client.post('/api/lines', sale)).body.sync.ok).toBe(true);
    expect(one.accounts.get('was-there')?.password).toBe(sale.password);
    const change = { servers: placed([servers[0], servers[1]]) };
    const { body } = await panel.admin.patch(`/api/plans/${id}`, change);
    await jobDone(panel.admin, body.job_id);
    await eventually(() => expect(other.accounts.get('was-there')?.password).toBe(sale.password));
  });

  test('changes its lines by a job, which can be undone', async () => {
    const id = await addPlan(panel, { serves: 'all', servers: placed([servers[0]]) });
    const { client } = await panel.reseller();
    for (const name of ['few-1', 'few-2', 'few-3']) {
      await client.post('/api/lines', newLine(name, { plan_id: id }));
    }
    const change = { servers: placed([servers[0], servers[1]], { oscam: { group: '7' } }) };
    const previewed = await panel.admin.patch(`/api/plans/${id}`, { ...change, preview: true });
    expect(previewed.body).toMatchObject({ lines: 3, servers: 2, job_id: null });
    expect((await panel.admin.get('/api/plans')).body.items).toContainEqual(
      expect.objectContaining({
        id,
        lines: 3,
        servers: [{ server_id: servers[0], server_name: 'One' }],
      }),
    );
    expect(one.accounts.get('few-1')?.rights).toEqual({});

    const { body } = await panel.admin.patch(`/api/plans/${id}`, change);
    expect(body).toMatchObject({ lines: 3, servers: 2 });
    await jobDone(panel.admin, body.job_id);
    await eventually(() => {
      for (const name of ['few-1', 'few-2', 'few-3']) {
        expect(one.accounts.get(name)?.rights).toEqual({ group: '7' });
        expect(other.accounts.get(name)?.rights).toEqual({ group: '7' });
      }
    });
    expect((await panel.admin.get(`/api/jobs/${body.job_id}`)).body).toMatchObject({
      action: 'edit_plan',
      can_undo: true,
      total: 3,
    });
    const undo = (await panel.admin.post(`/api/jobs/${body.job_id}/undo`)).body.job;
    await jobDone(panel.admin, undo.id);
    await eventually(() => {
      for (const name of ['few-1', 'few-2', 'few-3']) {
        expect(one.accounts.get(name)?.rights).toEqual({});
        expect(other.accounts.has(name)).toBe(false);
      }
    });
    expect((await panel.admin.post(`/api/jobs/${body.job_id}/undo`)).status).toBe(409);
  });

  test('cannot be undone once the plan has changed again', async () => {
    const id = await addPlan(panel, { serves: 'all', servers: placed([servers[0]]) });
    await panel.admin.post('/api/lines', newLine('changed-twice', { plan_id: id }));
    const change = (group: string) =>
      panel.admin.patch(`/api/plans/${id}`, {
        servers: placed([servers[0]], { oscam: { group } }),
      });
    const { job_id } = (await change('2')).body;
    await jobDone(panel.admin, job_id);
    await jobDone(panel.admin, (await change('3')).body.job_id);
    expect(await panel.admin.post(`/api/jobs/${job_id}/undo`)).toMatchObject({
      status: 409,
      body: { code: 'PLAN_CHANGED_SINCE' },
    });
  });
});

describe('a plan', () => {
  beforeAll(() => start('postgres'));
  afterAll(stop);

  test('of one server puts a line there, or where the seller says', async () => {
    const plan_id = await addPlan(panel, { servers: placed([servers[0], servers[1]]) });
    const { client } = await panel.reseller();
    const sell = (name: string, more: object) =>
      client.post('/api/lines', newLine(name, { plan_id, ...more }));
    expect((await sell('chosen', { server_id: servers[0] })).body.line).toMatchObject({
      server_id: servers[0],
      servers: [{ server_id: servers[0] }],
    });
    // The line goes to the newest server of its plan.
    expect((await sell('newest', {})).body.line.server_id).toBe(servers[1]);
    expect(await sell('elsewhere', { server_id: servers[2] })).toMatchObject({
      status: 422,
      body: { fields: { server_id: 'This server is not in the plan' } },
    });
  });

  test('of the fewest lines fills its servers evenly, and leaves out one that is away', async () => {
    const plan_id = await addPlan(panel, {
      serves: 'fewest',
      servers: placed([servers[0], servers[2]]),
    });
    const { client } = await panel.reseller();
    const at = async (name: string) =>
      (await client.post('/api/lines', newLine(name, { plan_id }))).body.line.server_id;
    // After the test before this one, one of the servers has one line more than OSCam.
    expect([await at('f1'), await at('f2'), await at('f3')]).toContain(servers[0]);
    await panel.admin.patch(`/api/servers/${servers[0]}`, { closed_to_new_lines: true });
    expect([await at('f4'), await at('f5')]).toEqual([servers[2], servers[2]]);
    await panel.admin.patch(`/api/servers/${servers[0]}`, { closed_to_new_lines: false });
  });

  test('that is not offered is renewed and not sold', async () => {
    const plan_id = await addPlan(panel, { is_offered: true });
    const { client } = await panel.reseller();
    const { line } = (await client.post('/api/lines', newLine('kept', { plan_id }))).body;
    await panel.admin.patch(`/api/plans/${plan_id}`, { is_offered: false });
    expect(await client.post('/api/lines', newLine('late', { plan_id }))).toMatchObject({
      status: 422,
      body: { fields: { plan_id: 'Choose a plan that is offered' } },
    });
    expect(
      (await client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 })).body.cost,
    ).toBe(3);
    const { items } = (await client.get('/api/plans')).body;
    expect(items).toContainEqual(expect.objectContaining({ id: plan_id, is_offered: false }));
  });

  test('is Standard, or else the first on sale, if a sale names none', async () => {
    await addPlan(panel);
    const { client } = await panel.reseller();
    const soldBy = async (by: TestClient, name: string) => {
      const asked = { action: 'create', subscription_months: 1 };
      const { cost: quoted_cost } = (await by.post('/api/lines/quote', asked)).body;
      expect(quoted_cost).toBeTypeOf('number');
      const { status, body } = await by.post('/api/lines', newLine(name, { quoted_cost }));
      expect(status).toBe(201);
      return body.line.plan_id;
    };
    expect(await soldBy(client, 'unnamed-1')).toBe(STANDARD_PLAN);
    const standard = `/api/plans/${STANDARD_PLAN}`;
    await panel.admin.patch(standard, { is_offered: false });
    const { items } = (await client.get('/api/plans')).body;
    const [first] = items.filter(({ is_offered }: { is_offered: boolean }) => is_offered);
    expect(await soldBy(client, 'unnamed-2')).toBe(first.id);
    expect(await soldBy(panel.admin, 'unnamed-3')).toBe(STANDARD_PLAN);
    await panel.admin.patch(standard, { is_offered: true });
  });

  test('that the limits of an account exclude is not sold by it or below it', async () => {
    const plan_id = await addPlan(panel);
    const { client, id } = await panel.reseller();
    await panel.admin.send('PUT', `/api/accounts/${id}/limits`, { plan_ids: [STANDARD_PLAN] });
    expect((await client.post('/api/lines', newLine('excluded', { plan_id }))).status).toBe(422);
    expect((await client.post('/api/lines', newLine('allowed'))).status).toBe(201);
    const { items } = (await client.get('/api/plans')).body;
    expect(items.map((plan: { id: string }) => plan.id)).toEqual([STANDARD_PLAN]);
    expect((await panel.admin.get(`/api/accounts/${id}/limits`)).body.plan_ids).toEqual({
      limit: [STANDARD_PLAN],
      bound: [STANDARD_PLAN],
    });
  });

  test('keeps what its lines and servers need', async () => {
    const id = await addPlan(panel, { servers: placed([servers[0], servers[1]]) });
    await panel.admin.post(
      '/api/lines',
      newLine('needs-it', { plan_id: id, server_id: servers[0] }),
    );
    const path = `/api/plans/${id}`;
    expect(await panel.admin.patch(path, { servers: placed([servers[1]]) })).toMatchObject({
      status: 409,
      body: { code: 'PLAN_SERVER_HAS_LINES', data: { count: 1, server_name: 'One' } },
    });
    expect(await panel.admin.delete(path)).toMatchObject({
      status: 409,
      body: { code: 'PLAN_IN_USE', data: { count: 1 } },
    });
    expect(await panel.admin.patch(path, { serves: 'all', servers: [] })).toMatchObject({
      status: 422,
      body: { fields: { servers: 'Choose the servers' } },
    });
    const unused = await addPlan(panel, { servers: placed([servers[2]]) });
    expect((await panel.admin.delete(`/api/plans/${unused}`)).status).toBe(200);
    expect((await panel.admin.delete(`/api/plans/${STANDARD_PLAN}`)).body.code).toBe('PLAN_STAYS');
    const all = { serves: 'all', servers: placed(servers) };
    expect(
      (await panel.admin.patch(`/api/plans/${STANDARD_PLAN}`, all)).body.fields,
    ).toHaveProperty('serves');
    const lonely = (await panel.addServer(other.url, 'Lonely')).id;
    await addPlan(panel, { name: 'Has it', servers: placed([lonely]) });
    expect(await panel.admin.delete(`/api/servers/${lonely}`)).toMatchObject({
      status: 409,
      body: { code: 'SERVER_IN_PLAN', data: { plan_name: 'Has it' } },
    });
  });

  test.each([
    [{ terms: [] }, 'terms'],
    [{ name: '' }, 'name'],
    [{ serves: 'some' }, 'serves'],
    [{ position: -1 }, 'position'],
  ])('is refused with %j', async (wrong, field) => {
    const reply = await panel.admin.post('/api/plans', {
      ...{ name: 'Wrong', terms: terms([1, 2]) },
      ...wrong,
    });
    expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([422, [field]]);
  });

  test('has no server that does not exist', async () => {
    const plan = { name: 'Wrong', terms: terms([1, 2]), servers: placed([crypto.randomUUID()]) };
    expect(await panel.admin.post('/api/plans', plan)).toMatchObject({
      status: 404,
      body: { code: 'SERVER_NOT_FOUND' },
    });
  });

  test('is an administrator’s to change', async () => {
    const { client } = await panel.reseller();
    const id = await addPlan(panel);
    for (const reply of [
      await client.post('/api/plans', { name: 'Mine', terms: terms([1, 1]) }),
      await client.patch(`/api/plans/${id}`, { terms: terms([1, 1]) }),
      await client.delete(`/api/plans/${id}`),
    ]) {
      expect(reply.status).toBe(403);
    }
    const own = (await client.get('/api/plans')).body.items;
    expect(own).toContainEqual(expect.objectContaining({ id, terms: [], lines: null }));
  });
});

describe('the plan of a line', () => {
  beforeAll(() => start('postgres'));
  afterAll(stop);

  /** Adds a plan with 12 months for 16 credits; Standard has them for 10. */
  const dear = (more: object = {}) => addPlan(panel, { terms: terms([1, 3], [12, 16]), ...more });

  async function sold(more: object = {}) {
    const account = await panel.reseller({ credits: 100 });
    const { client } = account;
    const name = `plan-${crypto.randomUUID().slice(0, 8)}`;
    const { line } = (
      await client.post('/api/lines', newLine(name, { subscription_months: 12, ...more }))
    ).body;
    const path = `/api/lines/${line.id}`;
    const change = (plan_id: string, extra: object = {}) =>
      client.post(`${path}/change-plan`, { plan_id, ...extra });
    const quote = async (plan_id: string) =>
      (await client.post('/api/lines/quote', { action: 'change_plan', line_id: line.id, plan_id }))
        .body;
    return { ...account, line, path, change, quote };
  }

  test('costs the difference for the unused days, and gives it back', async () => {
    const plan_id = await dear({ servers: placed([servers[0], servers[1]]) });
    const { client, line, change, quote } = await sold({ server_id: servers[0] });
    expect(await credits(client)).toBe(90);
    expect(await quote(plan_id)).toMatchObject({
      cost: 6,
      balance: 90,
      balance_after: 84,
      expiry_date: line.expiry_date,
    });
    const dearer = await change(plan_id, { quoted_cost: 6 });
    expect(dearer).toMatchObject({
      status: 200,
      body: {
        cost: 6,
        credits: 84,
        line: { plan_id, server_id: servers[0], expiry_date: line.expiry_date },
      },
    });
    expect((await change(plan_id)).body.code).toBe('ALREADY_SO');
    const back = (await quote(STANDARD_PLAN)).cost;
    expect([-5, -6]).toContain(back);
    expect((await change(STANDARD_PLAN, { quoted_cost: back })).body).toMatchObject({
      cost: back,
      credits: 84 - back,
      line: { plan_id: STANDARD_PLAN },
    });
    await expectBalancedBooks(panel.services.db);
  });

  test('is undone with its credits, in both directions', async () => {
    const plan_id = await dear();
    const { client, change, path } = await sold({ plan_id });
    expect(await credits(client)).toBe(84);
    const cheaper = (await change(STANDARD_PLAN)).body;
    expect(cheaper.cost).toBeLessThan(0);
    const undo = (await client.post(`/api/jobs/${cheaper.job_id}/undo`)).body.job;
    expect((await jobDone(client, undo.id)).cost).toBe(-cheaper.cost);
    expect(await credits(client)).toBe(84);
    expect((await client.get(path)).body.plan_id).toBe(plan_id);
    const again = (await change(STANDARD_PLAN)).body;
    const dearer = (await change(plan_id)).body;
    expect(again.cost + dearer.cost).toBeGreaterThanOrEqual(0);
    const before = await credits(client);
    const second = (await client.post(`/api/jobs/${dearer.job_id}/undo`)).body.job;
    await jobDone(client, second.id);
    expect(await credits(client)).toBe(before + dearer.cost);
    await expectBalancedBooks(panel.services.db);
  });

  test('gives back no more than was paid for the unused days', async () => {
    const plan_id = await dear();
    const { client, change, path } = await sold({ plan_id });
    // The more expensive plan becomes even more expensive.
    await panel.admin.patch(`/api/plans/${plan_id}`, { terms: terms([1, 30], [12, 160]) });
    const { cost } = (await change(STANDARD_PLAN)).body;
    expect(cost).toBeGreaterThanOrEqual(-6);
    expect(await credits(client)).toBeLessThanOrEqual(90);
    // A line that an administrator sold was free of charge.
    const { id } = (await client.get('/api/me')).body;
    const name = `free-${crypto.randomUUID().slice(0, 8)}`;
    const free = newLine(name, { plan_id, owner_id: id, subscription_months: 12 });
    const given = (await panel.admin.post('/api/lines', free)).body.line;
    const before = await credits(client);
    const changed = await client.post(`/api/lines/${given.id}/change-plan`, {
      plan_id: STANDARD_PLAN,
    });
    expect(changed.body).toMatchObject({ cost: 0, credits: before });
    expect((await client.get(path)).body.plan_id).toBe(STANDARD_PLAN);
  });

  test('is changed for nothing on a trial, on an expired line, and by an administrator', async () => {
    const plan_id = await dear();
    const { client, line, change } = await sold();
    const admin = await panel.admin.post(`/api/lines/${line.id}/change-plan`, { plan_id });
    expect(admin.body).toMatchObject({ cost: 0, line: { plan_id } });
    await panel.admin.patch(`/api/lines/${line.id}`, {
      expiry_date: addMonths(panel.services.today(), -1),
    });
    expect((await change(STANDARD_PLAN)).body.cost).toBe(0);
    const trial = newLine('trial-of-plan', { subscription_months: undefined, is_trial: true });
    const { body } = await client.post('/api/lines', trial);
    const changed = await client.post(`/api/lines/${body.line.id}/change-plan`, { plan_id });
    expect(changed.body).toMatchObject({ cost: 0, line: { plan_id, is_trial: true } });
  });

  test('stays once time was paid by its prices', async () => {
    const plan_id = await dear();
    const { client, line, change, path } = await sold({ plan_id });
    const cheaper = (await change(STANDARD_PLAN)).body;
    await client.post(`${path}/renew`, { subscription_months: 24 });
    const before = await credits(client);
    const undo = (await client.post(`/api/jobs/${cheaper.job_id}/undo`)).body.job;
    await jobDone(client, undo.id);
    expect((await client.get(`/api/jobs/${undo.id}`)).body.items).toMatchObject([
      { state: 'failed', error: { code: 'LINE_CHANGED_SINCE' } },
    ]);
    expect((await client.get(path)).body.plan_id).toBe(STANDARD_PLAN);
    expect(await credits(client)).toBe(before);
    expect(line.plan_id).toBe(plan_id);
  });

  test('whose change paid a renewal back leaves the renewal, also once it is undone', async () => {
    const plan_id = await dear();
    const { client, path, change } = await sold({ plan_id });
    const renewed = (await client.post(`${path}/renew`, { subscription_months: 12 })).body;
    const cheaper = (await change(STANDARD_PLAN)).body;
    expect(cheaper.cost).toBeLessThan(0);
    await jobDone(client, (await client.post(`/api/jobs/${cheaper.job_id}/undo`)).body.job.id);
    const before = await credits(client);
    const undo = await client.post(`/api/jobs/${renewed.job_id}/undo`);
    await jobDone(client, undo.body.job.id);
    expect((await client.get(`/api/jobs/${undo.body.job.id}`)).body.items).toMatchObject([
      { state: 'failed', error: { code: 'LINE_CHANGED_SINCE' } },
    ]);
    expect((await client.get(path)).body.expiry_date).toBe(renewed.line.expiry_date);
    expect(await credits(client)).toBe(before);
  });

  test('that is deleted leaves limits and price lists, and no undo brings it back', async () => {
    const plan_id = await dear();
    const { client, id, change, path } = await sold({ plan_id });
    const named = [plan_id, STANDARD_PLAN].map((of) => ({ plan_id: of, months: 12, credits: 20 }));
    const list = (await panel.admin.post('/api/price-lists', { name: 'Named', terms: named })).body;
    const own = { name: 'Only of it', terms: named.slice(0, 1) };
    const only = (await panel.admin.post('/api/price-lists', own)).body.price_list;
    const limits = `/api/accounts/${id}/limits`;
    await panel.admin.send('PUT', limits, { plan_ids: [plan_id, STANDARD_PLAN] });
    const { job_id } = (await change(STANDARD_PLAN)).body;
    const before = await credits(client);
    expect((await panel.admin.send('DELETE', `/api/plans/${plan_id}`)).status).toBe(200);
    expect((await panel.admin.get(limits)).body.plan_ids.limit).toEqual([STANDARD_PLAN]);
    const lists = (await panel.admin.get('/api/price-lists')).body.items;
    const kept = lists.find((one: { id: string }) => one.id === list.price_list.id);
    expect(kept.terms).toEqual(named.slice(1));
    // The list is empty now, so its factor is 1, which changes no price.
    expect(lists).toContainEqual(expect.objectContaining({ id: only.id, factor: 1, terms: [] }));
    const undo = (await client.post(`/api/jobs/${job_id}/undo`)).body.job;
    await jobDone(client, undo.id);
    expect((await client.get(`/api/jobs/${undo.id}`)).body.items).toMatchObject([
      { state: 'failed', error: { code: 'PLAN_NOT_FOUND' } },
    ]);
    expect((await client.get(path)).body.plan_id).toBe(STANDARD_PLAN);
    expect(await credits(client)).toBe(before);
    const unknown = await panel.admin.send('PUT', limits, { plan_ids: [plan_id] });
    expect(unknown.body.code).toBe('PLAN_NOT_FOUND');
  });

  test('has no undo to a server that it has lost', async () => {
    const plan_id = await dear({ servers: placed(servers.slice(0, 2)) });
    const { client, change, path } = await sold({ plan_id, server_id: servers[0] });
    const { job_id } = (await change(STANDARD_PLAN)).body;
    await panel.admin.patch(`/api/plans/${plan_id}`, { servers: placed([servers[1]]) });
    const stays = await change(plan_id, { server_id: servers[0] });
    expect(stays.body.code).toBe('SERVER_NOT_OF_PLAN');
    const undo = (await client.post(`/api/jobs/${job_id}/undo`)).body.job;
    await jobDone(client, undo.id);
    expect((await client.get(`/api/jobs/${undo.id}`)).body.items).toMatchObject([
      { state: 'failed', error: { code: 'SERVER_NOT_OF_PLAN' } },
    ]);
    expect((await client.get(path)).body.plan_id).toBe(STANDARD_PLAN);
  });

  test('costs an account below no less than the one above, whatever that does to its prices', async () => {
    const plan_id = await dear();
    const { client, id, quote, change } = await sold();
    const above = await panel.reseller({ credits: 100 });
    await panel.admin.patch(`/api/accounts/${id}`, { owner_id: above.id });
    expect((await quote(plan_id)).cost).toBe(6);
    const raised = [{ plan_id: STANDARD_PLAN, months: 12, credits: 16 }];
    const { body } = await above.client.post('/api/price-lists', { name: 'Raised', terms: raised });
    const list = { price_list_id: body.price_list.id };
    expect((await above.client.patch(`/api/accounts/${id}`, list)).status).toBe(200);
    expect((await quote(plan_id)).cost).toBe(6);
    await above.client.send('PUT', `/api/accounts/${id}/limits`, { max_months: 1 });
    expect((await quote(plan_id)).cost).toBe(6);
    const before = await credits(client);
    expect((await change(plan_id)).body.cost).toBe(6);
    expect(await credits(client)).toBe(before - 6);
  });

  test('is not taken from under a line by a change of the plan beside it', async () => {
    const plan_id = await addPlan(panel, {
      serves: 'all',
      servers: placed([servers[0], servers[1]]),
    });
    const one = await addPlan(panel, { servers: placed([servers[1]]) });
    for (let round = 0; round < 5; round++) {
      await panel.admin.patch(`/api/plans/${plan_id}`, {
        servers: placed([servers[0], servers[1]]),
      });
      const { client, line, change } = await sold({ plan_id: one, subscription_months: 1 });
      const [changed, edited] = await Promise.all([
        change(plan_id),
        panel.admin.patch(`/api/plans/${plan_id}`, { servers: placed([servers[0]]) }),
      ]);
      const now = await lineOf(client, line.id);
      const { items } = (await panel.admin.get('/api/plans')).body;
      const plan = items.find(({ id }: { id: string }) => id === now.plan_id);
      expect([changed.status, edited.status]).not.toContain(500);
      expect(plan.servers.map(({ server_id }: { server_id: string }) => server_id)).toContain(
        now.server_id,
      );
      await client.delete(`/api/lines/${line.id}`);
    }
  });

  test('decides its renewal, whichever way', async () => {
    const plan_id = await dear();
    const { client, line } = await sold({ plan_id });
    expect(
      (await client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 })).body.cost,
    ).toBe(3);
    expect(
      (await client.post(`/api/lines/${line.id}/renew`, { subscription_months: 6 })).body.fields,
    ).toHaveProperty('subscription_months');
    const standard = await client.post('/api/lines', newLine('std-renewed'));
    const ids = [line.id, standard.body.line.id];
    const { job } = (
      await client.post('/api/lines/bulk', {
        action: 'renew',
        ids,
        subscription_months: 1,
        preview: true,
      })
    ).body;
    expect(job.cost).toBe(3 + 2);
  });

  test('is changed for many lines by one job, and undone', async () => {
    const plan_id = await dear();
    const { client, id, line } = await sold();
    const more = (
      await client.post('/api/lines', newLine('many-plan', { subscription_months: 12 }))
    ).body;
    const bulk = { action: 'change_plan', ids: [line.id, more.line.id], plan_id };
    const preview = (await client.post('/api/lines/bulk', { ...bulk, preview: true })).body.job;
    expect(preview).toMatchObject({ cost: 12, credits: 80, credits_after: 68 });
    const { job } = (await client.post('/api/lines/bulk', { ...bulk, quoted_cost: 12 })).body;
    expect((await jobDone(client, job.id)).cost).toBe(12);
    expect(await credits(client)).toBe(68);
    const undo = (await client.post(`/api/jobs/${job.id}/undo`)).body.job;
    expect((await jobDone(client, undo.id)).cost).toBe(-12);
    expect(await credits(client)).toBe(80);
    expect(id).toBeTruthy();
    await expectBalancedBooks(panel.services.db);
  });

  test('is not for an account to change by a field, or for a line of others', async () => {
    const plan_id = await dear();
    const { path, client, line } = await sold();
    expect((await client.patch(path, { plan_id })).body.fields).toEqual({
      plan_id: 'Only an administrator can set this field',
    });
    const stranger = await panel.reseller();
    expect((await stranger.client.post(`${path}/change-plan`, { plan_id })).status).toBe(404);
    expect((await panel.admin.patch(path, { plan_id })).body).toMatchObject({
      cost: 0,
      line: { plan_id },
    });
    expect(line.plan_id).toBe(STANDARD_PLAN);
  });

  test('moves a line to a server of the plan, and back when it is undone', async () => {
    const plan_id = await dear({ servers: placed([servers[1]]) });
    const { client, line, change } = await sold({ server_id: servers[0] });
    expect(one.accounts.has(line.username)).toBe(true);
    const { body } = await change(plan_id);
    expect(body.line).toMatchObject({ plan_id, server_id: servers[1] });
    await eventually(() => {
      expect(other.accounts.has(line.username)).toBe(true);
      expect(one.accounts.has(line.username)).toBe(false);
    });
    const undo = (await client.post(`/api/jobs/${body.job_id}/undo`)).body.job;
    await jobDone(client, undo.id);
    await eventually(() => {
      expect(one.accounts.has(line.username)).toBe(true);
      expect(other.accounts.has(line.username)).toBe(false);
    });
    expect(await lineOf(client, line.id)).toMatchObject({
      plan_id: STANDARD_PLAN,
      server_id: servers[0],
      host_port: line.host_port,
    });
  });
});
