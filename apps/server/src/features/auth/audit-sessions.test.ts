import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dumpText } from '../../testing/database/dump.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36';

describe.each(databases)('the audit log of sessions on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
  });
  beforeEach(async () => {
    seller = await panel.reseller();
    await clearLimits();
  });

  const clearLimits = (...scopes: string[]) => {
    const limits = panel.services.db.deleteFrom('rate_limits');
    return (scopes.length > 0 ? limits.where('scope', 'in', scopes) : limits).execute();
  };
  const entries = (id = seller.id) =>
    panel.services.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'address', 'request_id', 'before', 'after', 'data'])
      .where('subject_id', '=', id)
      .where('action', '<>', 'account.create')
      .orderBy('id')
      .execute();
  const count = async (action: string) =>
    (await entries()).filter((entry) => entry.action === action).length;
  const signIn = (email: string, password: string, headers: Record<string, string> = {}) =>
    panel.anonymous().send('POST', '/api/auth/sign-in/email', { email, password }, headers);

  test('tells who came and went, with what and from where', async () => {
    const { headers } = await signIn(seller.email, seller.password, { 'user-agent': CHROME });
    await seller.client.send('POST', '/api/auth/sign-out');
    expect(await entries()).toMatchObject([
      { action: 'account.sign_in', actor_id: seller.id, data: {} },
      {
        action: 'account.sign_in',
        actor_id: seller.id,
        address: '127.0.0.1',
        request_id: headers.get('x-request-id'),
        data: { browser: 'Chrome', system: 'Windows' },
      },
      { action: 'account.sign_out', actor_id: seller.id },
    ]);
  });

  test('has no sign-out where no session ended', async () => {
    await seller.client.send('POST', '/api/auth/sign-out');
    await seller.client.send('POST', '/api/auth/sign-out');
    await panel.anonymous().send('POST', '/api/auth/sign-out');
    expect(await count('account.sign_out')).toBe(1);
  });

  test('tells of wrong passwords, by nobody that is known, and not which', async () => {
    await signIn(seller.email.toUpperCase(), 'a password gone wrong');
    const last = (await entries()).at(-1);
    expect(last).toMatchObject({
      action: 'account.wrong_password',
      actor_id: null,
      address: '127.0.0.1',
      data: {},
    });
    await seller.client.post('/api/auth/change-password', {
      current_password: 'a password gone wrong',
      new_password: 'a new long password',
    });
    expect((await entries()).at(-1)).toMatchObject({
      action: 'account.wrong_password',
      actor_id: seller.id,
    });
    expect(await dumpText(panel.services.db)).not.toContain('gone wrong');
  });

  test('is silent of addresses that no account has, and of a ban', async () => {
    const all = async () =>
      (await panel.services.db.selectFrom('audit_log').select('id').execute()).length;
    const before = await all();
    // The password was typed into the wrong field.
    await signIn('hunter2@secret.example', 'x');
    expect(await all()).toBe(before);
    await panel.admin.post(`/api/accounts/${seller.id}/ban`);
    expect((await signIn(seller.email, seller.password)).status).toBe(401);
    expect(await count('account.wrong_password')).toBe(0);
  });

  test('is not filled by whoever tries on, from one address or from many', async () => {
    for (let time = 0; time < 8; time++) await signIn(seller.email, 'wrong');
    expect(await count('account.wrong_password')).toBe(5);
    // The attempts seem to come from different addresses, each with its own count of failures.
    for (let time = 0; time < 35; time++) {
      await clearLimits('sign-in', 'sign-in-address');
      expect((await signIn(seller.email, 'wrong')).status).toBe(401);
    }
    expect(await count('account.wrong_password')).toBe(30);
    await clearLimits('audited-failures');
    await clearLimits('sign-in', 'sign-in-address');
    await signIn(seller.email, 'wrong');
    expect(await count('account.wrong_password')).toBe(31);
  }, 120_000);

  test('is not filled by whoever signs in and out all day', async () => {
    await panel.services.db
      .insertInto('rate_limits')
      .values({
        scope: 'audited-sessions',
        subject: `account.sign_in ${seller.id}`,
        count: 59,
        window_ends_at: new Date(Date.now() + 3_000_000),
      })
      .execute();
    const before = await count('account.sign_in');
    for (let time = 0; time < 3; time++) {
      expect((await signIn(seller.email, seller.password)).status).toBe(200);
    }
    expect(await count('account.sign_in')).toBe(before + 1);
  });

  test('has the own name as it was and became', async () => {
    await seller.client.patch('/api/me', { full_name: 'Anna' });
    await seller.client.patch('/api/me', { full_name: 'Anna B.', username: 'anna' });
    const [first, second] = (await entries()).filter(({ action }) => action === 'account.edit');
    expect([first?.before, first?.after]).toEqual([{ full_name: '' }, { full_name: 'Anna' }]);
    expect([second?.before, second?.after]).toEqual([
      { full_name: 'Anna', username: seller.email },
      { full_name: 'Anna B.', username: 'anna' },
    ]);
  });

  test('has a reset by a link that an administrator made', async () => {
    const { body } = await panel.admin.post(`/api/accounts/${seller.id}/reset-link`);
    const token = new URL(body.url).searchParams.get('token');
    const new_password = 'a new long password';
    await panel.anonymous().post('/api/auth/reset-password', { token, new_password });
    expect((await entries()).slice(-2)).toMatchObject([
      { action: 'account.reset_link' },
      { action: 'account.reset_password', actor_id: null, address: '127.0.0.1' },
    ]);
  });
});
