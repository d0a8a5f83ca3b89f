// @module-tag thorough
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '../../platform/keys/passwords.ts';
import { hashCheaply, hashFully } from '../../testing/accounts/password-cost.ts';
import { TestClient, type TestReply } from '../../testing/client.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';

beforeAll(hashFully);
afterAll(hashCheaply);

let panel: TestPanel;
let seller: TestAccount;
beforeAll(async () => {
  panel = await startTestPanel('postgres', { TRUST_PROXY: 'true' });
  seller = await panel.reseller();
});
beforeEach(() => panel.services.db.deleteFrom('rate_limits').execute());

const send = (path: string, body: object, address: string) =>
  panel.anonymous().send('POST', path, body, { 'x-forwarded-for': address });
const signIn = (email: string, password: string, address = '192.0.2.1') =>
  send('/api/auth/sign-in/email', { email, password }, address);
const guess = (address?: string) => signIn(`${randomUUID()}@panel.example`, 'a guess', address);

describe('a network counts as one address', () => {
  test.each([
    ['a /64 of IPv6', (time: number) => `2001:db8:1:2::${time.toString(16)}`],
    ['one IPv4 address with changing ports', (time: number) => `192.0.2.9:${40_000 + time}`],
    [
      'an IPv4 address, mapped into IPv6 and plain',
      (time: number) => (time % 2 ? '192.0.2.9' : '::ffff:192.0.2.9'),
    ],
    ['texts that are no address', (time: number) => `junk-${time}`],
  ])('%s', async (_, addressOf) => {
    for (let time = 1; time <= 30; time++) {
      expect((await guess(addressOf(time))).status).toBe(401);
    }
    expect((await guess(addressOf(31))).status).toBe(429);
    expect((await guess('2001:db8:1:3::1')).status).toBe(401);
  });
});

test('many networks have a hundred guesses of one account an hour together; its owner still gets in', async () => {
  const victim = await panel.reseller();
  await signIn(victim.email, victim.password, '198.51.100.7');
  const guessFrom = (network: number) =>
    signIn(victim.email, 'a guess', `2001:db8:${network.toString(16)}::1`);
  for (let network = 1; network <= 100; network++) {
    expect((await guessFrom(network)).status).toBe(401);
  }
  expect((await guessFrom(101)).status).toBe(429);
  expect((await signIn(victim.email, victim.password, '203.0.113.5')).status).toBe(429);
  expect((await signIn(victim.email, victim.password, '198.51.100.7')).status).toBe(200);
  expect((await signIn(seller.email, seller.password, '203.0.113.5')).status).toBe(200);
});

describe('thirty wrong passwords from one address', () => {
  test('lock it, whichever accounts were tried; other addresses may go on', async () => {
    for (let time = 1; time <= 30; time++) expect((await guess()).status).toBe(401);
    for (const reply of [await guess(), await signIn(seller.email, seller.password)]) {
      expect(reply).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await signIn(seller.email, seller.password, '192.0.2.2')).status).toBe(200);
    // Existing sessions keep working.
    expect((await seller.client.get('/api/me')).status).toBe(200);
  });

  test('are not exceeded by forty concurrent ones', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => guess()));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array(30).fill(401),
      ...Array(10).fill(429),
    ]);
  });

  test('do not include right ones, nor requests of a locked address', async () => {
    for (let time = 1; time <= 35; time++) {
      expect((await signIn(seller.email, seller.password)).status).toBe(200);
    }
    for (let time = 1; time <= 30; time++) await guess();
    for (let time = 1; time <= 6; time++) {
      expect((await signIn(seller.email, seller.password)).status).toBe(429);
    }
    await panel.services.db
      .deleteFrom('rate_limits')
      .where('scope', '=', 'sign-in-address')
      .execute();
    // No sign-in was counted against this account in the meantime.
    expect((await signIn(seller.email, seller.password)).status).toBe(200);
  });
});

const CROWD = 80;

/** Keeps the queue full until `work` is done; `hashed` counts the passwords hashed so far. */
async function whileCrowded<T>(work: (hashed: () => number) => Promise<T>): Promise<T> {
  let isOver = false;
  let hashed = 0;
  const visitors = Array.from({ length: CROWD }, async () => {
    while (!isOver) {
      await hashPassword('one of a crowd').then(
        () => {
          hashed += 1;
        },
        () => sleep(1),
      );
    }
  });
  try {
    return await work(() => hashed);
  } finally {
    isOver = true;
    await Promise.all(visitors);
  }
}

test('pages are served while sign-ins wait in the queue', async () => {
  await whileCrowded(async (hashed) => {
    for (const path of ['/', '/users/all', '/favicon.svg']) {
      const before = hashed();
      const page = await panel.anonymous().get(path);
      expect(page.status, path).toBe(200);
      expect(hashed() - before, path).toBeLessThan(CROWD);
    }
  });
});

test('if too many wait, the next is told to try again, and it does not count as an attempt', async () => {
  const guest = { email: `guest-${randomUUID()}@panel.example`, password: 'correct horse battery' };
  const { replies, page } = await whileCrowded(async () => {
    const replies: Record<string, TestReply> = {};
    for (let time = 1; time <= 6; time++) {
      replies[`sign-in ${time}`] = await signIn(seller.email, seller.password);
    }
    replies.unknown = await guess();
    replies.signUp = await send('/api/auth/sign-up/email', guest, '192.0.2.3');
    replies.account = await panel.admin.post('/api/accounts', { ...guest, group_id: '2' });
    for (let time = 1; time <= 6; time++) {
      replies[`change ${time}`] = await seller.client.post('/api/auth/change-password', {
        current_password: seller.password,
        new_password: 'a brand new password',
      });
    }
    return { replies, page: await panel.anonymous().get('/') };
  });
  for (const [name, reply] of Object.entries(replies)) {
    expect(reply, name).toMatchObject({
      status: 503,
      body: {
        code: 'BUSY_WITH_SIGN_INS',
        message: 'Too many people are signing in. Please try again in a moment.',
      },
    });
    expect(Number(reply.headers.get('retry-after')), name).toBeGreaterThan(0);
  }
  expect(page.status).toBe(200);
  // Refused requests count neither as wrong passwords nor as sign-ups.
  const counted = await panel.services.db
    .selectFrom('rate_limits')
    .select('scope')
    .where('count', '>', 0)
    .where('scope', '<>', 'acts-a-day')
    .execute();
  expect(counted).toEqual([]);
  expect((await signIn(seller.email, seller.password)).status).toBe(200);
  expect((await new TestClient(panel.url).signIn(guest.email, guest.password)).status).toBe(401);
});
