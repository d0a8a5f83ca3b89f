import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { resultOf } from '../support/results.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const PATH = '/payments/plans';

const cardServer = new CardServer();
let server_id = '';
let serverName = '';
test.beforeAll(async ({ addServer }) => {
  await cardServer.start();
  serverName = `Plans ${cardServer.port}`;
  server_id = await addServer(serverName, cardServer);
});
test.afterAll(() => cardServer.remove());

// With a second plan, other pages of the panel look different.
test.afterEach(async ({ admin }) => {
  for (const { id } of (await admin.get('/api/plans')).items) {
    if (id === STANDARD_PLAN) continue;
    for (const line of (await admin.get(`/api/lines?plan_id=${id}`)).items) {
      await admin.delete(`/api/lines/${line.id}`);
    }
    await admin.delete(`/api/plans/${id}`);
  }
});

async function addPlan(admin: Api, fields: object = {}) {
  const terms = [{ months: 1, credits: 3 }];
  const { plan } = await admin.post('/api/plans', { name: `Plan ${unique()}`, terms, ...fields });
  return plan;
}

const addLine = (admin: Api, plan_id: string, username = `plan-${unique()}`) =>
  admin.post('/api/lines', {
    ...{ username, password: 'tulip-harbor-92', plan_id, server_id },
    expiry_date: '01-01-2099',
  });

/** The row of a line in the card server's file. */
async function accountOf(username: string): Promise<string> {
  const accounts = (await cardServer.read('oscam.user')).split('[account]');
  return accounts.find((account) => account.includes(username)) ?? '';
}

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' });

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a plan is added with what its lines may do, and changed for them with Undo', {
    tag: '@main',
  }, async ({ page, admin, isPhone }) => {
    const [name, username] = [`Full HD ${unique()}`, `plan-${unique()}`];
    await signIn(page, 'admin', `${PATH}?tab=plans`);
    const list = page.getByRole('main').getByRole('list').last();
    await expect(page.getByRole('link', { name: 'Standard' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCount(isPhone ? 0 : 1);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add plan' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page
      .getByRole('textbox', { name: 'Description for sellers' })
      .fill('One receiver at a time');
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByRole('menuitem', { name: serverName }).click();
    await expect(page.getByRole('tab', { name: serverName })).toBeFocused();
    await page.getByRole('textbox', { name: 'Groups' }).fill('2, 1');
    await page.getByRole('textbox', { name: 'Connections' }).fill('2');
    await page.getByRole('combobox', { name: /If too many connect/ }).click();
    await page.getByRole('option', { name: 'The last connections stay', exact: true }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add plan' }).click();
    await expect(resultOf(page, `${name} added`)).toBeVisible();
    const { items } = await admin.get('/api/plans');
    const plan = items.find((one: { name: string }) => one.name === name);
    expect(plan).toMatchObject({
      description: 'One receiver at a time',
      servers: [{ server_id, oscam: { group: '1,2', max_connections: 2, uniq: 3 } }],
      terms: items[0].terms,
    });
    await addLine(admin, plan.id, username);
    await expect.poll(() => accountOf(username)).toMatch(/group\s*= 1,2\n/);

    await expect(page).toHaveURL(new RegExp(`${PATH}/${plan.id}$`));
    await page.reload();
    await page.getByRole('textbox', { name: 'Groups' }).fill('5');
    await expect(page.getByText('1 line on 1 server will change')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change 1 line' }).click();
    await expect(resultOf(page, 'New plan settings applied to 1 line')).toBeVisible();
    await expect.poll(() => accountOf(username)).toMatch(/group\s*= 5\n/);
    await expect(save(page)).toBeVisible();
    await resultOf(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => accountOf(username)).toMatch(/group\s*= 1,2\n/);
    await expect(page.getByRole('textbox', { name: 'Groups' })).toHaveValue('1,2');
    if (!isPhone) await expect(list.getByText('1 line', { exact: true })).toBeVisible();
  });

  test('a change of somebody else is not overwritten', async ({ page, admin }) => {
    const { id } = await addPlan(admin);
    await signIn(page, 'admin', `${PATH}/${id}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed here');
    await admin.patch(`/api/plans/${id}`, { description: 'Changed there' });
    await save(page).click();
    await expect(page.getByText('Someone else has changed this plan.')).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    const description = page.getByRole('textbox', { name: 'Description for sellers' });
    await expect(description).toHaveValue('Changed there');
    await description.fill('Changed here');
    await save(page).click();
    await expect(resultOf(page, 'saved')).toBeVisible();
    await description.fill('Changed once more');
    await save(page).click();
    await expect
      .poll(async () => (await admin.get('/api/plans')).items)
      .toContainEqual(expect.objectContaining({ id, description: 'Changed once more' }));
  });

  test('a plan is deleted once it has no lines, and Standard never', async ({ page, admin }) => {
    const { id, name } = await addPlan(admin, { servers: [{ server_id }] });
    const { line } = await addLine(admin, id);
    await signIn(page, 'admin', `${PATH}/${id}`);
    await page.getByRole('button', { name: 'Delete plan' }).click();
    const question = page.getByRole('dialog', { name: `Delete ${name}?` });
    await expect(question).toContainText('This plan has 1 line. Change its plan first.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await admin.delete(`/api/lines/${line.id}`);
    await page.reload();
    await page.getByRole('button', { name: 'Delete plan' }).click();
    await question.getByRole('button', { name: 'Delete plan' }).click();
    await expect(resultOf(page, `${name} deleted`)).toBeVisible();
    await expect(page.getByRole('link', { name })).toHaveCount(0);
    await page.goto(`${PATH}/${STANDARD_PLAN}`);
    await expect(save(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Delete plan' })).toHaveCount(0);
  });

  test('prices are those of a chosen plan, once there are two', async ({
    page,
    admin,
    newAccount,
  }) => {
    await signIn(page, 'admin', PATH);
    await expect(page.getByLabel('Price: 6 months')).toBeVisible();
    await expect(page.getByRole('combobox', { name: /^Plan/ })).toHaveCount(0);
    const { id, name } = await addPlan(admin);
    await page.getByRole('combobox', { name: /^Plan/ }).click();
    await page.getByRole('option', { name }).click();
    await expect(page.getByLabel(/^Price: /)).toHaveCount(1);
    await page.getByLabel('Price: 1 month').fill('4');
    await page.getByRole('button', { name: 'Save prices' }).click();
    await expect(resultOf(page, 'Prices saved')).toBeVisible();
    await page.getByLabel('Price: 1 month').fill('5');
    await page.getByRole('button', { name: 'Save prices' }).click();
    await expect(page.getByRole('button', { name: 'Save prices' })).toHaveCount(0);
    const account = await newAccount({ full_name: 'Ola Zając' });
    const list = await admin.post('/api/price-lists', {
      name: `Partners ${unique()}`,
      terms: [{ plan_id: id, months: 1, credits: 2 }],
    });
    await admin.patch(`/api/accounts/${account.id}`, { price_list_id: list.price_list.id });
    await page.getByRole('link', { name: /^Price lists/ }).click();
    await page.getByLabel('Account', { exact: true }).fill(account.email);
    await page.getByRole('option', { name: account.email }).click();
    await expect(
      page.getByText(`Ola Zając pays 2 credits for 1 month ${name}, because`),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Standard, 12 months: 10' }).click();
    await expect(
      page.getByText('Ola Zając pays 10 credits for 12 months Standard, the panel’s price.'),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Edit ${list.price_list.name}` }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('group', { name }).getByLabel('1 month')).toHaveValue('2');
    await dialog.getByRole('group', { name: 'Standard' }).getByLabel('12 months').fill('8');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(dialog).toHaveCount(0);
    const stored = (await admin.get('/api/price-lists')).items.find(
      (one: { id: string }) => one.id === list.price_list.id,
    );
    expect(stored.terms).toHaveLength(2);
    expect(stored.terms).toContainEqual({ plan_id: STANDARD_PLAN, months: 12, credits: 8 });
    expect(stored.terms).toContainEqual({ plan_id: id, months: 1, credits: 2 });
    await admin.patch(`/api/accounts/${account.id}`, { price_list_id: null });
    await admin.delete(`/api/price-lists/${list.price_list.id}`);
  });
});

test('a wrong right is shown in the tab of its server', async ({ page, admin }) => {
  const [other] = (await admin.get('/api/servers?limit=100')).items.filter(
    (server: { id: string; agent_version: string | null }) =>
      server.id !== server_id && server.agent_version,
  );
  const { id } = await addPlan(admin, { servers: [{ server_id }, { server_id: other.id }] });
  await signIn(page, 'admin', `${PATH}/${id}`);
  await page.getByText('More', { exact: true }).click();
  const caid = page.getByRole('textbox', { name: 'CAID' });
  await caid.fill('zz');
  await page.getByRole('tab', { name: serverName }).press('ArrowLeft');
  await page.getByRole('tab', { name: serverName }).press('ArrowRight');
  const tab = page.getByRole('tab', { name: other.server_name });
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect(caid).toBeHidden();
  await save(page).click();
  await expect(page.getByRole('tab', { name: serverName })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(caid).toBeFocused();
  await caid.fill('0500');
  await page.getByText('Options of the F line').click();
  await page.getByRole('textbox', { name: 'Limits' }).fill('{0500:030B00:1}');
  await save(page).click();
  await expect(resultOf(page, 'saved')).toBeVisible();
  expect((await admin.get('/api/plans')).items).toContainEqual(
    expect.objectContaining({
      id,
      servers: [
        expect.objectContaining({
          oscam: { caid: '0500' },
          cccam: { uphops: 5, shareemus: true, allowemm: true, limits: '{ 0500:030B00:1 }' },
        }),
        { server_id: other.id, server_name: other.server_name },
      ],
    }),
  );
});

test('plans are offered in the order that is chosen, and one is taken out of sale', async ({
  page,
  admin,
}) => {
  const { id, name } = await addPlan(admin);
  await signIn(page, 'admin', `${PATH}/${id}`);
  await page.getByRole('combobox', { name: /Position in “Add line”/ }).click();
  await page.getByRole('option', { name: '1 of 2' }).click();
  await page.getByRole('switch', { name: 'Offered to sellers' }).uncheck();
  await page.getByRole('link', { name: 'Price lists' }).click();
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leaving.getByRole('button', { name: 'Stay here' }).click();
  await save(page).click();
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Not offered');
  await expect
    .poll(async () => (await admin.get('/api/plans')).items.map((plan: { id: string }) => plan.id))
    .toEqual([id, STANDARD_PLAN]);
});

test('groups and services are chosen from those of the card server', async ({ page, admin }) => {
  const oscam = { group: '1,7', services: 'news' };
  const { id } = await addPlan(admin, { servers: [{ server_id, oscam }] });
  await page.route('**/rights-choices', (route) =>
    route.fulfill({
      json: {
        groups: [
          { group: 1, readers: 9 },
          { group: 2, readers: 1 },
        ],
        services: ['news', 'sport'],
        read_at: new Date().toISOString(),
      },
    }),
  );
  await signIn(page, 'admin', `${PATH}/${id}`);
  await expect(page.getByRole('checkbox', { name: '1 9 readers' })).toBeChecked();
  await page.getByRole('checkbox', { name: '2 1 reader' }).check();
  // No reader has this group any more.
  await page.getByRole('checkbox', { name: '7', exact: true }).uncheck();
  await page.getByRole('checkbox', { name: 'news' }).uncheck();
  await save(page).click();
  await expect(resultOf(page, 'saved')).toBeVisible();
  expect((await admin.get('/api/plans')).items).toContainEqual(
    expect.objectContaining({
      id,
      servers: [{ server_id, server_name: serverName, oscam: { group: '1,2' } }],
    }),
  );
});
