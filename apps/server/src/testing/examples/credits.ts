import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { deliver } from '../payments/stripe-server.ts';
import type { People } from './accounts.ts';
import type { Example, Recorder } from './recorder.ts';
import { allDelivered, type Servers } from './servers.ts';
import { only, type Shop, two } from './shop.ts';

export async function moveCredits(
  { panel }: Shop,
  recorder: Recorder,
  { kaethe, rui }: People,
): Promise<void> {
  const { admin } = panel;
  const own = (name: string, sent?: Example) => recorder.call(kaethe.client, name, sent);
  const account = only(rui.id);
  await own('addCredits', { ...account, body: { amount: 10, note: 'Order 4711' } });
  await own('takeBackCredits', { ...account, body: { amount: 5, note: 'Sent twice' } });
  await recorder.call(admin, 'setCredits', {
    ...account,
    body: { credits: 30, note: 'Agreed with Rui' },
  });
  await own('accountFigures', account);
  await own('listTransfers', two);
  await own('transfersCsv');
  const { items } = (await admin.get('/api/credits/transfers?kind=sale')).body;
  const paid = items.find(({ is_refundable }: { is_refundable: boolean }) => is_refundable);
  await recorder.call(admin, 'refundTransfer', { ...only(paid.id), body: { note: 'Complaint' } });
  await recorder.call(admin, 'verifyLedger');
  const { codes } = await recorder.call(admin, 'createRedeemCodes', {
    body: { credits: 10, count: 2, description: 'Spring campaign', max_uses: 1 },
  });
  await own('redeem', { body: { code: codes[0].code } });
  await own('listRedemptions', two);
  await recorder.call(admin, 'editRedeemCode', {
    ...only(codes[1].id),
    body: { is_active: false },
  });
  await recorder.call(admin, 'listRedeemCodes', two);
  await recorder.call(admin, 'redeemCodesCsv');
  await recorder.call(admin, 'deleteRedeemCode', only(codes[1].id));
  const made = await own('createActivationCodes', {
    body: { months: 3, count: 2, note: 'Shop window' },
  });
  await recorder.call(panel.anonymous(), 'activate', {
    body: { code: made.codes[0].code, username: 'olga', password: 'olgas-password' },
  });
  await own('listActivationCodes', two);
  await own('refundActivationCode', only(made.codes[1].id));
}

/** Adds a second plan, the rights of its lines on a server, and a line with the plan. */
export async function offerPlans(
  { panel }: Shop,
  recorder: Recorder,
  { kaethe }: People,
  { frankfurt, warsaw }: Servers,
  line: string,
): Promise<void> {
  const call = (name: string, sent?: Example) => recorder.call(panel.admin, name, sent);
  const cccam = { uphops: 1, shareemus: false, allowemm: true };
  const made = await call('createPlan', {
    body: {
      name: 'Two servers',
      description: 'The picture stays if one server is away',
      serves: 'all',
      servers: [{ server_id: frankfurt, cccam }, { server_id: warsaw }],
      terms: [
        { months: 1, credits: 3 },
        { months: 12, credits: 16 },
      ],
    },
  });
  const plan = only(made.plan.id);
  await recorder.call(kaethe.client, 'changePlan', {
    ...only(line),
    body: { plan_id: plan.params.id },
  });
  await allDelivered(panel);
  await call('listPlans');
  await call('editPlan', {
    ...plan,
    body: { servers: [{ server_id: frankfurt }, { server_id: warsaw }], preview: true },
  });
  const standard = { plan_id: STANDARD_PLAN };
  const back = await kaethe.client.post(`/api/lines/${line}/change-plan`, standard);
  if (back.status !== 200) throw new Error(JSON.stringify(back.body));
  await allDelivered(panel);
  await call('deletePlan', plan);
}

export async function setPrices(recorder: Recorder, { kaethe, rui }: People): Promise<void> {
  const plan_id = STANDARD_PLAN;
  const own = (name: string, sent?: Example) => recorder.call(kaethe.client, name, sent);
  const made = await own('createPriceList', { body: { name: 'Partners', factor: 1.2 } });
  const { id } = made.price_list;
  const ofTerms = { terms: [{ plan_id, months: 12, credits: 11 }] };
  await own('editPriceList', { ...only(id), body: ofTerms });
  await own('listPriceLists');
  await own('setLimits', { ...only(rui.id), body: { lines: 200, accounts: 5, max_months: 12 } });
  await own('getLimits', only(rui.id));
  await kaethe.client.send('PUT', `/api/accounts/${rui.id}/limits`, {});
  await own('deletePriceList', only(id));
}

export async function payForCredits(
  { panel, stripe }: Shop,
  recorder: Recorder,
  { kaethe: { client } }: People,
): Promise<void> {
  const { admin } = panel;
  const offer = { name: '100 credits', credits: 100, price_minor: 9500, currency: 'EUR' };
  const made = await recorder.call(admin, 'createPackage', { body: offer });
  const { id } = made.package;
  await recorder.call(admin, 'editPackage', { ...only(id), body: { price_minor: 9000 } });
  await recorder.call(client, 'listPackages');
  const order = async (more: object) =>
    (await recorder.call(client, 'orderTopUp', { body: { package_id: id, ...more } })).id as string;
  const approved = await order({ note: 'Transfer of today' });
  await recorder.call(admin, 'approveTopUp', { ...only(approved), body: { also_closed: false } });
  const reason = 'No transfer arrived in 14 days';
  await recorder.call(admin, 'rejectTopUp', { ...only(await order({})), body: { reason } });
  await recorder.call(client, 'withdrawTopUp', only(await order({})));
  const card = await order({ method: 'card' });
  const { url } = await recorder.call(client, 'checkOutTopUp', only(card));
  await deliver(panel.url, stripe.pay(stripe.idIn(url), { amount_total: 4500 }));
  await recorder.call(client, 'listTopUps', two);
  await recorder.call(client, 'topUpsCsv');
  await recorder.call(admin, 'resolveTopUp', {
    ...only(card),
    body: { note: 'Paid back in the dashboard of Stripe' },
  });
  await recorder.call(admin, 'deletePackage', only(id));
}
