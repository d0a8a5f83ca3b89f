// @module-tag thorough
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../../commands/panel.ts';
import { expectBalancedBooks, transfersOf } from '../../../testing/ledger/ledger.ts';
import { startTestShop, type TestAccount, type TestPanel } from '../../../testing/panel.ts';
import { type GatedReply, type GatedRequest, sendTogether } from '../../../testing/wire/raw.ts';

const TRIES = 100;
const COST = 4;

let panel: TestPanel;
let second: Panel;
let seller: TestAccount;
beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel } = shop);
  second = await startPanel(panel.env, pino({ level: 'silent' }));
  seller = await panel.reseller({ credits: 100 });
  return shop.stop;
});
afterEach(async () => {
  await expectBalancedBooks(panel.services.db);
  expect((await panel.admin.get('/api/credits/verify')).body).toMatchObject({ ok: true });
  await panel.services.db.deleteFrom('rate_limits').execute();
});
afterAll(() => second?.close());

/** Requests at the same moment, on two panels in turn. What a busy machine answers with 503 is sent again. */
async function together(requests: readonly Omit<GatedRequest, 'url'>[]): Promise<GatedReply[]> {
  let open: GatedRequest[] = requests.map((request, index) => {
    return { ...request, url: index % 2 ? panel.url : second.url };
  });
  const answered: GatedReply[] = [];
  while (open.length > 0) {
    const replies = await sendTogether(open);
    answered.push(...replies.filter(({ status }) => status !== 503));
    open = open.filter((_, index) => replies[index]?.status === 503);
  }
  return answered;
}

const newCode = async () =>
  (await seller.client.post('/api/activation-codes', { months: 3 })).body.codes[0];
const activation = (code: string, username: string) => ({
  method: 'POST',
  path: '/api/activate',
  headers: {},
  body: { code, username, password: 'a-password' },
});
const balance = async () => (await seller.client.get('/api/me')).body.credits as number;
const lines = async () => (await seller.client.get('/api/lines')).body.total as number;
const madeOf = (replies: readonly GatedReply[]) =>
  replies.filter(({ status }) => status === 201).length;

test('100 tries of one code at once, with a name each, make one line', async () => {
  const before = await balance();
  const { id, code } = await newCode();
  const replies = await together(
    Array.from({ length: TRIES }, (_, index) => activation(code, `race-${index}`)),
  );
  expect(madeOf(replies)).toBe(1);
  const refused = replies.filter(({ status }) => status !== 201).map(({ body }) => body.code);
  expect(new Set(refused)).toEqual(new Set(['ACTIVATION_CODE_USED', 'TOO_MANY_ATTEMPTS']));
  expect(await lines()).toBe(1);
  expect(await balance()).toBe(before - COST);
  expect((await seller.client.delete(`/api/activation-codes/${id}`)).status).toBe(409);
});

test('100 tries of one name with as many codes make one line, and spend one code', async () => {
  const { body } = await panel.admin.post('/api/activation-codes', { months: 3, count: TRIES });
  const replies = await together(
    body.codes.map(({ code }: { code: string }) => activation(code, 'one-name')),
  );
  expect(madeOf(replies)).toBe(1);
  const { total } = (await panel.admin.get('/api/activation-codes?status=used')).body;
  expect(total).toBe(1);
});

test('a code that is refunded meanwhile makes a line or gives back its credits, never both', async () => {
  for (let round = 0; round < 8; round++) {
    const [before, sold] = [await balance(), await lines()];
    const { id, code } = await newCode();
    const sale = (await transfersOf(panel.services.db, seller.id)).at(-1);
    const byKey = (cookie: string) => ({ cookie, 'idempotency-key': crypto.randomUUID() });
    const own = () => ({
      method: 'DELETE',
      path: `/api/activation-codes/${id}`,
      headers: byKey(seller.client.cookie),
      body: {},
    });
    const byAdmin = {
      method: 'POST',
      path: `/api/credits/transfers/${sale?.id}/refund`,
      headers: byKey(panel.admin.cookie),
      body: { note: 'Meanwhile' },
    };
    const tries = [activation(code, `meanwhile-${round}`), own(), own()];
    const isByAdmin = round % 2 === 1;
    const replies = await together(isByAdmin ? [...tries, byAdmin] : tries);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const isMade = (await lines()) > sold;
    // An administrator may refund the sale of a line that was made, which stays.
    const refunded = isByAdmin || !isMade;
    expect(await balance()).toBe(before - (refunded ? 0 : COST));
    await panel.services.db.deleteFrom('rate_limits').execute();
  }
});

test('codes made at once do not pass a limit or a balance', async () => {
  const maker = await panel.reseller({ credits: 20 });
  await panel.admin.send('PUT', `/api/accounts/${maker.id}/limits`, { lines: 4 });
  const replies = await together(
    Array.from({ length: 12 }, () => ({
      method: 'POST',
      path: '/api/activation-codes',
      headers: { cookie: maker.client.cookie, 'idempotency-key': crypto.randomUUID() },
      body: { months: 3 },
    })),
  );
  expect(madeOf(replies)).toBe(4);
  expect((await maker.client.get('/api/me')).body.credits).toBe(20 - 4 * COST);
});
