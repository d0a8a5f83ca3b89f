// @module-tag thorough
import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { expectBalancedBooks } from '../../testing/ledger/ledger.ts';
import { type Mailbox, startMailbox } from '../../testing/mail/mailbox.ts';
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
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  stripe = await new StripeServer().start();
  panel = await startTestPanel('postgres', {
    ...stripe.env,
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'https://panel.example',
  });
});
afterEach(async () => {
  stripe.mood = 'sound';
  await expectBalancedBooks(panel.services.db);
});
afterAll(async () => {
  await panel?.stop();
  await stripe?.stop();
  await mailbox?.close();
});

const send = async (event: Event) => expect((await deliver(panel.url, event)).status).toBe(200);

interface Paid {
  buyer: CardBuyer;
  ordered: TopUp;
  session: string;
}

/** A top-up of 50 credits for 50.00 whose payment page is open. */
async function newOrder(): Promise<Paid> {
  const account = await panel.reseller({ credits: 0, group_id: '3' });
  const buyer = new CardBuyer(panel, stripe, account);
  const ordered = await buyer.order({}, { method: 'card' });
  return { buyer, ordered, session: await buyer.checkOut(ordered) };
}

/** A top-up that an administrator approved, and that was then paid by card too. */
async function newPaidTwice(): Promise<Paid> {
  const order = await newOrder();
  stripe.mood = 'broken';
  await panel.admin.post(`/api/topups/${order.ordered.id}/approve`);
  stripe.mood = 'sound';
  await send(stripe.pay(order.session));
  return order;
}

const refund = (session: string, amount_refunded: number) =>
  newEvent('charge.refunded', {
    id: `ch_${session}`,
    object: 'charge',
    amount_refunded,
    payment_intent: `pi_${session}`,
  });
const dispute = (session: string, what: string, status: string) =>
  newEvent(`charge.dispute.${what}`, {
    id: `du_${session}`,
    object: 'dispute',
    amount: 5000,
    status,
    payment_intent: `pi_${session}`,
  });

/** The top-up as its account sees it. */
async function own({ buyer }: Paid): Promise<TopUp> {
  return (await buyer.account.client.get('/api/topups')).body.items[0];
}

describe('whoever paid what no credits were issued for', () => {
  test('a second time is told on the panel, by mail in its language, and in its list', async () => {
    const order = await newOrder();
    const { buyer, ordered } = order;
    await buyer.account.client.patch('/api/me/settings', { language: 'pl' });
    stripe.mood = 'broken';
    await panel.admin.post(`/api/topups/${ordered.id}/approve`);
    stripe.mood = 'sound';
    const again = stripe.pay(order.session);
    await send(again);
    await send(again);
    const title = `Doładowanie ${ordered.number} opłacono ponownie`;
    expect((await buyer.told()).filter((told) => told === title)).toHaveLength(1);
    await eventually(() => {
      const letter = mailbox
        .lettersTo(buyer.account.email)
        .find(({ subject }) => subject.startsWith(title));
      expect(letter?.text).toMatch(/50,00\s€/);
      expect(letter?.text).toContain('Za tę płatność nie dodano kredytów.');
    });
    expect(await own(order)).toMatchObject({
      status: 'approved',
      problem: 'paid_again',
      surplus: [{ paid_minor: 5000, currency: 'EUR', returned_minor: 0 }],
      owed_credits: 0,
    });
    expect(await buyer.balance()).toBe(50);
  });

  test.each([6000, 4000])(
    '%i in place of 5000 is told, with both amounts',
    async (amount_total) => {
      const order = await newOrder();
      await send(stripe.pay(order.session, { amount_total }));
      const { number } = order.ordered;
      expect(await order.buyer.told()).toEqual([`A different amount was paid for ${number}`]);
      const { content } = await panel.services.db
        .selectFrom('notifications')
        .select('content')
        .where('account_id', '=', order.buyer.account.id)
        .executeTakeFirstOrThrow();
      expect(content).toBe(
        `€${amount_total / 100}.00 was paid by card, but €50.00 was ordered. ` +
          'No credits were added for this payment. An administrator will check it.',
      );
      expect(await own(order)).toMatchObject({
        status: 'pending',
        problem: 'wrong_amount',
        surplus: [{ paid_minor: amount_total, currency: 'EUR', returned_minor: 0 }],
      });
    },
  );

  test('sees nobody else’s', async () => {
    const order = await newPaidTwice();
    const other = await newOrder();
    expect(await own(other)).toMatchObject({ problem: null, surplus: [] });
    const { body } = await other.buyer.account.client.get(`/api/topups?q=${order.ordered.number}`);
    expect(body.items).toEqual([]);
  });
});

describe('what was paid again', () => {
  test('is settled by its full refund, and not by a part of it', async () => {
    const order = await newPaidTwice();
    const { buyer, ordered, session } = order;
    await send(refund(session, 4999));
    expect(await own(order)).toMatchObject({
      problem: 'paid_again',
      surplus: [{ returned_minor: 4999 }],
    });
    await send(refund(session, 5000));
    await send(refund(session, 5000));
    expect(await own(order)).toMatchObject({
      status: 'approved',
      problem: null,
      surplus: [{ paid_minor: 5000, returned_minor: 5000 }],
    });
    const title = `Payment for ${ordered.number} refunded`;
    expect((await buyer.told()).filter((told) => told === title)).toHaveLength(1);
    const flagged = await panel.admin.get(`/api/topups?is_flagged=true&q=${ordered.number}`);
    expect(flagged.body.total).toBe(0);
    expect(await buyer.balance()).toBe(50);
    const entry = await panel.services.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('subject_id', '=', ordered.id)
      .where('action', '=', 'topup.refunded')
      .execute();
    expect(entry).toEqual([{ before: { problem: 'paid_again' }, after: { problem: null } }]);
    const resolve = await panel.admin.post(`/api/topups/${ordered.id}/resolve`, { note: 'x' });
    expect(resolve.body.code).toBe('ALREADY_SO');
  });

  test('is settled by a refund that is reported before it', async () => {
    const order = await newOrder();
    stripe.mood = 'broken';
    await panel.admin.post(`/api/topups/${order.ordered.id}/approve`);
    stripe.mood = 'sound';
    const paid = stripe.pay(order.session);
    await send(refund(order.session, 5000));
    await send(paid);
    expect(await own(order)).toMatchObject({ status: 'approved', problem: null });
  });

  test('is settled by a dispute once that is lost, not while it may be won', async () => {
    const order = await newPaidTwice();
    await send(dispute(order.session, 'created', 'needs_response'));
    expect(await own(order)).toMatchObject({ problem: 'paid_again' });
    await send(dispute(order.session, 'closed', 'lost'));
    expect(await own(order)).toMatchObject({ problem: null });
  });

  test('beside a payment that counts: a refund of that one leaves it flagged', async () => {
    const order = await newOrder();
    await send(stripe.pay(order.session, { amount_total: 6000 }));
    const second = await order.buyer.checkOut(order.ordered);
    await send(stripe.pay(second));
    expect(await own(order)).toMatchObject({ status: 'approved', problem: 'wrong_amount' });
    expect(await order.buyer.balance()).toBe(50);
    await send(refund(second, 5000));
    expect(await own(order)).toMatchObject({ returned_credits: 50, problem: 'wrong_amount' });
    await send(refund(order.session, 6000));
    expect(await own(order)).toMatchObject({ returned_credits: 50, problem: null });
  });
});

describe('a session that was reported with another amount first', () => {
  const wrongFirst = async () => {
    const order = await newOrder();
    const right = stripe.pay(order.session);
    await send(
      newEvent('checkout.session.completed', { ...right.data.object, amount_total: 4000 }),
    );
    return { order, right };
  };

  test('stays to be checked whatever is reported later, and an administrator issues once', async () => {
    const { order, right } = await wrongFirst();
    const later = newEvent('checkout.session.async_payment_succeeded', right.data.object);
    await Promise.all([send(right), send(right), send(later)]);
    expect(await own(order)).toMatchObject({ status: 'pending', problem: 'wrong_amount' });
    expect(await order.buyer.balance()).toBe(0);
    const approve = () => panel.admin.post(`/api/topups/${order.ordered.id}/approve`);
    expect((await approve()).status).toBe(200);
    expect(await own(order)).toMatchObject({ status: 'approved', problem: null, surplus: [] });
    expect((await approve()).status).toBe(409);
    await send(newEvent('checkout.session.completed', right.data.object));
    expect(await order.buyer.balance()).toBe(50);
  });
});
