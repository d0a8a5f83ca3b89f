import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, forgetUsedCodes, turnOn } from '../../testing/accounts/two-factor.ts';
import { TestClient } from '../../testing/client.ts';
import { dumpText } from '../../testing/database/dump.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await startTestPanel();
});
beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());

const path = (name: string) => `/api/auth/two-factor/${name}`;
const stateOf = async ({ client }: TestAccount) => (await client.get('/api/auth/two-factor')).body;
const isIn = async (client: TestClient) => (await client.get('/api/me')).status === 200;
const offer = (account: TestAccount) => turnOn(panel.services.db, account);

async function anotherSession({ email, password }: TestAccount): Promise<TestClient> {
  const client = new TestClient(panel.url);
  await client.signIn(email, password);
  return client;
}

describe.each(databases)('turning two-factor sign-in on on %s', (kind) => {
  let own: TestPanel;
  beforeAll(async () => {
    own = await startTestPanel(kind);
  });

  test('takes the password and a first code, ends other sessions and is audited', async () => {
    const { db } = own.services;
    const seller = await own.reseller();
    const other = new TestClient(own.url);
    await other.signIn(seller.email, seller.password);
    expect(await stateOf(seller)).toEqual({ is_on: false, recovery_codes_left: 0 });

    const begun = await seller.client.post(path('enable'), { password: seller.password });
    const { secret, otpauth_url, recovery_codes } = begun.body;
    expect(begun.status).toBe(200);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauth_url).toContain(`secret=${secret}&issuer=Linekeeper`);
    expect(new Set(recovery_codes).size).toBe(8);
    for (const code of recovery_codes) expect(code).toMatch(/^(?:[A-Z0-9]{4}-){4}[A-Z0-9]{4}$/);
    // Until a code was verified, sign-in asks for no code and no session ends.
    expect(await stateOf(seller)).toEqual({ is_on: false, recovery_codes_left: 0 });
    expect(
      (await new TestClient(own.url).signIn(seller.email, seller.password)).body.user,
    ).toBeDefined();
    expect(await isIn(other)).toBe(true);

    const code = await codeOf(db, secret);
    const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `;
    expect(await seller.client.post(path('verify'), { code: spaced })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await stateOf(seller)).toEqual({ is_on: true, recovery_codes_left: 8 });
    expect([await isIn(seller.client), await isIn(other)]).toEqual([true, false]);
    const audited = await db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'data'])
      .where('subject_id', '=', seller.id)
      .where('action', 'like', 'account.two_factor%')
      .execute();
    expect(audited).toEqual([{ actor_id: seller.id, action: 'account.two_factor_on', data: {} }]);
    const stored = await dumpText(db);
    for (const hidden of [secret, ...recovery_codes]) {
      expect(stored).not.toContain(hidden);
      expect(stored).not.toContain(hidden.replaceAll('-', ''));
    }
  });
});

describe('setting it up', () => {
  test('again before it is on replaces secret and codes', async () => {
    const seller = await panel.reseller();
    const begin = () => seller.client.post(path('enable'), { password: seller.password });
    const [first, second] = [(await begin()).body, (await begin()).body];
    const { db } = panel.services;
    const verify = async (secret: string) =>
      seller.client.post(path('verify'), { code: await codeOf(db, secret) });
    expect((await verify(first.secret)).status).toBe(422);
    expect((await verify(second.secret)).status).toBe(200);
  });

  test.each([
    ['enable', { password: 'wrong' }, 422, 'password', 'The current password is wrong'],
    ['enable', {}, 422, 'password', 'This field is required'],
    ['verify', { code: '12345' }, 422, 'code', 'Enter the 6 digits that the app shows'],
    ['verify', {}, 422, 'code', 'Enter the 6 digits that the app shows'],
    ['recovery-codes', { password: 'wrong' }, 422, 'password', 'The current password is wrong'],
    [
      'disable',
      { password: 'wrong', code: '123456' },
      422,
      'password',
      'The current password is wrong',
    ],
    ['disable', { password: 'x' }, 422, 'code', 'Enter the 6 digits that the app shows'],
    [
      'disable',
      { password: 'x', code: '123456', recovery_code: 'x' },
      422,
      'code',
      'Enter the 6 digits that the app shows',
    ],
  ])('%s with %j answers %i at %s', async (name, body, status, field, message) => {
    const seller = await panel.reseller();
    const reply = await seller.client.post(path(name), body);
    expect(reply).toMatchObject({ status, body: { fields: { [field]: message } } });
  });

  test('answers out of order what it lacks', async () => {
    const seller = await panel.reseller();
    const { password } = seller;
    const post = async (name: string, body: object) =>
      (await seller.client.post(path(name), body)).body.code;
    expect(await post('verify', { code: '123456' })).toBe('TWO_FACTOR_IS_OFF');
    expect(await post('recovery-codes', { password })).toBe('TWO_FACTOR_IS_OFF');
    expect(await post('disable', { password, code: '123456' })).toBe('TWO_FACTOR_IS_OFF');
    await offer(seller);
    expect(await post('enable', { password })).toBe('TWO_FACTOR_IS_ON');
    expect(await post('verify', { code: '123456' })).toBe('TWO_FACTOR_IS_ON');
    expect((await stateOf(seller)).is_on).toBe(true);
  });

  test('takes five wrong codes, however many are tried at once', async () => {
    const seller = await panel.reseller();
    await seller.client.post(path('enable'), { password: seller.password });
    const tries = await Promise.all(
      Array.from({ length: 9 }, () => seller.client.post(path('verify'), { code: '000000' })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(422),
      ...Array(4).fill(429),
    ]);
  });

  test('is not for visitors', async () => {
    for (const name of ['enable', 'verify', 'disable', 'recovery-codes']) {
      expect((await panel.anonymous().post(path(name), {})).status).toBe(401);
    }
  });
});

describe('turning it off', () => {
  test('takes password and code, and ends other sessions', async () => {
    const seller = await panel.reseller();
    const { password } = seller;
    const { db } = panel.services;
    const { secret } = await offer(seller);
    const wrong = await seller.client.post(path('disable'), { password, code: '000000' });
    expect(wrong).toMatchObject({
      status: 422,
      body: { fields: { code: 'The code is wrong or has already been used' } },
    });
    expect((await stateOf(seller)).is_on).toBe(true);
    const code = await codeOf(db, secret);
    expect((await seller.client.post(path('disable'), { password, code })).status).toBe(200);
    expect(await stateOf(seller)).toEqual({ is_on: false, recovery_codes_left: 0 });
    expect(await isIn(await anotherSession(seller))).toBe(true);
    const audited = await db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', '=', seller.id)
      .where('action', '=', 'account.two_factor_off')
      .execute();
    expect(audited).toHaveLength(1);
  });

  test('takes a recovery code too, for who has lost the phone', async () => {
    const seller = await panel.reseller();
    const { password } = seller;
    const { recovery_codes } = await offer(seller);
    const disable = (recovery_code: string) =>
      seller.client.post(path('disable'), { password, recovery_code });
    expect((await disable('wrong')).body.fields).toHaveProperty('recovery_code');
    expect((await disable(recovery_codes[3] ?? '')).status).toBe(200);
  });

  test('does not take a code a second time', async () => {
    const seller = await panel.reseller();
    const { password } = seller;
    const { db } = panel.services;
    const begun = await seller.client.post(path('enable'), { password });
    const code = await codeOf(db, begun.body.secret);
    expect((await seller.client.post(path('verify'), { code })).status).toBe(200);
    expect((await seller.client.post(path('disable'), { password, code })).status).toBe(422);
    await forgetUsedCodes(db);
    expect((await seller.client.post(path('disable'), { password, code })).status).toBe(200);
  });
});

test('new recovery codes end the ones before, and are audited', async () => {
  const seller = await panel.reseller();
  const { password } = seller;
  const before = (await offer(seller)).recovery_codes;
  const made = await seller.client.post(path('recovery-codes'), { password });
  expect(made.status).toBe(200);
  expect(made.body.recovery_codes).toHaveLength(8);
  expect((await stateOf(seller)).recovery_codes_left).toBe(8);
  const disable = (recovery_code: string) =>
    seller.client.post(path('disable'), { password, recovery_code });
  expect((await disable(before[0] ?? '')).status).toBe(422);
  expect((await disable(made.body.recovery_codes[0])).status).toBe(200);
  const audited = await panel.services.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject_id', '=', seller.id)
    .where('action', '=', 'account.new_recovery_codes')
    .execute();
  expect(audited).toHaveLength(1);
});
