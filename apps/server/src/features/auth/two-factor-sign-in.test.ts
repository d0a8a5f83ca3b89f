// @module-tag thorough

import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { healClock } from '../../heal-clock.ts';
import {
  challengeOf,
  codeOf,
  forgetUsedCodes,
  secondStep,
  turnOn,
} from '../../testing/accounts/two-factor.ts';
import { TestClient } from '../../testing/client.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../testing/panel.ts';
import { correctClock } from '../../testing/process/shifted-clock.ts';

const wrongCode = {
  status: 401,
  body: { code: 'TWO_FACTOR_REFUSED', message: 'The code is wrong or has already been used' },
};
const ended = { status: 401, body: { code: 'CHALLENGE_ENDED' } };
const tooMany = { status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } };

describe.each(databases)('the second step on %s', (kind) => {
  let panel: TestPanel;
  let seller: TestAccount;
  let secret: string;
  let recovery: string[];
  beforeAll(async () => {
    panel = await startTestPanel(kind, { TRUST_PROXY: 'true' });
    seller = await panel.reseller();
    ({ secret, recovery_codes: recovery } = await turnOn(panel.services.db, seller));
  });
  beforeEach(async () => {
    await panel.services.db.deleteFrom('rate_limits').execute();
    await forgetUsedCodes(panel.services.db);
  });

  const code = (later = 0) => codeOf(panel.services.db, secret, later);
  const challenge = () => challengeOf(panel.url, seller);
  const severalChallenges = async (count: number) => {
    const challenges: string[] = [];
    while (challenges.length < count) challenges.push(await challenge());
    return challenges;
  };
  const finish = (body: Parameters<typeof secondStep>[1], address?: string) =>
    secondStep(panel.anonymous(), body, address ? { 'x-forwarded-for': address } : {});
  const signIn = async (given: { code: string } | { recovery_code: string }) =>
    finish({ challenge: await challenge(), ...given });
  const sessions = async () =>
    (
      await panel.services.db
        .selectFrom('auth_sessions')
        .select('id')
        .where('user_id', '=', seller.id)
        .execute()
    ).length;

  test('comes after the password, which alone opens no session', async () => {
    const open = await sessions();
    const client = new TestClient(panel.url);
    const first = await client.signIn(seller.email, seller.password);
    expect(first).toMatchObject({ status: 200, body: { two_factor_required: true } });
    expect(Object.keys(first.body).sort()).toEqual(['challenge', 'two_factor_required']);
    expect(first.headers.getSetCookie()).toEqual([]);
    expect(await sessions()).toBe(open);
    expect((await client.get('/api/me')).status).toBe(401);

    const second = await finish({ challenge: first.body.challenge, code: await code() });
    expect(second).toMatchObject({ status: 200, body: { user: { id: seller.id } } });
    const [cookie = ''] = second.headers.getSetCookie();
    expect(cookie).toMatch(/^linekeeper\.session=[^;]{60,}; Max-Age=604800; .*HttpOnly/);
    client.cookie = cookie.split(';')[0] ?? '';
    expect((await client.get('/api/me')).body.id).toBe(seller.id);
  });

  test('is not reached with a wrong password', async () => {
    expect(await new TestClient(panel.url).signIn(seller.email, 'wrong')).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CREDENTIALS' },
    });
  });

  test('takes a challenge once, also from twenty at the same time', async () => {
    const taken = await challenge();
    const given = { challenge: taken, code: await code() };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => finish(given, `192.0.2.${index}`)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await finish({ challenge: taken, code: await code(1) })).toMatchObject(ended);
  });

  test('takes a code once, whichever challenge it comes with', async () => {
    const [first, second] = [await challenge(), await challenge()];
    const present = await code();
    expect((await finish({ challenge: first, code: present })).status).toBe(200);
    expect(await finish({ challenge: second, code: present })).toMatchObject(wrongCode);
    // An older code counts as used. The next one is accepted.
    expect(await finish({ challenge: second, code: await code(-1) })).toMatchObject(wrongCode);
    expect((await finish({ challenge: second, code: await code(1) })).status).toBe(200);
  });

  test('takes a recovery code once, also from twenty at the same time', async () => {
    const recovery_code = recovery.pop() ?? '';
    const challenges = await severalChallenges(20);
    const replies = await Promise.all(
      challenges.map((challenge, index) =>
        finish({ challenge, recovery_code }, `192.0.2.${index}`),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
  });

  test.each([
    [-1, 200],
    [1, 200],
    [-2, 401],
    [2, 401],
  ])('takes a phone’s clock that is %i steps off: %i', async (later, status) => {
    expect((await signIn({ code: await code(later) })).status).toBe(status);
  });

  test('ends after five wrong codes, and counts them like wrong passwords', async () => {
    const taken = await challenge();
    for (let time = 1; time <= 4; time++) {
      expect(await finish({ challenge: taken, code: '000000' })).toMatchObject(wrongCode);
    }
    expect(await finish({ challenge: taken, code: '000000' })).toMatchObject(ended);
    // The account is locked for this address in both steps, even with the right password and code.
    expect(await new TestClient(panel.url).signIn(seller.email, seller.password)).toMatchObject(
      tooMany,
    );
    await panel.services.db.deleteFrom('rate_limits').execute();
    expect(await finish({ challenge: taken, code: await code() })).toMatchObject(ended);
    expect((await signIn({ code: await code() })).status).toBe(200);
  });

  test('counts wrong codes of several challenges together, and right ones not at all', async () => {
    const challenges = await severalChallenges(6);
    const [, , , , , last = ''] = challenges;
    const replies = await Promise.all(
      challenges.map((challenge) => finish({ challenge, code: '000000' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), 429]);
    expect(await finish({ challenge: last, code: await code() })).toMatchObject(tooMany);
    expect((await finish({ challenge: last, code: await code() }, '192.0.2.1')).status).toBe(200);
    await panel.services.db.deleteFrom('rate_limits').execute();
    await forgetUsedCodes(panel.services.db);
    for (let time = 1; time <= 7; time++) {
      expect((await signIn({ code: await code() })).status).toBe(200);
      await forgetUsedCodes(panel.services.db);
    }
  });

  // The rest uses the same statements on both databases.
  if (kind === 'embedded') return;

  test('takes thirty wrong codes an hour from wherever, and then recovery codes only', async () => {
    let taken = '';
    for (let time = 0; time < 30; time++) {
      if (time % 4 === 0) taken = await challenge();
      const reply = await finish({ challenge: taken, code: '000000' }, `192.0.2.${time}`);
      expect(reply).toMatchObject(wrongCode);
    }
    const address = '198.51.100.1';
    expect(await finish({ challenge: taken, code: await code() }, address)).toMatchObject(tooMany);
    const recovery_code = recovery.pop() ?? '';
    expect((await finish({ challenge: taken, recovery_code }, address)).status).toBe(200);
  });

  test('takes recovery codes as people type them, and says in the audit log that one was used', async () => {
    const typed = (recovery.pop() ?? '').toLowerCase().replaceAll('-', ' ');
    expect((await signIn({ recovery_code: typed })).status).toBe(200);
    const audited = await panel.services.db
      .selectFrom('audit_log')
      .select(['actor_id', 'data', 'address'])
      .where('action', '=', 'account.use_recovery_code')
      .where('subject_id', '=', seller.id)
      .orderBy('created_at', 'desc')
      .execute();
    expect(audited[0]).toMatchObject({ actor_id: seller.id, data: {} });
    expect(await signIn({ recovery_code: typed })).toMatchObject(wrongCode);
  });

  test('waits five minutes; a clock set back does not prolong that', async () => {
    const late = await challenge();
    await sql`update one_time_tokens set expires_at = expires_at - interval '301 seconds'`.execute(
      panel.services.db,
    );
    expect(await finish({ challenge: late, code: await code() })).toMatchObject(ended);
    const ahead = await challenge();
    await correctClock(panel.services.db, -1);
    await healClock(panel.services);
    expect(await finish({ challenge: ahead, code: await code() })).toMatchObject(ended);
    await panel.services.db.deleteFrom('rate_limits').execute();
    expect((await signIn({ code: await code() })).status).toBe(200);
  });

  test('locks nobody out who used a code while the clock was ahead', async () => {
    await sql`update two_factor set last_step = last_step + extract(epoch from now())::bigint / 30 + 2880`.execute(
      panel.services.db,
    );
    await healClock(panel.services);
    const present = await code();
    expect((await signIn({ code: present })).status).toBe(200);
    expect(await signIn({ code: present })).toMatchObject(wrongCode);
  });

  test.each([
    [{ code: '123456' }, 'challenge'],
    [{ challenge: 'x' }, 'code'],
    [{ challenge: 'x', code: '12345' }, 'code'],
    [{ challenge: 'x', code: '123456', recovery_code: 'x' }, 'code'],
    [{ challenge: 'x', recovery_code: '' }, 'recovery_code'],
    [{ challenge: 'x', code: '123456', trusted: true }, 'trusted'],
  ])('with %j is refused at %s', async (body, field) => {
    const reply = await finish(body as never);
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([422, [field]]);
  });

  test('answers an unknown challenge without a word about accounts', async () => {
    const reply = await finish({ challenge: 'x'.repeat(43), code: '123456' });
    expect(reply).toMatchObject({ ...ended, body: { data: {} } });
  });

  test('is another account’s only with that account’s code', async () => {
    const other = await panel.reseller();
    const theirs = await turnOn(panel.services.db, other);
    const taken = await challenge();
    const foreign = await codeOf(panel.services.db, theirs.secret);
    expect(await finish({ challenge: taken, code: foreign })).toMatchObject(wrongCode);
    const recovery_code = theirs.recovery_codes[0] ?? '';
    expect(await finish({ challenge: taken, recovery_code })).toMatchObject(wrongCode);
  });

  test('is asked for after the password was reset by a link; a sign-in under way ends', async () => {
    const waiting = await challenge();
    const { body } = await panel.admin.post(`/api/accounts/${seller.id}/reset-link`);
    const token = new URL(body.url).searchParams.get('token');
    const reset = { token, new_password: 'set by a link that time' };
    expect((await panel.anonymous().post('/api/auth/reset-password', reset)).status).toBe(200);
    seller.password = reset.new_password;
    expect(await finish({ challenge: waiting, code: await code() })).toMatchObject(ended);
    const again = await new TestClient(panel.url).signIn(seller.email, seller.password);
    expect(again.body.two_factor_required).toBe(true);
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test('ends with a change of the password, and with a ban', async () => {
    const owner = await panel.reseller();
    const { secret } = await turnOn(panel.services.db, owner);
    const waiting = await challengeOf(panel.url, owner);
    const new_password = 'another one, of many letters';
    await owner.client.post('/api/auth/change-password', {
      current_password: owner.password,
      new_password,
    });
    const present = () => codeOf(panel.services.db, secret);
    expect(await finish({ challenge: waiting, code: await present() })).toMatchObject(ended);
    const banned = await challengeOf(panel.url, { ...owner, password: new_password });
    await panel.admin.post(`/api/accounts/${owner.id}/ban`);
    expect(await finish({ challenge: banned, code: await present() })).toMatchObject(ended);
  });
});
