import { addDays, addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countTraces } from '../../../testing/ledger/ledger.ts';
import { newLine, storeLines } from '../../../testing/lines.ts';
import {
  startTestAgent,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

let panel: TestPanel;
let agent: Awaited<ReturnType<typeof startTestAgent>>;
let seller: TestAccount;
let today: string;
let server: { id: string };
beforeAll(async () => {
  agent = await startTestAgent();
  panel = await startTestPanel();
  server = await panel.addServer(agent.url);
  seller = await panel.reseller({ credits: 11 });
  today = panel.services.today();
});
afterAll(async () => {
  await panel?.stop();
  await agent?.close();
});

const quote = (body: object, client = seller.client) => client.post('/api/lines/quote', body);

describe('of a new line', () => {
  test.each([
    [1, 2],
    [3, 4],
    [6, 6],
    [12, 10],
    [24, 15],
  ])(
    '%i months cost %i, and the sale then takes the same',
    { tags: ['spec:4.7', 'spec:9.5', 'spec:9.1', 'spec:9.2', 'spec:9.3', 'spec:9.4'] },
    async (subscription_months, cost) => {
      const buyer = await panel.reseller({ credits: 15 });
      const { body } = await quote({ action: 'create', subscription_months }, buyer.client);
      expect(body).toEqual({
        cost,
        balance: 15,
        balance_after: 15 - cost,
        expiry_date: addMonths(today, subscription_months),
        trials_left: 5,
      });
      const line = newLine(`quoted-${subscription_months}`, { subscription_months });
      const { body: sold } = await buyer.client.post('/api/lines', line);
      expect(sold).toMatchObject({ cost, credits: body.balance_after });
      expect(sold.line.expiry_date).toBe(body.expiry_date);
    },
  );

  test('what is too dear shows how much is missing', async () => {
    const { body } = await quote({ action: 'create', subscription_months: 24 });
    expect(body).toMatchObject({ cost: 15, balance: 11, balance_after: -4 });
  });

  test('a trial costs nothing', { tags: ['spec:9.7'] }, async () => {
    expect((await quote({ action: 'create', is_trial: true })).body).toMatchObject({
      cost: 0,
      balance_after: 11,
      expiry_date: addDays(today, 2),
    });
  });

  test('an administrator pays nothing, whatever the months', async () => {
    const { body } = await quote({ action: 'create', subscription_months: 7 }, panel.admin);
    expect(body).toEqual({
      cost: 0,
      balance: 1000,
      balance_after: 1000,
      expiry_date: addMonths(today, 7),
      trials_left: null,
    });
  });

  test.each([
    [{ action: 'create', subscription_months: 7 }, 'Choose a duration that is offered'],
    [{ action: 'create', expiry_date: '01-01-2099' }, 'Only an administrator can set this field'],
    [{ action: 'create' }, 'Choose a trial or a duration'],
    [{ action: 'renew', subscription_months: 1 }, 'Invalid user ID'],
    [
      { action: 'create', expiry_date: '1st of May' },
      'Invalid expiry date format. Expected DD-MM-YYYY format.',
    ],
  ])('%j is refused: %s', async (body, message) => {
    expect(await quote(body)).toMatchObject({ status: 422, body: { message } });
  });

  test('takes no line, as a renewal is no trial', async () => {
    const line_id = crypto.randomUUID();
    const unknown = async (body: object) => (await quote(body)).body.data.field_codes;
    expect(await unknown({ action: 'create', subscription_months: 1, line_id })).toEqual({
      line_id: 'UNKNOWN_FIELD',
    });
    for (const is_trial of [true, false]) {
      expect(await unknown({ action: 'renew', line_id, subscription_months: 1, is_trial })).toEqual(
        { is_trial: 'UNKNOWN_FIELD' },
      );
    }
  });
});

describe('of a renewal', () => {
  async function lineUntil(username: string, expiry_date: string): Promise<string> {
    const { db } = panel.services;
    const [id = ''] = await storeLines(db, seller.id, server.id, [{ username, expiry_date }]);
    return id;
  }

  test('a running line is prolonged from its expiry, an ended one from today', async () => {
    const running = await lineUntil('running', addDays(today, 40));
    const ended = await lineUntil('ended', addDays(today, -400));
    const renew = (line_id: string) => quote({ action: 'renew', line_id, subscription_months: 3 });
    expect((await renew(running)).body).toMatchObject({
      cost: 4,
      expiry_date: addMonths(addDays(today, 40), 3),
    });
    expect((await renew(ended)).body).toMatchObject({ cost: 4, expiry_date: addMonths(today, 3) });
  });

  test('a named day costs the cheapest months that reach it', async () => {
    const expiry = addDays(today, 10);
    const line_id = await lineUntil('named-day', expiry);
    const answerTo = async (expiry_date: string) =>
      (await quote({ action: 'renew', line_id, expiry_date })).body;
    const costOf = async (expiry_date: string) => (await answerTo(expiry_date)).cost;
    expect(await costOf(addMonths(expiry, 9))).toBe(10);
    expect(await costOf(formatDay(addMonths(expiry, 13)))).toBe(12);
    expect(await costOf(addDays(expiry, 1))).toBe(2);
    for (const day of [expiry, today, addDays(today, -1)]) {
      expect((await answerTo(day)).code).toBe('INVALID_EXPIRY_DATE');
    }
  });
});

test('a quote changes nothing', async () => {
  const without = ({ keys: _, ...traces }: Record<string, number>) => traces;
  const before = without((await countTraces(panel.services.db)) ?? {});
  await quote({ action: 'create', subscription_months: 1 });
  await quote({ action: 'create', is_trial: true });
  expect(without((await countTraces(panel.services.db)) ?? {})).toEqual(before);
});
