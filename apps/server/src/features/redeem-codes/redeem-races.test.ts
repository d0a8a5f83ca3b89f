// @module-tag thorough
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { startTestPanel, type TestAccount, type TestPanel } from '../../testing/panel.ts';
import { type GatedReply, type GatedRequest, sendTogether } from '../../testing/wire/raw.ts';

const TRIES = 100;
const CREDITS = 7;

let panel: TestPanel;
let second: Panel;
let accounts: TestAccount[];
beforeAll(async () => {
  panel = await startTestPanel();
  second = await startPanel(panel.env, pino({ level: 'silent' }));
  accounts = await Promise.all(
    Array.from({ length: 10 }, () => panel.reseller({ credits: 0, group_id: '3' })),
  );
});
afterEach(async () => {
  await expectBalancedBooks(panel.services.db);
  expect((await panel.admin.get('/api/credits/verify')).body).toMatchObject({ ok: true });
});
afterAll(async () => {
  await second?.close();
  await panel?.stop();
});

async function newCode(max_uses: number): Promise<{ id: string; code: string }> {
  const { body } = await panel.admin.post('/api/redeem-codes', { credits: CREDITS, max_uses });
  return body.codes[0];
}

/**
 * Sends 100 requests at the same moment, by these accounts in turn and to two panels. A request
 * that a busy machine answers with 503 is sent again with its key, as a client would do.
 */
async function redeemTogether(who: readonly TestAccount[], code: string): Promise<GatedReply[]> {
  let open: GatedRequest[] = Array.from({ length: TRIES }, (_, index) => {
    const { cookie } = who[index % who.length]!.client;
    return {
      url: index % 2 === Math.floor(index / who.length) % 2 ? panel.url : second.url,
      method: 'POST',
      path: '/api/redeem',
      headers: { cookie, 'idempotency-key': crypto.randomUUID() },
      body: { code },
    };
  });
  const answered: GatedReply[] = [];
  while (open.length > 0) {
    const replies = await sendTogether(open);
    answered.push(...replies.filter(({ status }) => status !== 503));
    open = open.filter((_, index) => replies[index]?.status === 503);
  }
  return answered;
}

const balances = () =>
  panel.services.db
    .selectFrom('auth_users')
    .select(['id', 'credits', 'group_id'])
    .where(
      'id',
      'in',
      accounts.map(({ id }) => id),
    )
    .execute();
const sum = async () => (await balances()).reduce((all, { credits }) => all + credits, 0);

async function outcomes(code_id: string) {
  const rows = await panel.services.db
    .selectFrom('redeem_code_history')
    .selectAll()
    .where('code_id', '=', code_id)
    .execute();
  const succeeded = rows.filter(({ status }) => status === 'success');
  const { times_used } = await panel.services.db
    .selectFrom('redeem_codes')
    .select('times_used')
    .where('id', '=', code_id)
    .executeTakeFirstOrThrow();
  return { rows: rows.length, times_used, winners: succeeded.map(({ user_id }) => user_id) };
}

const countOf = (replies: readonly GatedReply[], text: string) =>
  replies.filter(({ body }) => body.message === text).length;

describe.each([1, 3])('100 tries at once of a code with %i uses', (max_uses) => {
  test('by one account redeem it once', { tags: ['spec:4.21'] }, async () => {
    const [account] = accounts as [TestAccount];
    const before = await sum();
    const code = await newCode(max_uses);
    const replies = await redeemTogether([account], code.code);
    expect(countOf(replies, 'Code redeemed successfully')).toBe(1);
    expect(countOf(replies, 'Code already redeemed by this user')).toBe(TRIES - 1);
    expect(await outcomes(code.id)).toEqual({ rows: TRIES, times_used: 1, winners: [account.id] });
    expect(await sum()).toBe(before + CREDITS);
  });

  test('by ten accounts redeem it as often as it may be, for each account once', {
    tags: ['spec:4.19'],
  }, async () => {
    const before = await sum();
    const code = await newCode(max_uses);
    const replies = await redeemTogether(accounts, code.code);
    expect(countOf(replies, 'Code redeemed successfully')).toBe(max_uses);
    const refused = ['Code already redeemed by this user', 'Invalid or expired code'];
    const counted = refused.map((text) => countOf(replies, text));
    // Each account sends ten requests. An account that redeems the code sends nine more, and each
    // other account sends ten in vain.
    expect(counted).toEqual([max_uses * 9, (10 - max_uses) * 10]);
    const { winners, ...rest } = await outcomes(code.id);
    expect(rest).toEqual({ rows: TRIES, times_used: max_uses });
    expect(new Set(winners).size).toBe(max_uses);
    expect(await sum()).toBe(before + CREDITS * max_uses);
    const wrong = (await balances()).filter(
      ({ credits, group_id }) => group_id !== (credits > 0 ? '2' : '3'),
    );
    expect(wrong).toEqual([]);
  });
});

test('a code that is deleted, switched off or given fewer uses meanwhile is never overdrawn', async () => {
  const before = await sum();
  const code = await newCode(9);
  const path = `/api/redeem-codes/${code.id}`;
  const [replies, fewer] = await Promise.all([
    redeemTogether(accounts, code.code),
    panel.admin.patch(path, { max_uses: 2 }),
  ]);
  const redeemed = countOf(replies, 'Code redeemed successfully');
  expect(fewer.status === 200 ? redeemed <= 2 : redeemed <= 9).toBe(true);
  expect(await sum()).toBe(before + redeemed * CREDITS);
  const other = await newCode(9);
  const [tries] = await Promise.all([
    redeemTogether(accounts, other.code),
    panel.admin.delete(`/api/redeem-codes/${other.id}`),
  ]);
  const others = countOf(tries, 'Code redeemed successfully');
  expect(await sum()).toBe(before + (redeemed + others) * CREDITS);
  expect(tries.filter(({ status }) => status >= 500)).toEqual([]);
});
