// @module-tag thorough
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Panel, startPanel } from '../../commands/panel.ts';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import {
  deliver,
  type Event,
  newEvent,
  StripeServer,
} from '../../testing/payments/stripe-server.ts';
import { bankDetails, CardBuyer } from '../../testing/payments/top-ups.ts';
import { type GatedRequest, sendTogether } from '../../testing/wire/raw.ts';

let panel: TestPanel;
let second: Panel;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await new StripeServer().start();
  panel = await startTestPanel('postgres', stripe.env);
  second = await startPanel(panel.env, pino({ level: 'silent' }));
});
afterEach(async () => {
  await expectBalancedBooks(panel.services.db);
  expect((await panel.admin.get('/api/credits/verify')).body).toMatchObject({ ok: true });
});
afterAll(async () => {
  await second?.close();
  await panel?.stop();
  await stripe?.stop();
});

const urls = () => [panel.url, second.url];
const urlFor = (index: number) => urls()[index % 2] ?? panel.url;

async function newBuyer(): Promise<CardBuyer> {
  return new CardBuyer(panel, stripe, await panel.reseller({ credits: 0, group_id: '3' }));
}

const approval = (id: string, index: number): GatedRequest => ({
  url: urlFor(index),
  method: 'POST',
  path: `/api/topups/${id}/approve`,
  headers: { cookie: panel.admin.cookie, 'idempotency-key': crypto.randomUUID() },
  body: {},
});

/** Delivers the event twenty times at once. A delivery that a busy machine refuses is sent again, as Stripe does. */
async function deliverOften(event: Event, times = 20): Promise<void> {
  let open = Array.from({ length: times }, (_, index) => urlFor(index));
  while (open.length > 0) {
    const replies = await Promise.all(open.map((url) => deliver(url, event)));
    open = open.filter((_, index) => replies[index]?.status !== 200);
  }
}

const issuedTo = async ({ account }: CardBuyer) =>
  (await transfersOf(panel.services.db, account.id)).map(({ kind, amount }) => [kind, amount]);

test('approved on two panels at the same moment, a top-up is issued once', async () => {
  for (let round = 1; round <= 5; round++) {
    const buyer = await newBuyer();
    const { id } = await buyer.order();
    const tries = Array.from({ length: 8 }, (_, index) => approval(id, index));
    const replies = await sendTogether(tries);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    expect(await issuedTo(buyer)).toEqual([['topup', 50]]);
  }
});

test('paid by card and approved by hand at the same moment, it is issued once', async () => {
  for (let round = 1; round <= 5; round++) {
    const buyer = await newBuyer();
    const ordered = await buyer.order({}, { method: 'card' });
    const event = stripe.pay(await buyer.checkOut(ordered));
    const [replies] = await Promise.all([
      sendTogether([0, 1, 2, 3].map((index) => approval(ordered.id, index))),
      deliverOften(event),
    ]);
    expect(await issuedTo(buyer)).toEqual([['topup', 50]]);
    const byHand = replies.filter(({ status }) => status === 200).length;
    const { status, problem } = await buyer.read(ordered);
    expect([status, problem]).toEqual(['approved', byHand === 1 ? 'paid_again' : null]);
  }
});

test('approved and rejected at the same moment, it is one of both', async () => {
  for (let round = 1; round <= 5; round++) {
    const buyer = await newBuyer();
    const { id } = await buyer.order();
    const replies = await sendTogether(
      [0, 1, 2, 3].map((index) => ({
        ...approval(id, index),
        ...(index < 2
          ? { path: `/api/topups/${id}/reject`, body: { reason: 'No money came' } }
          : {}),
      })),
    );
    const done = replies.findIndex(({ status }) => status === 200);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await issuedTo(buyer)).toEqual(done < 2 ? [] : [['topup', 50]]);
  }
});

test('payment, refund and dispute at the same moment end alike', async () => {
  for (let round = 1; round <= 5; round++) {
    const buyer = await newBuyer();
    const ordered = await buyer.order({}, { method: 'card' });
    const session = await buyer.checkOut(ordered);
    const intent = { payment_intent: `pi_${session}` };
    const events = [
      stripe.pay(session),
      newEvent('charge.refunded', { id: `ch_${session}`, amount_refunded: 1000, ...intent }),
      newEvent('charge.refunded', { id: `ch_${session}`, amount_refunded: 2000, ...intent }),
      newEvent('charge.dispute.created', {
        ...{ id: `du_${session}`, amount: 1000, status: 'needs_response' },
        ...intent,
      }),
    ];
    await Promise.all(events.map((event) => deliverOften(event, 5)));
    const { returned_credits, owed_credits } = await buyer.read(ordered);
    expect([returned_credits, owed_credits, await buyer.balance()]).toEqual([30, 0, 20]);
  }
});

test('ordered at the same moment, each has a number of its own, and no more than ten wait', async () => {
  const buyer = await newBuyer();
  await panel.admin.patch('/api/settings', bankDetails);
  const made = await panel.admin.post('/api/packages', {
    ...{ name: 'Small', credits: 50, price_minor: 5000, currency: 'EUR' },
  });
  const replies = await sendTogether(
    Array.from({ length: 15 }, (_, index) => ({
      url: urlFor(index),
      method: 'POST',
      path: '/api/topups',
      headers: {
        cookie: buyer.account.client.cookie,
        'idempotency-key': crypto.randomUUID(),
      },
      body: { package_id: made.body.package.id },
    })),
  );
  const ordered = replies.filter(({ status }) => status === 201);
  expect(ordered).toHaveLength(10);
  expect(new Set(ordered.map(({ body }) => body.number)).size).toBe(10);
});
