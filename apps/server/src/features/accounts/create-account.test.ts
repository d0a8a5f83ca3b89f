import { accountActs } from '@linekeeper/contract/accounts/accounts.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestClient } from '../../testing/client.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel();
  seller = await panel.reseller({ credits: 50 });
});
afterAll(() => panel?.stop());

const password = 'a password of its own';
let made = 0;
const about = (more: object = {}) => ({ email: `new-${++made}@panel.example`, password, ...more });
const make = (body: object, client = seller.client) => client.post('/api/accounts', body);

async function countAccounts(): Promise<number> {
  return (await panel.admin.get('/api/accounts?limit=1')).body.total;
}

describe('an administrator', () => {
  test('makes a user below nobody, who may sign in at once', async () => {
    const body = about({ full_name: 'Ann Example', notes: 'by phone' });
    const reply = await make(body, panel.admin);
    expect(reply.status).toBe(201);
    expect(reply.body.account).toEqual({
      id: expect.any(String),
      email: body.email,
      username: body.email,
      full_name: 'Ann Example',
      notes: 'by phone',
      credits: 0,
      group_id: '3',
      is_admin: false,
      owner_id: null,
      banned: false,
      status: 'active',
      created_at: expect.any(String),
      last_sign_in_at: null,
      line_count: 0,
      subtree_count: 0,
      price_list_id: null,
      may: accountActs.filter((act) => act !== 'unban'),
    });
    const client = new TestClient(panel.url);
    expect(await client.signIn(body.email, password)).toMatchObject({
      status: 200,
      body: { user: { permissions: [], credits: 0 } },
    });
    const { body: seen } = await panel.admin.get(`/api/accounts/${reply.body.account.id}`);
    expect(Date.parse(seen.last_sign_in_at)).toBeGreaterThanOrEqual(Date.parse(seen.created_at));
  });

  test('makes accounts of any group, other administrators too', async () => {
    const { body } = await make(about({ group_id: '1', username: 'root' }), panel.admin);
    expect(body.account).toMatchObject({ is_admin: true, credits: 1000, username: 'root' });
    const unknown = await make(about({ group_id: '99' }), panel.admin);
    expect(unknown).toMatchObject({ status: 404, body: { message: 'Group not found' } });
  });

  test('mints opening credits, which make a user a reseller', async () => {
    const { body } = await make(about({ credits: 7 }), panel.admin);
    expect(body.account).toMatchObject({ credits: 7, group_id: '2' });
    const transfers = await transfersOf(panel.services.db, body.account.id);
    expect(transfers).toMatchObject([{ kind: 'mint', amount: 7 }]);
  });
});

describe('a reseller', () => {
  test.each(['2', '3'])('makes accounts of group %s, below itself', async (group_id) => {
    const reply = await make(about({ group_id }));
    expect(reply).toMatchObject({
      status: 201,
      body: { account: { group_id, owner_id: seller.id, credits: 0 } },
    });
    const { body } = await seller.client.get(`/api/accounts/${reply.body.account.id}`);
    expect(body).toEqual(reply.body.account);
  });

  test('cannot make an administrator, nor anyone of a group it does not know', async () => {
    for (const group_id of ['1', '99']) {
      expect(await make(about({ group_id }))).toMatchObject({
        status: 422,
        body: { fields: { group_id: 'Only an administrator can set this field' } },
      });
    }
  });

  test('pays opening credits from its own balance', async () => {
    const { body } = await make(about({ credits: 5 }));
    expect(body.account).toMatchObject({ credits: 5, group_id: '2' });
    expect((await seller.client.get('/api/me')).body.credits).toBe(45);
    expect(await transfersOf(panel.services.db, body.account.id)).toMatchObject([
      { kind: 'transfer', from_id: seller.id, amount: 5, actor_id: seller.id },
    ]);
  });

  test('that has too few credits makes nobody, and the email stays free', async () => {
    const before = await countAccounts();
    const body = about({ credits: 46 });
    expect(await make(body)).toMatchObject({
      status: 409,
      body: { message: 'Insufficient credits. Required: 46, Available: 45' },
    });
    expect(await countAccounts()).toBe(before);
    expect((await make({ ...body, credits: 0 })).status).toBe(201);
  });

  test('cannot put an account elsewhere or give it more than it may', async () => {
    const more = { owner_id: null, is_admin: true, banned: false, email_verified: false };
    const refused = await make(about(more));
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, Object.keys(more)]);
    const { body } = await make(about());
    expect(body.account).toMatchObject({ owner_id: seller.id, is_admin: false, credits: 0 });
  });
});

test.each([
  [{ email: 'nobody' }, 'Enter a valid email address'],
  [{ email: '' }, 'Enter a valid email address'],
  [{ password: '1234567' }, 'Password must be at least 8 characters'],
  [{ credits: -1 }, 'Credits cannot be negative'],
  [{ credits: 1.5 }, 'Enter a whole number'],
  [{ credits: 1_000_000_001 }, 'Enter 1000000000 or less'],
  [{ full_name: 'a\0b' }, 'Some fields are wrong or missing'],
  [{ group_id: 'a\0b' }, 'Group not found'],
])('%j is refused: %s', async (wrong, message) => {
  expect(await make(about(wrong))).toMatchObject({ body: { message } });
});

test('an email that is taken is refused in any spelling', async () => {
  const { body } = await make(about());
  const before = await countAccounts();
  for (const email of [body.account.email, ` ${body.account.email.toUpperCase()} `]) {
    expect(await make({ email, password })).toMatchObject({
      status: 409,
      body: { code: 'EMAIL_EXISTS', message: 'Email already exists' },
    });
  }
  expect(await countAccounts()).toBe(before);
});

test('ten at once with credits for one opening make one account', async () => {
  const poor = await panel.reseller({ credits: 10 });
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => make(about({ credits: 10 }), poor.client)),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = replies.filter(({ status }) => status !== 201);
  expect(new Set(refused.map(({ body }) => body.message))).toEqual(
    new Set(['Insufficient credits. Required: 10, Available: 0']),
  );
  expect((await poor.client.get('/api/accounts')).body.total).toBe(2);
  await expectBalancedBooks(panel.services.db);
});

test('group 3 makes no accounts', async () => {
  const { client } = await panel.reseller({ credits: 0, group_id: '3' });
  for (const reply of [await make(about(), client), await client.get('/api/accounts')]) {
    expect(reply).toMatchObject({
      status: 403,
      body: { message: 'You do not have permission to do this' },
    });
  }
});

test('a new account is told to every account above it but its maker, and to nobody else', async () => {
  const between = await panel.below(seller);
  const maker = await panel.below(between);
  const beside = await panel.reseller();
  const body = about();
  const { account } = (await make(body, maker.client)).body;
  for (const { client } of [between, seller]) {
    const { items } = (await client.get('/api/notifications')).body;
    expect(items[0]).toMatchObject({ kind: 'friend-interactive', link: `/accounts/${account.id}` });
    expect(JSON.stringify(items[0])).toContain(body.email);
  }
  for (const { client } of [maker, beside]) {
    const { items } = (await client.get('/api/notifications')).body;
    expect(JSON.stringify(items)).not.toContain(body.email);
  }
});
