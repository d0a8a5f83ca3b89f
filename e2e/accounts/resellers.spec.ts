import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { rowOf } from '../support/page.ts';
import { accounts } from '../support/people.ts';
import { blockEvents } from '../support/requests.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const password = 'heron-on-the-lake-9';
const anna = { email: `anna-${stamp}@resellers.example`, full_name: 'Anna Nowak' };
const boris = { email: `boris-${stamp}@resellers.example`, full_name: 'Boris Weiß' };
const clara = { email: `clara-${stamp}@resellers.example`, full_name: 'Clara Reis' };
const newest = [clara, boris, anna];

// One worker for the file, so that its accounts are created once.
test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin }) => {
  await admin.post('/api/accounts', { ...anna, password, group_id: '2', credits: 30 });
  await admin.post('/api/accounts', { ...boris, password, group_id: '3' });
  await admin.post('/api/accounts', { ...clara, password, group_id: '2', credits: 5 });
});

/** Expects exactly these accounts of this file, from top to bottom. */
async function expectShown(page: Page, expected: readonly { email: string }[]): Promise<void> {
  const shown = page.getByText(new RegExp(`^(anna|boris|clara)-${stamp}@`));
  await expect(shown).toHaveText(expected.map(({ email }) => email));
}

const open = (page: Page, search = '') => signIn(page, 'admin', `/resellers?q=${stamp}${search}`);
const addCreditsTo = (page: Page, { email }: { email: string }) =>
  page.getByRole('button', { name: `Add credits to ${email}` });

test.describe('at both sizes', { tag: '@both' }, () => {
  test('accounts are found by search, view and filter, and by all of them again', async ({
    page,
  }) => {
    await open(page);
    await expectShown(page, newest);
    await page.getByRole('link', { name: /^Users/ }).click();
    await expectShown(page, [boris]);
    await page.getByRole('link', { name: /^All/ }).click();
    await expect(page.getByRole('searchbox')).toHaveValue('');
    await page.getByRole('searchbox').fill(`a-${stamp}`);
    await expectShown(page, [clara, anna]);
    await page.getByRole('button', { name: /^Filter/ }).click();
    const panel = page.getByRole('dialog', { name: 'Filter' });
    await panel.getByRole('checkbox', { name: 'Suspended' }).check();
    await panel.getByRole('checkbox', { name: 'Admin' }).check();
    await expectAccessible(page);
    await panel.getByRole('button', { name: /^Show/ }).click();
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    await expect(page.getByText(`Nothing matches “a-${stamp}” with`)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('button', { name: 'Remove Status Suspended' }).click();
    await page.getByRole('button', { name: 'Remove Group Admin' }).click();
    await expectShown(page, [clara, anna]);
  });

  test('accounts without credits have a tab, of all groups', async ({ page, admin }) => {
    const poor = { email: `poor-${stamp}@resellers.example`, full_name: 'Paula Poor' };
    await admin.post('/api/accounts', { ...poor, password, group_id: '2' });
    const { total } = await admin.get('/api/accounts?no_credits=true&limit=1');
    await signIn(page, 'admin', '/resellers');
    await page.getByRole('link', { name: `No credits ${total}` }).click();
    await expect(page).toHaveURL(/\?no_credits=true$/);
    await expect(rowOf(page, poor.email)).toBeVisible();
    await expect(rowOf(page, boris.email)).toBeVisible();
    await expect(rowOf(page, anna.email)).toHaveCount(0);
    await expectAccessible(page);
  });

  test('accounts are sorted by balance', async ({ page, isPhone }) => {
    await open(page);
    await expectShown(page, newest);
    if (isPhone) {
      await page.getByRole('button', { name: /^Filter/ }).click();
      await page.getByRole('radio', { name: 'Lowest balance' }).check({ force: true });
      await page.getByRole('button', { name: /^Show/ }).click();
    } else {
      await page.getByRole('button', { name: 'Balance' }).click();
    }
    await expectShown(page, [boris, clara, anna]);
  });

  test('credits are added with what they come to said before', async ({ page, admin }) => {
    const person = { email: `rich-${stamp}@resellers.example`, full_name: 'Rich Rowe' };
    await admin.post('/api/accounts', { ...person, password, group_id: '2', credits: 1200 });
    await signIn(page, 'admin', `/resellers?q=${person.email}`);
    await expect(rowOf(page, person.email)).toContainText('1,200');
    await addCreditsTo(page, person).click();
    const dialog = page.getByRole('dialog', { name: 'Credits' });
    await expect(dialog.getByLabel('Amount')).toBeFocused();
    await dialog.getByRole('button', { name: 'Add credits', exact: true }).click();
    await expect(dialog.getByLabel('Amount')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByRole('button', { name: '100 credits' }).click();
    await expect(dialog.getByLabel('Amount')).toHaveValue('100');
    await dialog.getByLabel('Amount').fill('50');
    await expect(dialog.getByRole('button', { name: '50 credits', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await dialog.getByLabel('Note').fill('Invoice 204');
    await expect(dialog.getByRole('region', { name: 'From New credits' })).toBeVisible();
    await expect(
      dialog.getByRole('region', { name: 'To Rich Rowe' }).getByRole('definition'),
    ).toHaveText(['1,200', '+50', '1,250']);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add 50 credits' }).click();
    await expect(page.getByText('50 credits added to Rich Rowe')).toBeVisible();
    await expect(rowOf(page, person.email)).toContainText('1,250');
    await expect(addCreditsTo(page, person)).toBeFocused();
    const [{ id }] = (await admin.get(`/api/accounts?q=${person.email}`)).items;
    const { items } = await admin.get(`/api/credits/transfers?account_id=${id}`);
    expect(items[0]).toMatchObject({ kind: 'mint', amount: 50, note: 'Invoice 204' });
  });

  test('an account is added once what is wrong with it is put right', { tag: '@spec:1.8' }, async ({
    page,
  }) => {
    const email = `new-${stamp}@resellers.example`;
    await signIn(page, 'admin', '/resellers');
    await page.getByRole('link', { name: 'Add account' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Add account' })).toBeVisible();
    const add = page.getByRole('button', { name: 'Add account' });
    await page.locator('input[name="password"]').fill('short');
    await add.click();
    await expect(page.getByText('To save, fix 2 fields')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Email').fill(anna.email);
    await page.getByRole('button', { name: 'Generate password' }).click();
    await page.getByLabel('Full name').fill('Nadia New');
    await page.getByLabel('Starting credits').fill('12');
    await add.click();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Full name')).toHaveValue('Nadia New');
    await page.getByLabel('Email').fill(email);
    await add.click();
    const handed = page.getByRole('region', { name: 'Nadia New can sign in' });
    await expect(handed).toContainText(email);
    await expect(handed.getByRole('button', { name: 'Copy' })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/resellers');
    const row = rowOf(page, email);
    await expect(row).toContainText('Nadia New');
    await expect(row).toContainText('12');
    await expect(row).toContainText('Resellers');
  });

  test('a reseller is invited by a link, sets the password and is signed in', {
    tag: '@main',
  }, async ({ page, browser }) => {
    const email = `invited-${unique()}@resellers.example`;
    await signIn(page, 'admin', '/resellers/add');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Add account' }).click();
    const card = page.getByRole('region', { name: `Invitation for ${email}` });
    const url = await card.getByText(/\/reset-password\?token=/).innerText();
    await expect(card.getByRole('button', { name: 'Share' })).toBeVisible();
    // The warning about the machine names the address of the test panel.
    await expect(card).toContainText('127.0.0.1 is the machine itself (loopback).');
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Copy' }).click();

    const theirs = await (await browser.newContext()).newPage();
    await theirs.goto(url);
    await expect(theirs.getByRole('heading', { name: 'Welcome. Choose a password' })).toBeVisible();
    await expectAccessible(theirs);
    await theirs.locator('input[name="new_password"]').fill('heron-on-the-lake-9');
    await theirs.getByRole('button', { name: 'Set password' }).click();
    await expect(theirs).toHaveURL('/');
    await expect(theirs.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
    // The link works once. After that, its page explains the next step.
    await theirs.context().clearCookies();
    await theirs.goto(url);
    await theirs.locator('input[name="new_password"]').fill('heron-on-the-lake-10');
    await theirs.getByRole('button', { name: 'Set password' }).click();
    await expect(theirs.getByText('If you have already chosen a password, sign in.')).toBeVisible();
    await theirs.context().close();
  });

  test('a list that cannot be had says so and can be asked for again', async ({ page }) => {
    await signIn(page, 'admin');
    let isAway = true;
    await blockEvents(page);
    await page.route('**/api/accounts?*', (route) => (isAway ? route.abort() : route.fallback()));
    await page.goto(`/resellers?q=${stamp}`);
    const retry = page.getByRole('main').getByRole('button', { name: 'Retry' });
    await expect(retry).toBeVisible();
    await expectAccessible(page);
    const asked = page.waitForRequest('**/api/accounts?*');
    await retry.click();
    await asked;
    await expect(retry).toBeVisible();
    isAway = false;
    await retry.click();
    await expectShown(page, newest);
  });
});

test('nobody is offered credits for an administrator, whose balance is not counted', async ({
  page,
}) => {
  await signIn(page, 'admin', `/resellers?q=${accounts.admin.email}`);
  await expect(rowOf(page, accounts.admin.email)).toContainText('1,000');
  await expect(addCreditsTo(page, accounts.admin)).toHaveCount(0);
});

test('the columns of the list are chosen, and others of it stay', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('columnheader', { name: 'Last sign-in' })).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Created' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible();
});

test('a view of the list is kept as a tab of its own', async ({ page }) => {
  const view = `Poorest ${stamp}`;
  await open(page, '&sort=credits');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(view);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.goto('/resellers');
  await page.getByRole('link', { name: view }).click();
  await expectShown(page, [boris, clara, anna]);
});

test('an account that is made or changed elsewhere appears by itself', {
  tag: '@spec:4.15',
}, async ({ page, admin }) => {
  const name = `later-${stamp}`;
  await signIn(page, 'admin', `/resellers?q=${name}`);
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  const email = `${name}@resellers.example`;
  const { account } = await admin.post('/api/accounts', { email, password, group_id: '3' });
  await expect(rowOf(page, email)).toBeVisible();
  await admin.post(`/api/accounts/${account.id}/credits`, { amount: 77 });
  await expect(rowOf(page, email)).toContainText('77');
});
