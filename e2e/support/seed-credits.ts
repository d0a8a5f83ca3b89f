import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { formatDay, today } from '../../packages/contract/src/dates.ts';
import type { Api } from './api.ts';
import { isForPictures } from './seeded-panel.ts';

/** The longest valid values, so that a test sees which of them do not fit. */
const long = {
  shop: 'Weihnachtsaktion für Großkunden im Küstenland, zweite Lieferung',
  customer: 'Weihnachtsaktion für Großkunden im Küstenland, zweite Lieferung',
  group: 'Großkundenbetreuung Küstenland',
  text: 'Weihnachtsaktion für Großkunden im Küstenland, zweite Lieferung',
  code: 'WEIHNACHTSAKTION-GROSSKUNDEN-KUESTENLAND-2026-12-24-LIEFERUNG-02',
  domain: 'grosskundenbetreuung.example',
  line: 'grosskunden-kueste-1',
};

/** Usual values, for pictures. */
const usual: typeof long = {
  shop: 'Nordlicht Shop',
  customer: 'Inge Brandt',
  group: 'Partner shops',
  text: 'Winter campaign',
  code: 'WINTER-2026',
  domain: 'nordlicht.example',
  line: 'hotel-adria',
};

/** Creates groups, codes in every state, and a movement of credits of every kind. */
export async function seedCredits(
  admin: Api,
  signIn: (account: { email: string; password: string }) => Promise<Api>,
): Promise<void> {
  const words = isForPictures() ? usual : long;
  const { text } = words;
  const add = async (email: string, group_id: string, full_name: string, credits?: number) => {
    const account = { email, password: 'a long enough password', full_name };
    const body = { ...account, group_id, ...(credits ? { credits } : {}) };
    const { account: made } = await admin.post('/api/accounts', body);
    return { id: made.id as string, signedIn: await signIn(account) };
  };
  await admin.post('/api/groups', {
    name: words.group,
    description: text,
    permissions: ['view_users', 'add_credits', 'view_resellers'],
  });
  const shop = await add(`bestellungen@${words.domain}`, '2', words.shop, 12_500);
  const { account: below } = await shop.signedIn.post('/api/accounts', {
    email: `filiale@${words.domain}`,
    password: 'a long enough password',
    group_id: '3',
    credits: 400,
    notes: text,
  });
  await shop.signedIn.post(`/api/accounts/${below.id}/credits/take-back`, {
    amount: 150,
    note: text,
  });

  const { line } = await shop.signedIn.post('/api/lines', {
    username: words.line,
    password: 'tulip-harbor-1',
    subscription_months: 3,
  });
  await shop.signedIn.post(`/api/lines/${line.id}/renew`, { subscription_months: 1 });
  const { items } = await admin.get(`/api/credits/transfers?account_id=${shop.id}&kind=sale`);
  await admin.post(`/api/credits/transfers/${items[0].id}/refund`, { note: text });

  const code = async (body: object) =>
    (await admin.post('/api/redeem-codes', { credits: 10, ...body })).codes[0].code as string;
  const used = await code({ code: words.code, credits: 1_250, description: text });
  await code({ max_uses: 1_000, description: text });
  await code({ is_active: false });
  await code({ expires_at: formatDay(today(ZONE)), max_uses: 3 });
  const activation = { months: 3, count: 3, note: text };
  const { codes } = await admin.post('/api/activation-codes', activation);
  await admin.delete(`/api/activation-codes/${codes[2].id}`);
  const customer = await add(`kundin@${words.domain}`, '3', words.customer);
  await customer.signedIn.post('/api/redeem', { code: used });
  await customer.signedIn.post('/api/redeem', { code: used }).catch(() => 'used already');
}
