// @module-tag thorough
import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import {
  deliver,
  type Event,
  newEvent,
  StripeServer,
} from '../../testing/payments/stripe-server.ts';
import { CardBuyer } from '../../testing/payments/top-ups.ts';

let panel: TestPanel;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await new StripeServer().start();
  panel = await startTestPanel('postgres', stripe.env);
});
afterEach(async () => {
  await expectBalancedBooks(panel.services.db);
  expect((await panel.admin.get('/api/credits/verify')).body).toMatchObject({ ok: true });
});
afterAll(async () => {
  await panel?.stop();
  await stripe?.stop();
});

const send = async (event: Event) => expect((await deliver(panel.url, event)).status).toBe(200);
const now = Math.floor(Date.now() / 1000);

interface Paid {
  buyer: CardBuyer;
  ordered: TopUp;
  session: string;
  /** The event that reports the payment. */
  paid: Event;
}

/** A top-up of 100 credits for 90.00 that was paid at Stripe, before the panel receives the event. */
async function newPayment(): Promise<Paid> {
  const account = await panel.reseller({ credits: 0, group_id: '3' });
  const buyer = new CardBuyer(panel, stripe, account);
  const ordered = await buyer.order({ credits: 100, price_minor: 9000 }, { method: 'card' });
  const session = await buyer.checkOut(ordered);
  return { buyer, ordered, session, paid: stripe.pay(session) };
}

async function newPaid(): Promise<Paid> {
  const payment = await newPayment();
  await send(payment.paid);
  return payment;
}

const refund = ({ session }: Paid, amount_refunded: number) =>
  newEvent('charge.refunded', {
    id: `ch_${session}`,
    object: 'charge',
    amount: 9000,
    amount_refunded,
    payment_intent: `pi_${session}`,
  });
const dispute = ({ session }: Paid, what: string, status: string, created = now, amount = 9000) =>
  newEvent(
    `charge.dispute.${what}`,
    { id: `du_${session}`, object: 'dispute', amount, status, payment_intent: `pi_${session}` },
    { created },
  );
const stands = async ({ buyer, ordered }: Paid) => {
  const { returned_credits, owed_credits } = await buyer.read(ordered);
  return { returned_credits, owed_credits, balance: await buyer.balance() };
};

describe('a refund', () => {
  test('takes back all credits where none is spent, and says so', async () => {
    const payment = await newPaid();
    const event = refund(payment, 9000);
    await send(event);
    await send(event);
    await send(refund(payment, 9000));
    expect(await stands(payment)).toEqual({ returned_credits: 100, owed_credits: 0, balance: 0 });
    expect(await payment.buyer.told()).toEqual([
      `Top-up ${payment.ordered.number} approved`,
      `Payment for ${payment.ordered.number} was refunded or disputed`,
    ]);
    const [own] = (await payment.buyer.account.client.get('/api/topups')).body.items;
    expect(own).toMatchObject({ status: 'approved', returned_credits: 100, balance_after: 100 });
  });

  test('in parts takes back their part of the credits, rounded down, in any order', async () => {
    const payment = await newPaid();
    const [first, second, third] = [3001, 6000, 9000].map((sum) => refund(payment, sum));
    await send(second as Event);
    expect(await stands(payment)).toMatchObject({ returned_credits: 66, balance: 34 });
    await send(first as Event);
    expect(await stands(payment)).toMatchObject({ returned_credits: 66, balance: 34 });
    await send(third as Event);
    expect(await stands(payment)).toMatchObject({ returned_credits: 100, balance: 0 });
  });

  test('takes back what is unspent and flags the rest, which an administrator settles', async () => {
    const payment = await newPaid();
    await payment.buyer.spend(70);
    await send(refund(payment, 4500));
    expect(await stands(payment)).toEqual({ returned_credits: 30, owed_credits: 20, balance: 0 });
    await send(refund(payment, 9000));
    expect(await stands(payment)).toEqual({ returned_credits: 30, owed_credits: 70, balance: 0 });
    const { number, id } = payment.ordered;
    const flagged = () => panel.admin.get(`/api/topups?is_flagged=true&q=${number}`);
    expect((await flagged()).body.total).toBe(1);
    const own = await payment.buyer.account.client.get('/api/topups');
    expect(own.body.items[0]).toMatchObject({ returned_credits: 30, owed_credits: 0 });
    const resolved = await panel.admin.post(`/api/topups/${id}/resolve`, { note: 'Let off' });
    expect(resolved.body).toMatchObject({ owed_credits: 0, returned_credits: 30 });
    expect((await flagged()).body.total).toBe(0);
    await send(refund(payment, 9000));
    expect(await stands(payment)).toEqual({ returned_credits: 30, owed_credits: 0, balance: 0 });
  });

  test('is not collected later from credits that came since, however often it is reported', async () => {
    const payment = await newPaid();
    await payment.buyer.spend(70);
    await send(refund(payment, 4500));
    const { account } = payment.buyer;
    await panel.admin.post(`/api/accounts/${account.id}/credits`, { amount: 100 });
    await send(refund(payment, 4500));
    expect(await stands(payment)).toEqual({ returned_credits: 30, owed_credits: 20, balance: 100 });
    await send(refund(payment, 5400));
    expect(await stands(payment)).toEqual({ returned_credits: 40, owed_credits: 20, balance: 90 });
  });

  test('that is reported before its payment leaves nothing to take back', async () => {
    const payment = await newPayment();
    await send(refund(payment, 3000));
    expect(await stands(payment)).toMatchObject({ returned_credits: 0, balance: 0 });
    await send(payment.paid);
    expect(await stands(payment)).toEqual({ returned_credits: 33, owed_credits: 0, balance: 67 });
    expect(await payment.buyer.read(payment.ordered)).toMatchObject({ status: 'approved' });
  });

  test('of a payment that issued nothing takes nothing back', async () => {
    const payment = await newPayment();
    await panel.admin.post(`/api/topups/${payment.ordered.id}/approve`);
    await send(payment.paid);
    await send(refund(payment, 9000));
    expect(await stands(payment)).toEqual({ returned_credits: 0, owed_credits: 0, balance: 100 });
  });
});

describe('a dispute', () => {
  test('takes the credits back, and gives them again where it is won', async () => {
    const payment = await newPaid();
    await payment.buyer.spend(40);
    await send(dispute(payment, 'created', 'needs_response'));
    expect(await stands(payment)).toEqual({ returned_credits: 60, owed_credits: 40, balance: 0 });
    await send(dispute(payment, 'funds_withdrawn', 'needs_response'));
    await send(dispute(payment, 'updated', 'under_review', now + 10));
    expect(await stands(payment)).toEqual({ returned_credits: 60, owed_credits: 40, balance: 0 });
    await send(dispute(payment, 'closed', 'won', now + 20));
    expect(await stands(payment)).toEqual({ returned_credits: 0, owed_credits: 0, balance: 60 });
    expect((await payment.buyer.told()).at(-1)).toBe(
      `Payment for ${payment.ordered.number} is valid again`,
    );
  });

  test('that was forgiven and then won forgives nothing of a later refund', async () => {
    const payment = await newPaid();
    await payment.buyer.spend(70);
    await send(dispute(payment, 'created', 'needs_response'));
    expect(await stands(payment)).toEqual({ returned_credits: 30, owed_credits: 70, balance: 0 });
    await panel.admin.post(`/api/topups/${payment.ordered.id}/resolve`, { note: 'Let off' });
    await send(dispute(payment, 'closed', 'won', now + 20));
    expect(await stands(payment)).toEqual({ returned_credits: 0, owed_credits: 0, balance: 30 });
    await send(refund(payment, 9000));
    expect(await stands(payment)).toEqual({ returned_credits: 30, owed_credits: 70, balance: 0 });
  });

  test.each(['before', 'after'])(
    'for half that was forgiven and is won %s half is refunded leaves that half taken',
    async (order) => {
      const payment = await newPaid();
      const { account } = payment.buyer;
      await payment.buyer.spend(100);
      await send(dispute(payment, 'created', 'needs_response', now, 4500));
      expect(await stands(payment)).toEqual({ returned_credits: 0, owed_credits: 50, balance: 0 });
      await panel.admin.post(`/api/topups/${payment.ordered.id}/resolve`, { note: 'Let off' });
      await panel.admin.post(`/api/accounts/${account.id}/credits`, { amount: 100 });
      const won = dispute(payment, 'closed', 'won', now + 20, 4500);
      const events = [won, refund(payment, 4500)];
      for (const event of order === 'before' ? events : events.toReversed()) await send(event);
      expect(await stands(payment)).toEqual({ returned_credits: 50, owed_credits: 0, balance: 50 });
      await send(refund(payment, 9000));
      expect(await stands(payment)).toEqual({ returned_credits: 100, owed_credits: 0, balance: 0 });
    },
  );

  test('that is lost stays, whatever comes late', async () => {
    const payment = await newPaid();
    await send(dispute(payment, 'closed', 'lost', now + 20));
    await send(dispute(payment, 'created', 'needs_response', now));
    await send(dispute(payment, 'funds_reinstated', 'won', now + 30));
    expect(await stands(payment)).toEqual({ returned_credits: 100, owed_credits: 0, balance: 0 });
  });

  test('that was won before its beginning is reported takes nothing', async () => {
    const payment = await newPaid();
    await send(dispute(payment, 'closed', 'won', now + 20));
    await send(dispute(payment, 'created', 'needs_response', now));
    expect(await stands(payment)).toMatchObject({ returned_credits: 0, balance: 100 });
  });

  test('that is only asked about takes nothing until it becomes one', async () => {
    const payment = await newPaid();
    await send(dispute(payment, 'created', 'warning_needs_response', now));
    expect(await stands(payment)).toMatchObject({ returned_credits: 0, balance: 100 });
    await send(dispute(payment, 'updated', 'needs_response', now + 5, 4500));
    expect(await stands(payment)).toMatchObject({ returned_credits: 50, balance: 50 });
  });

  test('beside a refund takes back no more than was issued', async () => {
    const payment = await newPaid();
    await send(refund(payment, 6000));
    await send(dispute(payment, 'created', 'needs_response'));
    expect(await stands(payment)).toEqual({ returned_credits: 100, owed_credits: 0, balance: 0 });
    await send(dispute(payment, 'closed', 'won', now + 5));
    expect(await stands(payment)).toEqual({ returned_credits: 66, owed_credits: 0, balance: 34 });
  });
});
