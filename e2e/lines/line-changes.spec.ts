import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { openFields, shownCredits } from '../support/page.ts';
import { accounts } from '../support/people.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import type { Account } from '../support/test.ts';
import { expect, test } from '../support/test.ts';

const here = new CardServer();
const there = new CardServer();
const ids = { here: '', there: '' };
let seller: Api;
let poor: Account;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ newAccount, addServer, reseller }) => {
  seller = reseller;
  poor = await newAccount({ credits: 3 });
  for (const [name, server] of [
    ['here', here],
    ['there', there],
  ] as const) {
    await server.start();
    ids[name] = await addServer(`${name} ${server.port}`, server);
  }
});
test.afterAll(async () => {
  // Other tests renew as the same account, and the panel proposes the term of the last renewal.
  await seller.patch('/api/me/settings', { renewal_months: null });
  await here.remove();
  await there.remove();
});

const sell = (name: string, as = seller) => sellLine(as, name, { server_id: ids.here });

const oneMonth = () => addMonths(today(ZONE), 1);

test('a reseller renews a line from its row for what was shown before', {
  tag: ['@spec:1.3', '@spec:3.13'],
}, async ({ page }) => {
  const { username } = await sell('renewed');
  await signIn(page, 'reseller', `/users/all?q=${username}`);
  const before = await shownCredits(page);
  const button = page.getByRole('button', { name: `Renew ${username}` });
  await button.click();
  const popover = page.getByRole('dialog', { name: `Renew ${username}` });
  await popover.getByRole('radio', { name: /^3 months/ }).check();
  const day = formatDay(addMonths(oneMonth(), 3));
  await expect(popover.getByText('New expiry date').locator('..')).toContainText(day);
  await expect(popover.getByText('Balance after').locator('..')).toContainText(
    `${before} ${before - 4} credits`,
  );
  await popover.getByRole('button', { name: 'Renew for 4 credits' }).click();

  await expect(page.getByText(`${username} renewed until ${day}`)).toBeVisible();
  await expect(popover).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(page.getByRole('row').filter({ hasText: username })).toContainText(day);
  await expect.poll(() => shownCredits(page)).toBe(before - 4);
  const [, account] = (await here.read('oscam.user')).split(`user = ${username}\n`);
  expect(account?.split('[account]')[0]).toContain(`expdate = ${addMonths(oneMonth(), 3)}`);
});

test('credits that do not suffice are said in place, and nothing is renewed', async ({ page }) => {
  const { username } = await sell('poor', await apiOf(poor));
  await page.goto(`/sign-in?to=/users/all?q=${username}`);
  await page.getByLabel('Email').fill(poor.email);
  await page.locator('input[name="password"]').fill(poor.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Renew ${username}` }).click();
  const popover = page.getByRole('dialog');
  await popover.getByRole('radio', { name: /^12 months/ }).check();
  await expect(popover.getByRole('alert')).toContainText(
    'Insufficient credits. Required: 10, Available: 1',
  );
  await expect(popover.getByRole('button', { name: 'Renew for 10 credits' })).toBeDisabled();
  await popover.getByRole('radio', { name: 'Another date' }).check();
  await popover.getByLabel('Date', { exact: true }).fill('31-02-2027');
  await expect(
    popover.getByText('Invalid expiry date format. Expected DD-MM-YYYY format.'),
  ).toBeVisible();
  // The current date would add no time, and an earlier one would remove some.
  for (const day of [oneMonth(), addDays(oneMonth(), -3)]) {
    await popover.getByLabel('Date', { exact: true }).fill(formatDay(day));
    await expect(popover.getByText(`Choose a day after ${formatDay(oneMonth())}`)).toBeVisible();
    await expect(popover.getByRole('button', { name: 'Renew', exact: true })).toBeVisible();
  }
  await popover.getByLabel('Date', { exact: true }).fill(formatDay(addMonths(oneMonth(), 12)));
  await expect(popover.getByRole('alert')).toContainText('Required: 10, Available: 1');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').filter({ hasText: username })).toContainText(
    formatDay(oneMonth()),
  );
});

test('a line is renamed, described and extended to a date in one save', {
  tag: '@spec:1.3',
}, async ({ page }) => {
  const { username, id } = await sell('ed');
  await signIn(page, 'reseller', `/users/all?q=${username}`);
  const before = await shownCredits(page);
  await page.getByRole('link', { name: username, exact: true }).click();
  await page.getByRole('complementary').getByRole('link', { name: 'Edit' }).click();
  await expect(page).toHaveURL(new RegExp(`line=${id}&part=edit`));
  await page.getByRole('link', { name: 'Open as a page' }).click();
  await expect(page).toHaveURL(`/users/${id}?part=edit`);

  await page.getByRole('textbox', { name: 'Username' }).fill(`new-${username}`);
  await openFields(page, 'Expiry');
  await page.getByLabel('Expiry').fill(formatDay(addDays(oneMonth(), -1)));
  await expect(page.getByText(`Choose a day after ${formatDay(oneMonth())}`)).toBeVisible();
  await page.getByLabel('Expiry').fill(formatDay(addDays(addMonths(oneMonth(), 1), 1)));
  await openFields(page, 'Labels');
  await page.getByRole('button', { name: 'Inactive' }).click();
  await page.getByLabel('Notes').fill('Second room');
  await openFields(page, 'Customer');
  await page.getByLabel('Email').fill('no address');
  await openFields(page, 'Customer');
  await page.getByRole('button', { name: 'Save for 4 credits' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByText('Enter a valid email address')).toBeVisible();
  await page.getByLabel('Email').fill('');
  await page.getByRole('button', { name: 'Save for 4 credits' }).click();

  await expect(page.getByText(`new-${username} saved for 4 credits`)).toBeVisible();
  await expect.poll(() => shownCredits(page)).toBe(before - 4);
  const file = await here.read('CCcam.cfg');
  expect(file).toContain(`F: new-${username} tulip-harbor-92-kite`);
  expect(file).not.toContain(`F: ${username} `);
});

test('what somebody else changes meanwhile is shown, and what was typed is kept', async ({
  page,
  admin,
}) => {
  const { id } = await sell('followed');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  await page.getByLabel('Notes').fill('mine');
  await admin.patch(`/api/lines/${id}`, { notes: 'theirs', company: 'Szczęsna' });
  await expect(page.getByText('Both of you changed: Notes.')).toBeVisible();
  await openFields(page, 'Customer');
  await expect(page.getByLabel('Company')).toHaveValue('Szczęsna');
  await expect(page.getByLabel('Notes')).toHaveValue('mine');
  await page.getByLabel('Name', { exact: true }).fill('Ms Kite');
  await expect(page.getByText('Both of you changed: Notes.')).toBeInViewport();

  await page.getByRole('button', { name: 'Save changes' }).click();
  const question = page.getByRole('dialog', { name: /^Replace the other person’s/ });
  await expect(question).toContainText('Notes');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Notes')).toHaveValue('mine');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await question.getByRole('button', { name: 'Keep their changes' }).click();
  await expect(page.getByText(/^followed-.* saved$/)).toBeVisible();
  await page.goto(`/users/edit/${id}`);
  await openFields(page, 'Customer');
  await expect(page.getByLabel('Notes')).toHaveValue('theirs');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ms Kite');
});

test('a change that does not reach the panel is said in sight, with the focus on it', async ({
  page,
}) => {
  const { id } = await sell('unreached');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  await page.getByLabel('Notes').fill('kept');
  await page.route('**/api/lines/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await page.getByRole('button', { name: 'Save changes' }).click();
  const refusal = page
    .getByRole('main')
    .getByRole('alert')
    .filter({ hasText: 'Your input is kept' });
  await expect(refusal).toBeInViewport();
  await expect(page.locator(':focus').getByRole('alert')).toHaveCount(1);
});

test('a line is deleted after a question that names it', { tag: '@spec:1.3' }, async ({ page }) => {
  const { username } = await sell('deleted');
  expect(await here.read('CCcam.cfg')).toContain(`F: ${username} `);
  await signIn(page, 'reseller', `/users/all?q=${username}`);
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${username}?` });
  await expect(dialog).toContainText('Nothing is refunded.');
  await dialog.getByRole('button', { name: 'Delete line' }).click();
  await expect(page.getByText(`${username} deleted`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Lines' })).toBeFocused();
  expect(await here.read('CCcam.cfg')).not.toContain(`F: ${username} `);
});

test('a dialog stays open while its line, the last of the list, is deleted elsewhere', async ({
  page,
}) => {
  const { username, id } = await sell('vanished');
  await signIn(page, 'reseller', `/users/all?q=${username}`);
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${username}?` });
  await expect(dialog).toBeVisible();
  await seller.delete(`/api/lines/${id}`);
  // Hidden from the accessibility tree by the open dialog.
  await expect(page.getByText('No results')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete line' }).click();
  await expect(dialog.getByRole('alert')).toContainText('User not found');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Lines' })).toBeFocused();
});

test('an administrator moves a line to another server and owner', { tag: '@spec:1.3' }, async ({
  page,
}) => {
  const { username } = await sell('moved');
  await signIn(page, 'admin', `/users/all?q=${username}`);
  const row = page.getByRole('row').filter({ hasText: username });
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  await page.getByRole('menuitem', { name: 'Move' }).click();
  const dialog = page.getByRole('dialog', { name: `Move ${username}` });
  await dialog.getByRole('radio', { name: `there ${there.port}` }).check();
  await dialog.getByLabel('Owner').fill('tom@');
  await page.getByRole('option', { name: accounts.admin.email }).click();
  await dialog.getByRole('button', { name: 'Move line' }).click();
  await expect(page.getByText(`${username} moved`)).toBeVisible();
  await expect(row).toContainText(`there ${there.port}`);
  await expect(row).toContainText('Administrator');
  expect(await there.read('CCcam.cfg')).toContain(`F: ${username} `);
  expect(await here.read('CCcam.cfg')).not.toContain(`F: ${username} `);
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('a line is renewed to a date in a sheet from the bottom', { tag: '@spec:3.13' }, async ({
    page,
  }) => {
    const { username } = await sell('phone');
    await signIn(page, 'reseller', `/users/all?q=${username}`);
    await page.getByRole('link', { name: username, exact: true }).click();
    await page.getByRole('button', { name: 'Other duration or date' }).click();
    const sheet = page.getByRole('dialog', { name: `Renew ${username}` });
    await expect
      .poll(async () => {
        const box = await sheet.boundingBox();
        return box && Math.round(box.y + box.height);
      })
      .toBe(844);
    await sheet.getByRole('radio', { name: 'Another date' }).check();
    const day = formatDay(addMonths(oneMonth(), 9));
    await sheet.getByLabel('Date', { exact: true }).fill(day);
    await sheet.getByRole('button', { name: 'Renew for 10 credits' }).click();
    await expect(page.getByText(`${username} renewed until ${day}`)).toBeVisible();
  });
});
