import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { healClock } from '../../heal-clock.ts';
import { TestClient, type TestReply } from '../../testing/client.ts';
import { dumpText } from '../../testing/database/dump.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { openStream } from '../../testing/wire/streams.ts';
import { lastMomentOf } from '../../testing/zone.ts';

const PATH = '/api/auth/api-keys';

describe.each(databases)('API keys on %s', (database) => {
  let panel: TestPanel;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(database);
  });
  beforeEach(async () => {
    seller = await panel.reseller();
    await panel.services.db.deleteFrom('rate_limits').execute();
  });

  const keyed = (key: string): TestClient => {
    const client = new TestClient(panel.url);
    client.apiKey = key;
    return client;
  };
  async function makeKey(body: object = {}, { client } = seller) {
    const made = await client.post(PATH, { name: 'Stock sync', ...body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return { ...made.body, client: keyed(made.body.key) } as {
      id: string;
      key: string;
      start: string;
      client: TestClient;
    };
  }
  const statusOf = async (client: TestClient) => (await client.get('/api/me')).status;
  const keys = async () => (await seller.client.get(PATH)).body.items;
  const edit = (id: string, change: object) =>
    panel.services.db.updateTable('api_keys').set(change).where('id', '=', id).execute();

  test('act for their owner, say so once, and are listed by their beginning', async () => {
    const { id, key, start, client } = await makeKey();
    expect(key).toMatch(/^lk_[\w-]{43}$/);
    expect(key.startsWith(start) && start.length).toBe(8);
    expect((await client.get('/api/me')).body).toMatchObject({ id: seller.id, credits: 100 });
    expect((await client.patch('/api/me', { full_name: 'By a key' })).status).toBe(200);
    expect(await keys()).toEqual([
      {
        ...{
          id,
          start,
          name: 'Stock sync',
          kind: 'account',
          scopes: null,
          expires_at: null,
          has_expired: false,
        },
        created_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ]);
  });

  test('are revoked at once, and with them their streams', async () => {
    const { id, client } = await makeKey();
    const [stream, other] = [await openStream(client), await openStream(seller.client)];
    expect((await seller.client.delete(`${PATH}/${id}`)).status).toBe(200);
    expect(await client.get('/api/me')).toMatchObject({
      status: 401,
      body: { code: 'INVALID_API_KEY' },
    });
    await stream.ended;
    expect(other.isOpen()).toBe(true);
    other.close();
    expect(await seller.client.delete(`${PATH}/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'API_KEY_NOT_FOUND' },
    });
    expect(await keys()).toEqual([]);
  });

  test('die with a ban, and do not come back when it is lifted', async () => {
    const { client } = await makeKey();
    const stream = await openStream(client);
    await panel.admin.post(`/api/accounts/${seller.id}/ban`);
    expect(await statusOf(client)).toBe(401);
    await stream.ended;
    await panel.admin.post(`/api/accounts/${seller.id}/unban`);
    expect(await statusOf(client)).toBe(401);
  });

  test('of twenty-five made at once twenty are there', async () => {
    const replies = await Promise.all(
      Array.from({ length: 25 }, (_, index) => seller.client.post(PATH, { name: `Key ${index}` })),
    );
    const refused = replies.filter(({ status }) => status !== 201);
    expect(await keys()).toHaveLength(20);
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_API_KEYS', data: { limit: 20 } },
    });
  });

  test('note their use once a minute, however many calls there are', async () => {
    const { id, client } = await makeKey();
    const used = async () => (await keys()).find((k: { id: string }) => k.id === id).last_used_at;
    expect(await used()).toBeNull();
    await Promise.all(Array.from({ length: 10 }, () => client.get('/api/me')));
    const first = await used();
    await client.get('/api/me');
    expect(await used()).toBe(first);
    await edit(id, { last_used_at: sql`now() - interval '61 seconds'` });
    const stale = await used();
    await client.get('/api/me');
    expect(await used()).not.toBe(stale);
    await edit(id, { last_used_at: sql`now() + interval '2 days'` });
    await healClock(panel.services);
    expect(Date.parse(await used())).toBeLessThanOrEqual(Date.now());
  });

  // Limits, refusals and permissions are the same in both databases.
  test('download backups of the embedded database only where they are of kind backup', async () => {
    if (database !== 'embedded') return;
    const admin = { client: panel.admin } as TestAccount;
    const [backup, account] = [await makeKey({ kind: 'backup' }, admin), await makeKey({}, admin)];
    expect((await backup.client.post('/api/backup')).status).toBe(200);
    const other = await account.client.post('/api/backup');
    expect([other.status, other.body.code]).toEqual([403, 'BACKUP_KEY_NEEDED']);
  });

  if (database === 'embedded') return;

  test('have the powers that their owner has at the moment', async () => {
    const { client } = await makeKey();
    const setGroup = (group_id: string) =>
      panel.services.db
        .updateTable('auth_users')
        .set({ group_id })
        .where('id', '=', seller.id)
        .execute();
    const lines = async () => (await client.get('/api/lines')).status;
    const stream = await openStream(client);
    expect(await lines()).toBe(200);
    await setGroup('3');
    expect(await lines()).toBe(403);
    await stream.ended;
    await setGroup('2');
    expect(await lines()).toBe(200);
  });

  test('manage no keys, sessions or passwords, even those of others', async () => {
    const { id, client } = await makeKey();
    const below = await panel.below(seller);
    const refused = await Promise.all([
      client.get(PATH),
      client.post(PATH, { name: 'Another' }),
      client.delete(`${PATH}/${id}`),
      client.get('/api/auth/sessions'),
      client.delete('/api/auth/sessions'),
      client.post('/api/auth/sign-out'),
      client.post('/api/auth/change-password', {
        current_password: seller.password,
        new_password: 'another long password',
      }),
      client.post(`/api/accounts/${below.id}/reset-link`),
    ]);
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([403, 'SESSION_REQUIRED']);
    }
    expect(await keys()).toHaveLength(1);
    expect(await statusOf(seller.client)).toBe(200);
    expect((await client.get('/api/auth/get-session')).body).toBeNull();
  });

  test('of an administrator make and lift no administrators', async () => {
    const { client } = await makeKey({}, { client: panel.admin } as TestAccount);
    const account = {
      email: `kept-${crypto.randomUUID()}@panel.example`,
      password: 'long enough 9',
    };
    const other = await panel.reseller();
    const boss = await panel.reseller({ group_id: '1' });
    const refused = [
      await client.post('/api/accounts', { ...account, group_id: '1' }),
      await client.patch(`/api/accounts/${other.id}`, { group_id: '1' }),
      await client.patch(`/api/accounts/${boss.id}`, { group_id: '2' }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([403, 'SESSION_REQUIRED']);
    }
    expect((await client.patch(`/api/accounts/${other.id}`, { notes: 'By a key' })).status).toBe(
      200,
    );
    expect((await client.post('/api/accounts', { ...account, group_id: '2' })).status).toBe(201);
    const lifted = await panel.admin.patch(`/api/accounts/${boss.id}`, { group_id: '2' });
    expect(lifted.status).toBe(200);
  });

  test('give no powers beyond selling to groups and accounts, and ban no administrators', async () => {
    const { client } = await makeKey({}, { client: panel.admin } as TestAccount);
    const boss = await panel.reseller({ group_id: '1' });
    const other = await panel.reseller();
    const name = () => `Keyed ${crypto.randomUUID()}`;
    const powers = { name: name(), permissions: ['view_groups', 'manage_groups'] };
    const strong = (await panel.admin.post('/api/groups', powers)).body.group.id;
    const account = { email: `strong-${strong}@panel.example`, password: 'long enough 9' };
    const refused = [
      await client.post('/api/groups', { ...powers, name: name() }),
      await client.patch('/api/groups/2', { permissions: ['view_users', 'manage_users'] }),
      await client.post('/api/accounts', { ...account, group_id: strong }),
      await client.patch(`/api/accounts/${other.id}`, { group_id: strong }),
      await client.post(`/api/accounts/${boss.id}/ban`, { suspend_lines: false }),
    ];
    const ban = `/api/accounts/${boss.id}/ban`;
    expect((await panel.admin.post(ban, { suspend_lines: false })).status).toBe(200);
    refused.push(await client.post(`/api/accounts/${boss.id}/unban`, { resume_lines: false }));
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([403, 'SESSION_REQUIRED']);
    }
    const weak = await client.post('/api/groups', { name: name(), permissions: ['view_users'] });
    expect(weak.status).toBe(201);
    const { id } = weak.body.group;
    expect((await client.patch(`/api/groups/${id}`, { name: name() })).status).toBe(200);
    expect((await client.post('/api/accounts', { ...account, group_id: id })).status).toBe(201);
    expect(
      (await client.post(`/api/accounts/${other.id}/ban`, { suspend_lines: false })).status,
    ).toBe(200);
    // Group 2 stays the group for sellers, so such a key still sets it.
    const seller = { email: `sells-${id}@panel.example`, password: 'long enough 9', group_id: '2' };
    expect((await client.post('/api/accounts', seller)).status).toBe(201);
  });

  test('of kind backup check the books and do nothing else; administrators alone make them', async () => {
    const sellers = await seller.client.post(PATH, { name: 'Backups', kind: 'backup' });
    expect([sellers.status, Object.keys(sellers.body.fields)]).toEqual([422, ['kind']]);
    const { client } = await makeKey({ kind: 'backup' }, { client: panel.admin } as TestAccount);
    expect((await client.get('/api/credits/verify')).body).toMatchObject({ ok: true });
    const refused = await Promise.all([
      client.get('/api/me'),
      client.get('/api/lines'),
      client.get('/api/settings/public'),
      client.get('/api/events'),
      client.post('/api/accounts', {}),
      client.get(PATH),
      client.post('/api/tickets', {}),
    ]);
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([403, 'BACKUP_KEY_ONLY']);
    }
  });

  test('do what their scopes name and nothing else', async () => {
    const given = { title: 'A ticket', description: 'by a key' };
    const acts: [string, (client: TestClient) => Promise<TestReply>][] = [
      ['read', (client) => client.get('/api/lines')],
      ['sell', (client) => client.post('/api/lines/check-name', { username: 'free' })],
      ['support', (client) => client.post('/api/tickets', given)],
      ['admin', (client) => client.patch('/api/me', { full_name: 'By a key' })],
    ];
    for (const [scope] of acts) {
      const { client } = await makeKey({ scopes: [scope] });
      for (const [needed, act] of acts) {
        const { status, body } = await act(client);
        if (needed === scope) expect(status, `${scope}: ${JSON.stringify(body)}`).toBeLessThan(300);
        else
          expect([status, body.code, body.data]).toEqual([403, 'SCOPE_MISSING', { scope: needed }]);
      }
    }
    const shop = await makeKey({ scopes: ['sell', 'sell', 'read'] });
    expect((await keys())[0]).toMatchObject({ id: shop.id, scopes: ['sell', 'read'] });
    const stream = await openStream(shop.client);
    stream.close();
  });

  test('without the scope admin read no redeem code, which others could redeem', async () => {
    const make = async (given: object) =>
      (await panel.admin.post('/api/redeem-codes', { credits: 5, ...given })).body.codes[0].code;
    const [unused, redeemed] = [await make({}), await make({ max_uses: 5 })];
    expect((await seller.client.post('/api/redeem', { code: redeemed })).status).toBe(200);
    const { id } = (await panel.admin.get('/api/me')).body;
    const searches = [
      `/api/audit?q=${redeemed}`,
      `/api/accounts/${seller.id}/activity?q=${redeemed}`,
    ];
    const paths = [
      ...['/api/audit', '/api/audit/csv', '/api/redeem-codes', '/api/redeem/history'],
      ...['/api/credits/transfers', '/api/credits/transfers/csv', ...searches],
      ...[id, seller.id].map((account) => `/api/accounts/${account}/activity`),
    ];
    const read = (client: TestClient) =>
      Promise.all(paths.map(async (path) => JSON.stringify((await client.get(path)).body)));
    const boss = { client: panel.admin } as TestAccount;
    const { client: reader } = await makeKey({ scopes: ['read', 'sell', 'support'] }, boss);
    const { client: whole } = await makeKey({ scopes: ['read', 'admin'] }, boss);
    const { client: sellers } = await makeKey({ scopes: ['read'] });
    for (const text of [...(await read(reader)), ...(await read(sellers))]) {
      expect([text.includes(unused), text.includes(redeemed)]).toEqual([false, false]);
    }
    for (const path of searches) {
      expect((await reader.get(path)).body.items).toEqual([]);
      expect((await whole.get(path)).body.items).toHaveLength(1);
    }
    const shown = (await read(whole)).join();
    expect([shown.includes(unused), shown.includes(redeemed)]).toEqual([true, true]);
  });

  test('with a scope may never do more than their owner', async () => {
    const { client } = await makeKey({ scopes: ['read', 'sell', 'support', 'admin'] });
    for (const refused of [
      await client.get('/api/settings'),
      await client.post('/api/servers/check', {}),
      await client.delete('/api/plans/00000000-0000-4000-8000-000000000001'),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'ADMIN_ONLY']);
    }
    expect((await client.get(PATH)).body.code).toBe('SESSION_REQUIRED');
    expect((await client.get('/api/webhooks')).body.code).toBe('SESSION_REQUIRED');
  });

  test('decide alone beside a cookie, and need no Origin', async () => {
    const other = await panel.reseller();
    const { client } = await makeKey();
    client.cookie = other.client.cookie;
    expect((await client.get('/api/me')).body.id).toBe(seller.id);
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const named = await client.send('PATCH', '/api/me', { full_name: 'Script' }, foreign);
    expect([named.status, named.body.id]).toEqual([200, seller.id]);
    const wrong = keyed('lk_wrong');
    wrong.cookie = other.client.cookie;
    expect(await statusOf(wrong)).toBe(401);
    const basic = { authorization: 'Basic cHJveHk6cHJveHk=' };
    expect((await other.client.send('GET', '/api/me', undefined, basic)).body.id).toBe(other.id);
  });

  test.each([
    ['has come', sql<Date>`now() - interval '1 second'`],
    ['lies further ahead than any key lasts', sql<Date>`now() + interval '6 years'`],
  ])('are worth nothing where their end %s', async (_, expires_at) => {
    const { id, client } = await makeKey();
    await edit(id, { expires_at });
    await healClock(panel.services);
    expect(await statusOf(client)).toBe(401);
    expect((await keys())[0].has_expired).toBe(true);
  });

  test('end their streams when they expire', async () => {
    const expires_at = new Date(Date.now() + 2000).toISOString();
    const { client } = await makeKey({ expires_at });
    const stream = await openStream(client);
    expect(await statusOf(client)).toBe(200);
    await stream.ended;
    const late = Date.now() - Date.parse(expires_at);
    expect(late).toBeGreaterThanOrEqual(0);
    // Far less than the time between two heartbeats.
    expect(late).toBeLessThan(8000);
    await eventually(async () => expect(await statusOf(client)).toBe(401));
  });

  test('take a day as their end, which still counts', async () => {
    const { body } = await panel.anonymous().get('/api/settings/public');
    await makeKey({ expires_at: body.today });
    expect((await keys())[0].expires_at).toBe(lastMomentOf(body.today));
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ expires_at: '2020-01-01' }, 'expires_at'],
    [{ expires_at: '2098-01-01' }, 'expires_at'],
    [{ expires_at: 'soon' }, 'expires_at'],
    [{ account_id: '1' }, 'account_id'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['sell', 'root'] }, 'scopes.1'],
  ])('refuse %j', async (body, field) => {
    const reply = await seller.client.post(PATH, { name: 'Key', ...body });
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([422, [field]]);
  });

  test('cannot be tried: after thirty wrong ones the address waits, and a right one does not', async () => {
    const { client } = await makeKey();
    for (let tries = 0; tries < 30; tries++) {
      expect(await statusOf(keyed(`lk_${String(tries).padStart(43, 'x')}`))).toBe(401);
    }
    const wait = await keyed('lk_one-more').get('/api/lines');
    expect([wait.status, wait.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(Number(wait.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusOf(client)).toBe(200);
    expect(await statusOf(seller.client)).toBe(200);
  });

  test('are stored as a hash alone; making and revoking stand in the audit log', async () => {
    const { id, key } = await makeKey({}, seller);
    const again = { 'idempotency-key': 'the same' };
    const replies = [
      await seller.client.post(PATH, { name: 'Twice' }, again),
      await seller.client.post(PATH, { name: 'Twice' }, again),
    ];
    expect(replies[0]?.body.key).not.toBe(replies[1]?.body.key);
    await keyed(key).post('/api/redeem', { code: 'no such code' });
    await seller.client.delete(`${PATH}/${id}`);
    const stored = await dumpText(panel.services.db);
    for (const secret of [key, ...replies.map(({ body }) => body.key)]) {
      expect(stored).not.toContain(secret.slice(3));
    }
    const entries = await panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'data'])
      .where('subject_id', '=', seller.id)
      .where('data', '@>', JSON.stringify({ api_key_id: id }))
      .orderBy('created_at')
      .execute();
    expect(entries).toEqual([
      {
        action: 'account.create_api_key',
        data: { api_key_id: id, name: 'Stock sync', kind: 'account', expires_at: null },
      },
      { action: 'account.revoke_api_key', data: { api_key_id: id, name: 'Stock sync' } },
    ]);
  });

  test('and calls with a session share the Idempotency-Keys of the account', async () => {
    const { client } = await makeKey();
    const send = (by: TestClient) =>
      by.send('PATCH', '/api/me', { full_name: 'Once' }, { 'idempotency-key': 'shared' });
    expect((await send(seller.client)).headers.get('idempotency-replayed')).toBeNull();
    expect((await send(client)).headers.get('idempotency-replayed')).toBe('true');
  });

  test('end with a new password by a reset link, and stay with one of the own choice', async () => {
    const { client } = await makeKey();
    await seller.client.post('/api/auth/change-password', {
      current_password: seller.password,
      new_password: 'chosen by the account',
    });
    expect(await statusOf(client)).toBe(200);
    const { body } = await panel.admin.post(`/api/accounts/${seller.id}/reset-link`);
    const token = new URL(body.url).searchParams.get('token');
    const new_password = 'a new long password';
    await panel.anonymous().post('/api/auth/reset-password', { token, new_password });
    expect(await statusOf(client)).toBe(401);
  });

  test('made while their owner is banned are none', async () => {
    const made = Array.from({ length: 12 }, () => seller.client.post(PATH, { name: 'Racing' }));
    const ban = panel.admin.post(`/api/accounts/${seller.id}/ban`);
    const replies = await Promise.all(made);
    expect((await ban).status).toBe(200);
    for (const { status } of replies) expect([201, 401]).toContain(status);
    const left = await panel.services.db
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', seller.id)
      .execute();
    expect(left).toEqual([]);
  });
});
