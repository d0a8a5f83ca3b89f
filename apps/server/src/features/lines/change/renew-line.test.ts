import { addDays, addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { transfersOf } from '../../../testing/ledger/ledger.ts';
import { newLine, readServerFiles } from '../../../testing/lines.ts';
import {
  startTestShop,
  type TestAccount,
  type TestAgent,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: TestAgent;
let seller: TestAccount;
let today: string;
beforeAll(async () => {
  const shop = await startTestShop();
  ({ panel, agent } = shop);
  seller = await panel.reseller({ credits: 1000 });
  today = panel.services.today();
  return shop.stop;
});

async function sell(username: string, more: Record<string, unknown> = {}) {
  const { body } = await seller.client.post('/api/lines', newLine(username, more));
  return body.line as { id: string; expiry_date: string };
}

const renew = (id: string, body: object, client = seller.client) =>
  client.post(`/api/lines/${id}/renew`, body);

/** Sets an expiry date in the past. */
async function endOn(id: string, expiry_date: string) {
  await panel.services.db.updateTable('users').set({ expiry_date }).where('id', '=', id).execute();
}

test.each([
  [1, 2],
  [3, 4],
  [6, 6],
  [12, 10],
  [24, 15],
])(
  '%i months cost %i and are added to what is left',
  { tags: ['spec:4.9', 'spec:9.1', 'spec:9.2', 'spec:9.3', 'spec:9.4', 'spec:9.5'] },
  async (months, cost) => {
    const line = await sell(`left-${months}`);
    const before = (await seller.client.get('/api/me')).body.credits;
    const reply = await renew(line.id, { subscription_months: months });
    const expiry_date = addMonths(line.expiry_date, months);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        cost,
        credits: before - cost,
        sync: { ok: true, message: null },
        line: { expiry_date, subscription_months: months, sync_state: 'synced' },
      },
    });
    expect((await seller.client.get('/api/me')).body.credits).toBe(before - cost);
    const { oscam } = await readServerFiles(agent);
    expect(oscam).toMatch(new RegExp(`left-${months}\\b[^[]*${expiry_date}`));
  },
);

test('an ended line is renewed from today, and its label Expired goes', async () => {
  const line = await sell('ended', { status: 'Expired' });
  await endOn(line.id, addDays(today, -40));
  const { body } = await renew(line.id, { subscription_months: 1 });
  expect(body.line).toMatchObject({
    expiry_date: addMonths(today, 1),
    status: [{ label: 'active', color: 'success' }],
  });
});

test('months are added once: the end of a month stays the end of a month', async () => {
  const line = await sell('january');
  await endOn(line.id, '2031-01-31');
  const { body } = await renew(line.id, { subscription_months: 1 });
  expect(body.line.expiry_date).toBe('2031-02-28');
});

describe('a named date', () => {
  test.each([
    [9, 10],
    [13, 12],
    [1, 2],
  ])(
    '%i months away costs the cheapest cover, %i',
    { tags: ['spec:4.9'] },
    async (months, cost) => {
      const line = await sell(`date-${months}`);
      const day = addMonths(line.expiry_date, months);
      const { body } = await renew(line.id, { expiry_date: formatDay(day) });
      expect(body).toMatchObject({ cost, line: { expiry_date: day } });
    },
  );

  test('within what is paid for is an administrator’s to set, and gives nothing back', async () => {
    const line = await sell('shorter', { subscription_months: 12 });
    const requested = { expiry_date: addDays(today, 10) };
    expect((await renew(line.id, requested)).body.code).toBe('INVALID_EXPIRY_DATE');
    expect((await renew(line.id, requested, panel.admin)).body.code).toBe('WOULD_SHORTEN');
    const asked = { ...requested, may_shorten: true };
    expect((await renew(line.id, asked, panel.admin)).body).toMatchObject({
      cost: 0,
      line: requested,
    });
    // Time that a seller gives up is lost: moving the date forward again costs credits.
    expect((await renew(line.id, { expiry_date: line.expiry_date })).body.cost).toBe(10);
  });

  test('is what was quoted, to the credit', async () => {
    const line = await sell('quoted');
    const requested = { expiry_date: addMonths(line.expiry_date, 5) };
    const { body: quote } = await seller.client.post('/api/lines/quote', {
      action: 'renew',
      line_id: line.id,
      ...requested,
    });
    const { body } = await renew(line.id, requested);
    expect(body).toMatchObject({ cost: quote.cost, credits: quote.balance_after });
    expect(body.line.expiry_date).toBe(quote.expiry_date);
  });
});

test('paid time ends a trial, and frees its place', async () => {
  const line = await sell('tried', { subscription_months: undefined, is_trial: true });
  expect((await renew(line.id, { subscription_months: 3 })).body).toMatchObject({
    cost: 4,
    line: { is_trial: false, subscription_months: 3, expiry_date: addMonths(line.expiry_date, 3) },
  });
});

test('an administrator pays nothing and writes no transfer, whatever the months', {
  tags: ['spec:6.5'],
}, async () => {
  const { client, id } = await panel.reseller({ credits: 5 });
  const { body } = await client.post('/api/lines', newLine('favour'));
  const before = (await transfersOf(panel.services.db, id)).length;
  const reply = await renew(body.line.id, { subscription_months: 7 }, panel.admin);
  expect(reply.body).toMatchObject({
    cost: 0,
    credits: 1000,
    line: { expiry_date: addMonths(body.line.expiry_date, 7) },
  });
  expect(await transfersOf(panel.services.db, id)).toHaveLength(before);
  expect((await client.get('/api/me')).body.credits).toBe(3);
});

describe('refused, with nothing changed:', () => {
  test.each([
    [{}, 'Choose a duration or an expiry date'],
    [{ subscription_months: 1, expiry_date: '2030-01-01' }, 'Choose a duration or an expiry date'],
    [{ subscription_months: 2 }, 'Choose a duration that is offered'],
    [{ subscription_months: -1 }, 'Choose a duration that is offered'],
    [{ subscription_months: 1.5 }, 'Choose a duration that is offered'],
    [{ expiry_date: '31-02-2030' }, 'Invalid expiry date format. Expected DD-MM-YYYY format.'],
    [{ expiry_date: '1-1-2030' }, 'Invalid expiry date format. Expected DD-MM-YYYY format.'],
    [{ expiry_date: '01-01-2100' }, 'Invalid expiry date format. Expected DD-MM-YYYY format.'],
  ])('%j', { tags: ['spec:5.10', 'spec:5.11'] }, async (body, message) => {
    const line = await sell(`no-${crypto.randomUUID().slice(-12)}`);
    const read = async () => [
      (await seller.client.get(`/api/lines/${line.id}`)).body,
      (await seller.client.get('/api/me')).body.credits,
    ];
    const before = await read();
    expect(await renew(line.id, body)).toMatchObject({ status: 422, body: { message } });
    const quote = { action: 'renew', line_id: line.id, ...body };
    expect(await seller.client.post('/api/lines/quote', quote)).toMatchObject({
      status: 422,
      body: { message },
    });
    expect(await read()).toEqual(before);
  });

  test('past the last day that can be entered', async () => {
    const line = await sell('for-ever');
    await endOn(line.id, '2099-06-01');
    expect(await renew(line.id, { subscription_months: 12 })).toMatchObject({
      status: 422,
      body: { message: 'The line would expire after 31-12-2099' },
    });
    const quote = { action: 'renew', line_id: line.id, subscription_months: 12 };
    expect(await seller.client.post('/api/lines/quote', quote)).toMatchObject({
      status: 422,
      body: { message: 'The line would expire after 31-12-2099' },
    });
  });

  test('more than the balance', async () => {
    const { client } = await panel.reseller({ credits: 4 });
    const { body } = await client.post('/api/lines', newLine('poor'));
    const reply = await renew(body.line.id, { subscription_months: 12 }, client);
    expect(reply).toMatchObject({
      status: 409,
      body: { message: 'Insufficient credits. Required: 10, Available: 2' },
    });
    expect((await client.get(`/api/lines/${body.line.id}`)).body).toEqual(body.line);
  });

  test('without an Idempotency-Key', async () => {
    const line = await sell('no-key');
    const reply = await seller.client.send('POST', `/api/lines/${line.id}/renew`, {
      subscription_months: 1,
    });
    expect(reply).toMatchObject({ status: 428, body: { code: 'IDEMPOTENCY_KEY_REQUIRED' } });
  });
});

test('twenty at once are made one after the other, each paid', async () => {
  const line = await sell('popular');
  const before = (await seller.client.get('/api/me')).body.credits;
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => renew(line.id, { subscription_months: 1 })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const { body } = await seller.client.get(`/api/lines/${line.id}`);
  // Renewals add up: each begins at the end of the previous one.
  let expected = line.expiry_date;
  for (let month = 0; month < 20; month++) expected = addMonths(expected, 1);
  expect(body.expiry_date).toBe(expected);
  // Each reply shows a different month.
  expect(new Set(replies.map((reply) => reply.body.line.expiry_date)).size).toBe(20);
  expect((await seller.client.get('/api/me')).body.credits).toBe(before - 40);
});

test('the same request sent ten times renews once', async () => {
  const line = await sell('impatient');
  const key = { 'idempotency-key': 'renew-once' };
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      seller.client.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 }, key),
    ),
  );
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const { body } = await seller.client.get(`/api/lines/${line.id}`);
  expect(body.expiry_date).toBe(addMonths(line.expiry_date, 1));
});

test('a renewal that was decided on another expiry date is refused, and paid once', async () => {
  const line = await sell('renewed-twice');
  const decided = { subscription_months: 1, from_expiry_date: formatDay(line.expiry_date) };
  const before = (await seller.client.get('/api/me')).body.credits;
  const answers = await Promise.all([renew(line.id, decided), renew(line.id, decided)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('LINE_CHANGED_SINCE');
  expect((await seller.client.get('/api/me')).body.credits).toBe(before - 2);
  const { body } = await seller.client.get(`/api/lines/${line.id}`);
  expect(body.expiry_date).toBe(addMonths(line.expiry_date as never, 1));
});
