import type { Agent } from '@linekeeper/agent/agent.ts';
import type { ActivityEntry } from '@linekeeper/contract/activity.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, stopServers } from '../../domain/machines/card-server/testing/servers.ts';
import type { TestClient } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLine } from '../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
let agent: Agent;
let server: string;
let owner: TestAccount;
let seller: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  agent = await startTestAgent();
  server = (await panel.addServer(agent.url, 'Warsaw 2')).id;
  owner = await panel.reseller({ credits: 100 });
  seller = await panel.below(owner, { credits: 40 });
  stranger = await panel.reseller({ credits: 50 });
});

async function sell(username: string, by: TestAccount): Promise<string> {
  const line = newLine(username, { server_id: server, subscription_months: 3 });
  const { body } = await by.client.post('/api/lines', line);
  return body.line.id;
}

async function history(client: TestClient, path: string, query = ''): Promise<ActivityEntry[]> {
  const { status, body } = await client.get(`/api/${path}/activity?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
}

const summaries = (entries: readonly ActivityEntry[]) =>
  entries.map(({ source, action }) => `${source} ${action}`);

/** Reads all pages of a list. */
async function walk(client: TestClient, path: string, limit: number): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await client.get(
      `/api/${path}/activity?limit=${limit}${cursor && `&cursor=${cursor}`}`,
    );
    entries.push(...body.items);
    cursor = body.next_cursor;
  }
  return entries;
}

describe('the history of a line', () => {
  let line: string;
  beforeAll(async () => {
    line = await sell('told', seller);
    await seller.client.patch(`/api/lines/${line}`, { notes: 'window', password: 'other-secret' });
    await owner.client.post(`/api/lines/${line}/renew`, { subscription_months: 1 });
    const { body } = await panel.admin.get(`/api/credits/transfers?q=told&kind=sale`);
    await panel.admin.post(`/api/credits/transfers/${body.items[0].id}/refund`, { note: 'twice' });
  });

  test('has changes, credits and pushes in order, newest first', async () => {
    const entries = await history(seller.client, `lines/${line}`);
    expect(summaries(entries)).toEqual([
      'transfer refund',
      'push renew',
      'audit line.renew',
      'push edit',
      'audit line.edit',
      'push add',
      'transfer sale',
      'audit line.create',
    ]);
    expect(await history(seller.client, `lines/${line}`, 'sort=created_at')).toEqual(
      entries.toReversed(),
    );
    expect(entries[0]).toMatchObject({ note: 'twice', transfer: { amount: 4 } });
    expect(entries[5]?.push).toMatchObject({ ok: true, failures: 0, server_name: 'Warsaw 2' });
    expect(entries[6]?.transfer).toEqual({ amount: -4, balance_after: 36, other: null });
    expect(entries[7]).toMatchObject({ subject_name: 'told', actor: { id: seller.id }, cost: 4 });
    expect(entries[4]?.changes).toEqual([
      { field: 'notes', before: null, after: 'window' },
      { field: 'password', before: null, after: null },
    ]);
  });

  test('names nobody above, and tells where an act came from to administrators alone', async () => {
    const [refund, , renewed] = await history(seller.client, `lines/${line}`);
    for (const entry of [refund, renewed]) {
      expect(entry?.actor).toEqual({ id: null, name: null });
    }
    const own = await history(seller.client, `lines/${line}`);
    expect(own.every(({ address, request_id }) => !address && !request_id)).toBe(true);
    const whole = await history(panel.admin, `lines/${line}`);
    // The cost of the renewal is shown to the owner, who paid it.
    expect(summaries(whole)).toContain('transfer renewal');
    const acts = whole.filter(({ source }) => source === 'audit');
    expect(acts.every(({ address, request_id }) => address && request_id)).toBe(true);
    expect(acts[0]?.actor).toMatchObject({ id: owner.id, name: owner.email });
  });

  test('is the same on pages of any size', async () => {
    const whole = await history(owner.client, `lines/${line}`);
    expect(await walk(owner.client, `lines/${line}`, 1)).toEqual(whole);
    expect(await walk(owner.client, `lines/${line}`, 3)).toEqual(whole);
  });

  test('is of what others do not see as of what is missing', async () => {
    const missing = await stranger.client.get(`/api/lines/${crypto.randomUUID()}/activity`);
    const foreign = await stranger.client.get(`/api/lines/${line}/activity`);
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
  });

  test('begins for a new owner when the line came to it', async () => {
    const id = await sell('moved', seller);
    await seller.client.patch(`/api/lines/${id}`, { notes: 'what the stranger must not read' });
    await panel.admin.patch(`/api/lines/${id}`, { owner_id: stranger.id });
    await stranger.client.patch(`/api/lines/${id}`, { notes: 'mine now' });
    const entries = await history(stranger.client, `lines/${id}`);
    expect(summaries(entries)).toEqual(['audit line.edit', 'audit line.edit']);
    const inCapitals = `lines/${id.toUpperCase()}`;
    expect(await history(stranger.client, inCapitals)).toEqual(entries);
    expect(entries[1]?.changes).toEqual([
      { field: 'owner_id', before: null, after: stranger.email },
    ]);
    const text = JSON.stringify(entries);
    for (const secret of [seller.id, seller.email]) expect(text).not.toContain(secret);
    expect(await history(panel.admin, `lines/${id}`)).toHaveLength(6);
  });

  test('has the first failure of a push, and how many came before its delivery', async () => {
    let isDown = true;
    const api = await startApi(async ({ method }) =>
      method === 'GET' || !isDown
        ? { status: 200, json: { version: '1' } }
        : { status: 503, json: { message: 'as told' } },
    );
    const moody = await panel.addServer(`http://127.0.0.1:${api.port}`);
    const { body } = await seller.client.post(
      '/api/lines',
      newLine('patient', { server_id: moody.id }),
    );
    const { id } = body.line;
    await panel.admin.post(`/api/lines/${id}/sync`);
    const pushes = async () =>
      (await history(seller.client, `lines/${id}`)).flatMap(({ push }) => push ?? []);
    expect(await pushes()).toMatchObject([
      { ok: false, finding: { code: 'PUSH_REFUSED' }, message: 'as told' },
    ]);
    isDown = false;
    await eventually(async () => expect(await pushes()).toHaveLength(2));
    const [delivered] = await pushes();
    expect(delivered).toMatchObject({ ok: true, finding: null });
    expect(delivered?.failures).toBeGreaterThan(1);
    await stopServers();
  });
});

describe('the history of an account', () => {
  test('has what it did and what was done to it, with its balance after each movement', async () => {
    const { id, client } = await panel.below(owner, { credits: 12 });
    const entries = await history(owner.client, `accounts/${id}`);
    expect(summaries(entries)).toContain('audit account.create');
    expect(entries.find(({ source }) => source === 'transfer')?.transfer).toMatchObject({
      amount: 12,
      balance_after: 12,
      other: { id: owner.id },
    });
    await client.post('/api/lines', newLine('of-its-own', { server_id: server }));
    const own = await history(client, `accounts/${id}`);
    expect(summaries(own)).toContain('audit line.create');
    expect(own.find(({ action }) => action === 'sale')?.transfer?.balance_after).toBe(10);
    // The account that gave the credits is above.
    const given = own.filter(({ transfer }) => transfer && transfer.amount > 0);
    expect(given[0]?.transfer?.other).toEqual({ id: null, name: null });
    expect(await walk(client, `accounts/${id}`, 2)).toEqual(own);
  });

  test('names nothing that belongs to others by now', async () => {
    const { id, client } = await panel.below(owner, { credits: 12 });
    const { body } = await client.post('/api/lines', newLine('sold-on', { server_id: server }));
    await panel.admin.patch(`/api/lines/${body.line.id}`, { owner_id: stranger.id });
    const act = (await history(client, `accounts/${id}`)).find(
      ({ action }) => action === 'line.create',
    );
    expect(act).toMatchObject({ subject_id: null, subject_name: null, changes: [] });
  });

  test('is of what others do not see as of what is missing', async () => {
    const missing = await seller.client.get(`/api/accounts/${crypto.randomUUID()}/activity`);
    for (const { id } of [owner, stranger]) {
      const foreign = await seller.client.get(`/api/accounts/${id}/activity`);
      expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    }
  });

  test('is filtered by kind and days, and searched by names and notes', async () => {
    const { id, client } = await panel.below(owner, { credits: 20 });
    await client.post('/api/lines', newLine('filtered-line', { server_id: server }));
    await owner.client.post(`/api/accounts/${id}/credits`, { amount: 3, note: 'Grudzień 100%' });
    const path = `accounts/${id}`;
    const found = async (query: string) => summaries(await history(client, path, query));
    const lines = ['push add', 'transfer sale', 'audit line.create'];
    expect((await found('kind=lines')).toSorted()).toEqual(lines.toSorted());
    expect(await found('kind=access')).toEqual(['audit account.sign_in']);
    expect(await found('kind=account')).toEqual(['audit account.create']);
    expect(await found('kind=other')).toEqual([]);
    const credits = await found('kind=credits');
    expect(credits).toContain('audit credits.add');
    expect(credits.filter((one) => one.startsWith('transfer'))).toHaveLength(3);
    const all = await found('');
    const parts = ['lines', 'access', 'account'].map((kind) => found(`kind=${kind}`));
    // A sale has an entry about the line and one about the credits.
    expect(credits.length + (await Promise.all(parts)).flat().length).toBe(all.length + 1);
    expect(await found('kind=account,access')).toHaveLength(2);
    expect((await found('q=FILTERED')).toSorted()).toEqual(lines.toSorted());
    expect(await found(`q=${encodeURIComponent('100%')}`)).toEqual([
      'transfer transfer',
      'audit credits.add',
    ]);
    expect(await found('q=no_such')).toEqual([]);
    const today = panel.services.today();
    expect(await found(`from=${today}&to=${today}`)).toEqual(all);
    expect(await found('from=2020-01-01&to=2020-01-02')).toEqual([]);
    expect(await walk(client, path, 2)).toEqual(await history(client, path));
    // An administrator finds the same entries, and everybody finds the entries that their list shows.
    const noted = `accounts/${id}`;
    for (const words of ['grudzień 100%', 'GRUDZIEN 100%']) {
      const byAdmin = await history(panel.admin, noted, `q=${encodeURIComponent(words)}`);
      expect(summaries(byAdmin)).toEqual(['transfer transfer', 'audit credits.add']);
    }
    const { items } = (await client.get('/api/lines?q=filtered-line')).body;
    await client.patch(`/api/lines/${items[0].id}`, { notes: 'By the seaside' });
    expect(await found('q=seaside')).toEqual(['audit line.edit']);
  });

  test('is not searched for what belongs to others by now, nor for addresses', async () => {
    const { id, client } = await panel.reseller({ credits: 12 });
    const { body } = await client.post('/api/lines', newLine('gone-over', { server_id: server }));
    await panel.admin.patch(`/api/lines/${body.line.id}`, {
      owner_id: stranger.id,
      username: 'gone-under',
    });
    const found = async (by: TestClient, q: string) => history(by, `accounts/${id}`, `q=${q}`);
    const acts = (entries: ActivityEntry[]) => entries.filter(({ source }) => source === 'audit');
    expect(acts(await found(client, 'gone-over'))).toEqual([]);
    expect(acts(await found(client, 'gone-under'))).toEqual([]);
    expect(acts(await found(client, '127.0.0'))).toEqual([]);
    expect(acts(await found(panel.admin, 'gone-over'))).not.toEqual([]);
    expect(acts(await found(panel.admin, '127.0.0'))).not.toEqual([]);
  });

  test.each(['sort=action', 'cursor=forged', 'kind=gone', 'from=tomorrow'])(
    '%s is refused',
    async (query) => {
      const { status } = await seller.client.get(`/api/accounts/${seller.id}/activity?${query}`);
      expect(status).toBe(422);
    },
  );
});
