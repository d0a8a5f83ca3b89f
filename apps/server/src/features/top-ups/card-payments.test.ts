// @module-tag thorough
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectBalancedBooks, transfersOf } from '../../testing/ledger/ledger.ts';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import {
  deliver,
  newEvent,
  StripeServer,
  signature,
} from '../../testing/payments/stripe-server.ts';
import { CardBuyer } from '../../testing/payments/top-ups.ts';

let panel: TestPanel;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await new StripeServer().start();
  panel = await startTestPanel('postgres', { ...stripe.env, PUBLIC_URL: 'https://panel.example' });
});
afterEach(async () => {
  stripe.mood = 'sound';
  await expectBalancedBooks(panel.services.db);
});
afterAll(async () => {
  await panel?.stop();
  await stripe?.stop();
});

async function newBuyer(): Promise<CardBuyer> {
  return new CardBuyer(panel, stripe, await panel.reseller({ credits: 0, group_id: '3' }));
}
const byCard = { method: 'card' };
const send = (event: Parameters<typeof deliver>[1], headers?: Record<string, string>) =>
  deliver(panel.url, event, headers);
const kept = (id: string) =>
  panel.services.db.selectFrom('stripe_events').select('id').where('id', '=', id).execute();

test('a session asks for what was ordered, and its payment issues the credits', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({ price_minor: 22_500, credits: 250, name: 'Big' }, byCard);
  expect(ordered.method).toBe('card');
  const session = await buyer.checkOut(ordered);
  const call = stripe.calls.at(-1);
  expect(call).toMatchObject({
    method: 'POST',
    path: '/v1/checkout/sessions',
    key: `top-up-${ordered.id}-1`,
    form: {
      mode: 'payment',
      client_reference_id: ordered.id,
      'metadata[top_up_id]': ordered.id,
      'payment_intent_data[metadata][top_up_id]': ordered.id,
      'line_items[0][price_data][unit_amount]': '22500',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][product_data][name]': `Big (${ordered.number})`,
      'line_items[0][quantity]': '1',
      success_url: 'https://panel.example/payments/top-ups',
    },
  });
  const event = stripe.pay(session);
  expect(await send(event)).toMatchObject({ status: 200 });
  expect(await buyer.read(ordered)).toMatchObject({
    status: 'approved',
    method: 'card',
    decided_by_name: null,
    balance_after: 250,
  });
  expect(await buyer.balance()).toBe(250);
  expect(await buyer.told()).toContain(`Top-up ${ordered.number} approved`);
  const [transfer] = await transfersOf(panel.services.db, buyer.account.id);
  expect(transfer).toMatchObject({ kind: 'topup', amount: 250, actor_id: buyer.account.id });
});

test('an event that comes again, and another about the same payment, change nothing', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const event = stripe.pay(await buyer.checkOut(ordered));
  for (let time = 1; time <= 3; time++) expect((await send(event)).status).toBe(200);
  const again = newEvent('checkout.session.async_payment_succeeded', event.data.object);
  expect((await send(again)).status).toBe(200);
  expect(await buyer.balance()).toBe(50);
  expect(await kept(event.id)).toHaveLength(1);
});

test('a forged, old or altered event is refused and leaves nothing', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const event = stripe.pay(await buyer.checkOut(ordered));
  const body = JSON.stringify(event);
  const tenMinutesAgo = Math.floor(Date.now() / 1000) - 600;
  const forged: [string, string][] = [
    [body, ''],
    [body, 'nonsense'],
    [body, signature(body, { secret: 'whsec_of_somebody_else' })],
    [body, signature(body, { at: tenMinutesAgo })],
    [body.replace('"paid"', '"paid" '), signature(body)],
    [`${body}\n`, signature(body)],
    [body, signature(body).replace('v1=', 'v0=')],
  ];
  for (const [text, header] of forged) {
    const reply = await send(text, { 'stripe-signature': header });
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([400, 'INVALID_SIGNATURE']);
  }
  const unsigned = await panel.anonymous().post('/api/payments/stripe/webhook', event);
  expect(unsigned.status).toBe(400);
  expect(await kept(event.id)).toEqual([]);
  expect(await buyer.balance()).toBe(0);
  // The signature covers every byte of the body. The session, the origin and the content type do not matter.
  const spaced = JSON.stringify(event, null, 3);
  const plain = { 'content-type': 'text/plain', origin: 'https://stripe.example' };
  expect((await send(spaced, plain)).status).toBe(200);
  expect(await buyer.balance()).toBe(50);
});

test('a signed event that lacks something is refused, changes nothing and can come whole', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const event = stripe.pay(await buyer.checkOut(ordered));
  for (const field of ['id', 'payment_status', 'amount_total']) {
    const { [field]: _, ...part } = event.data.object as Record<string, unknown>;
    const reply = await send({ ...event, data: { object: part } });
    expect([field, reply.status]).toEqual([field, 422]);
  }
  expect((await send('{"id": "evt_1"')).status).toBe(400);
  expect(await kept(event.id)).toEqual([]);
  expect((await send(event)).status).toBe(200);
  expect(await buyer.balance()).toBe(50);
});

const refundOf = (more: object) =>
  newEvent('charge.refunded', {
    ...{ id: 'ch_9', amount_refunded: 5, payment_intent: 'pi_9' },
    ...more,
  });

test.each([
  ['a NUL in its id', { ...refundOf({}), id: 'evt_\0' }],
  ['half a letter in its id', { ...refundOf({}), id: 'evt_\ud800' }],
  ['a number for its id', { ...refundOf({}), id: 7 }],
  ['a NUL in the id of a charge', refundOf({ id: 'ch_\0' })],
  ['a NUL in the id of a payment', refundOf({ payment_intent: 'pi_\0' })],
  ['more than any amount', refundOf({ amount_refunded: 1e17 })],
  ['no moment', { ...refundOf({}), created: undefined }],
  ['a moment that is none', { ...refundOf({}), created: 1e20 }],
  ['a moment before all', { ...refundOf({}), created: -1e15 }],
  ['a moment in words', { ...refundOf({}), created: 'yesterday' }],
  ['no data', { ...refundOf({}), data: null }],
])('a signed event with %s is refused, not an error of the panel', async (_, event) => {
  const reply = await send(event as Parameters<typeof send>[0]);
  expect(reply.status).toBe(422);
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'x\0y', 7, null, {}])(
  'a signed event of the kind %j is none of ours',
  async (type) => {
    const event = JSON.stringify({ ...newEvent('charge.refunded', {}), type });
    expect((await send(event)).status).toBe(200);
  },
);

test('events of others are none of ours', async () => {
  for (const event of [
    newEvent('customer.created', { id: 'cus_1' }),
    newEvent('checkout.session.completed', {
      ...{ id: 'cs_of_a_shop', status: 'complete', payment_status: 'paid' },
      ...{ amount_total: 5000, currency: 'eur', payment_intent: 'pi_of_a_shop' },
    }),
    newEvent('charge.refunded', { id: 'ch_1', amount_refunded: 5, payment_intent: 'pi_shop' }),
    newEvent('charge.refunded', { id: 'ch_2', amount_refunded: 5, payment_intent: null }),
  ]) {
    expect((await send(event)).status).toBe(200);
  }
});

test.each([
  [{ amount_total: 4999 }],
  [{ amount_total: 5001 }],
  [{ amount_total: 0 }],
  [{ currency: 'usd' }],
])('a payment with %j issues nothing and is flagged', async (changes) => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  await send(stripe.pay(await buyer.checkOut(ordered), changes));
  expect(await buyer.read(ordered)).toMatchObject({ status: 'pending', problem: 'wrong_amount' });
  expect(await buyer.balance()).toBe(0);
  const [own] = (await buyer.account.client.get('/api/topups')).body.items;
  expect(own).toMatchObject({ status: 'pending', problem: 'wrong_amount' });
  const flagged = await panel.admin.get(`/api/topups?is_flagged=true&q=${ordered.number}`);
  expect(flagged.body.total).toBe(1);
  const path = `/api/topups/${ordered.id}`;
  const approved = await panel.admin.post(`${path}/approve`);
  expect(approved.body).toMatchObject({ status: 'approved', problem: null });
  expect(await buyer.balance()).toBe(50);
});

test('a session that is not paid yet is processing, and issues when the money comes', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const session = await buyer.checkOut(ordered);
  await send(stripe.pay(session, { payment_status: 'unpaid' }));
  expect(await buyer.read(ordered)).toMatchObject({ status: 'pending', is_processing: true });
  const path = `/api/topups/${ordered.id}/checkout`;
  const busy = await buyer.account.client.post(path);
  expect([busy.status, busy.body.code]).toEqual([409, 'CARD_PAYMENT_PROCESSING']);
  const failed = newEvent('checkout.session.async_payment_failed', stripe.sessionOf(session));
  await send(failed);
  expect(await buyer.told()).toEqual([`Payment for ${ordered.number} failed`]);
  // The top-up is paid in another session, and a late report about the first one changes nothing.
  const second = await buyer.checkOut(ordered);
  expect(second).not.toBe(session);
  await send(newEvent('checkout.session.completed', stripe.sessionOf(session)));
  expect(await buyer.read(ordered)).toMatchObject({ is_processing: false });
  await send(stripe.pay(second));
  expect(await buyer.read(ordered)).toMatchObject({ status: 'approved' });
  expect(await buyer.balance()).toBe(50);
});

test('pressing again leads to the same session, and to a new one after it expired', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order();
  const press = () => buyer.checkOut(ordered);
  const pressed = await Promise.all([press(), press(), press(), press()]);
  expect(new Set([...pressed, await press()]).size).toBe(1);
  expect(await buyer.read(ordered)).toMatchObject({ method: 'card', status: 'pending' });
  const [first = ''] = pressed;
  stripe.sessionOf(first).status = 'expired';
  await send(newEvent('checkout.session.expired', stripe.sessionOf(first)));
  const second = await press();
  expect(second).not.toBe(first);
  // The panel received no event about this session, so it asks Stripe.
  stripe.sessionOf(second).status = 'expired';
  const third = await press();
  expect([first, second]).not.toContain(third);
  await send(stripe.pay(third));
  expect(await buyer.balance()).toBe(50);
});

test('what was paid and never reported is found when it is to be paid again', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const event = stripe.pay(await buyer.checkOut(ordered));
  const { status, body } = await buyer.account.client.post(`/api/topups/${ordered.id}/checkout`);
  expect([status, body.code]).toEqual([409, 'TOP_UP_DECIDED']);
  expect(await buyer.balance()).toBe(50);
  await send(event);
  expect(await buyer.balance()).toBe(50);
});

test('Stripe that is away, or never answers, is said in words; nothing is lost', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const path = `/api/topups/${ordered.id}/checkout`;
  for (const mood of ['broken', 'silent'] as const) {
    stripe.mood = mood;
    const { status, body } = await buyer.account.client.post(path);
    expect([mood, status, body.code]).toEqual([mood, 503, 'CARD_PAYMENTS_UNAVAILABLE']);
  }
  stripe.mood = 'refusing';
  const refused = await buyer.account.client.post(path);
  expect([refused.status, refused.body.code]).toEqual([409, 'CARD_PAYMENT_REFUSED']);
  expect(JSON.stringify(refused.body)).not.toContain('in words of Stripe');
  stripe.mood = 'sound';
  expect(await buyer.read(ordered)).toMatchObject({ status: 'pending' });
  await send(stripe.pay(await buyer.checkOut(ordered)));
  expect(await buyer.balance()).toBe(50);
});

test('is paid by its own account only', async () => {
  const [buyer, other] = [await newBuyer(), await newBuyer()];
  const { id } = await buyer.order({}, byCard);
  for (const client of [other.account.client, panel.admin]) {
    const { status, body } = await client.post(`/api/topups/${id}/checkout`);
    expect([status, body.code]).toEqual([404, 'TOP_UP_NOT_FOUND']);
  }
});

test('a rejected top-up is closed at Stripe; a payment that comes all the same issues once', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const session = await buyer.checkOut(ordered);
  await panel.admin.post(`/api/topups/${ordered.id}/reject`, { reason: 'No money came' });
  expect(stripe.sessionOf(session).status).toBe('expired');
  const checkout = await buyer.account.client.post(`/api/topups/${ordered.id}/checkout`);
  expect([checkout.status, checkout.body.code]).toEqual([409, 'TOP_UP_DECIDED']);
  const late = stripe.pay(session);
  await send(late);
  await send(late);
  expect(await buyer.read(ordered)).toMatchObject({ status: 'approved', reason: null });
  expect(await buyer.balance()).toBe(50);
});

test('a payment for what a person approved is flagged, not issued again, and can be resolved', async () => {
  const buyer = await newBuyer();
  const ordered = await buyer.order({}, byCard);
  const session = await buyer.checkOut(ordered);
  stripe.mood = 'broken';
  await panel.admin.post(`/api/topups/${ordered.id}/approve`);
  stripe.mood = 'sound';
  await send(stripe.pay(session));
  expect(await buyer.read(ordered)).toMatchObject({ status: 'approved', problem: 'paid_again' });
  expect(await buyer.balance()).toBe(50);
  const resolve = () =>
    panel.admin.post(`/api/topups/${ordered.id}/resolve`, { note: 'Refunded at Stripe' });
  expect((await resolve()).body).toMatchObject({ problem: null });
  expect((await resolve()).body.code).toBe('ALREADY_SO');
});
