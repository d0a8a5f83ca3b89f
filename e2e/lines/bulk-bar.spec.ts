import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { rowOf } from '../support/page.ts';
import { resultOf } from '../support/results.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const LINES = 6;
let stem = '';
let seller: Account;

/** Each test has a seller of its own, who can renew three of the lines. */
test.beforeEach(async ({ admin, newAccount }) => {
  stem = unique();
  seller = await newAccount({ credits: 2 * LINES + 7 });
  const api = await apiOf(seller);
  // One server has all lines, so that their customers must change the same setting.
  const choices: { id: string; server_name: string }[] = await admin.get('/api/servers/choices');
  const server_id = choices.find(({ server_name }) => server_name === 'Frankfurt 1')?.id;
  for (let nth = 0; nth < LINES; nth++) {
    const username = `${stem}-${nth}`;
    await api.post('/api/lines', { username, password: 'pw', subscription_months: 1, server_id });
  }
});

const boxes = (page: Page) => page.getByRole('checkbox', { name: new RegExp(`^Select ${stem}`) });

test('the bar has words, and Delete last', async ({ page }) => {
  await signIn(page, seller, '/users/all');
  await expect(boxes(page)).toHaveCount(LINES);
  for (const box of await boxes(page).all()) await box.check();
  const bar = page.getByRole('region', { name: 'Selection' });
  for (const width of [1440, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    await expect
      .poll(async () => {
        const names = await bar.getByRole('button').allInnerTexts();
        return names.filter(Boolean).slice(-4);
      })
      .toEqual([`Renew ${LINES} lines`, 'Edit', 'CSV', 'Delete']);
    for (const name of ['Edit', 'CSV', 'Delete']) {
      const button = bar.getByRole('button', { name, exact: true });
      expect(await button.evaluate((drawn) => drawn.scrollWidth <= drawn.clientWidth)).toBe(true);
      await expect(button).not.toHaveCSS('font-size', '0px');
    }
  }
  await expectAccessible(page);
});

test('too few credits leave two ways on', { tag: '@both' }, async ({ page }) => {
  await signIn(page, seller, '/users/all');
  await expect(boxes(page)).toHaveCount(LINES);
  for (const box of await boxes(page).all()) await box.check();
  await page.getByRole('button', { name: `Renew ${LINES} lines` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('link', { name: 'Top up' })).toHaveAttribute(
    'href',
    '/payments/pricing',
  );
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Renew the first 3' }).click();
  await expect(dialog.getByRole('heading', { name: 'Renew 3 lines' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Renew 3 lines for 6 credits' })).toBeEnabled();
  await expect(dialog.getByText('1 credit', { exact: true })).toBeVisible();
});

test('fields that lines share are changed together, wrong ones are said', { tag: '@both' }, async ({
  page,
}) => {
  await signIn(page, seller, '/users/all');
  await expect(boxes(page)).toHaveCount(LINES);
  for (const box of await boxes(page).all()) await box.check();
  await page
    .getByRole('region', { name: 'Selection' })
    .getByRole('button', { name: 'Edit', exact: true })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Company' }).check();
  await dialog.getByLabel('New: Company').fill(`Salon ${stem}`);
  await dialog.getByRole('checkbox', { name: 'Host and port' }).check();
  await dialog.getByLabel('New: Host and port').fill('nonsense');
  await expect(dialog.getByText('Enter a host name or an IP address')).toBeVisible();
  await expect(dialog.getByText('Correct the marked field first.').first()).toBeVisible();
  await dialog.getByLabel('New: Host and port').fill('b.example:12001');
  await expect(dialog.getByText(`${LINES} customers must change the host and port`)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: `Edit ${LINES} lines` }).click();
  await expect(dialog).toHaveCount(0);
  const api = await apiOf(seller);
  await expect
    .poll(async () => (await api.get(`/api/lines?q=${stem}-0`)).items[0].company)
    .toBe(`Salon ${stem}`);
});

test('status and fields are changed together, as the lines then say, and taken back', {
  tag: '@both',
}, async ({ page, isPhone }) => {
  await signIn(page, seller, `/users/all?q=${stem}`);
  await expect(boxes(page)).toHaveCount(LINES);
  for (const box of (await boxes(page).all()).slice(0, 2)) await box.check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Inactive', { exact: true }).click();
  for (const field of ['Name', 'Notes']) {
    await dialog.getByRole('checkbox', { name: field, exact: true }).check();
    await dialog.getByLabel(`New: ${field}`).fill(`${field} of both`);
  }
  await dialog.getByRole('button', { name: 'Edit 2 lines' }).click();
  const result = resultOf(page, '2 lines edited');
  await result.hover();
  const changed = rowOf(page, 'Inactive');
  await expect(changed).toHaveCount(2);
  // The next list has neither the selection nor the bar.
  await expect(bar).toHaveCount(0);
  await expectAccessible(page);

  await changed.first().getByRole('link').first().click();
  const line = page.getByRole('heading', { name: new RegExp(`^${stem}`) }).last();
  await expect(line).toBeVisible();
  await expect(page.getByText('Notes of both').first()).toBeVisible();
  await page.goBack();
  await result.getByRole('button', { name: 'Undo' }).click();
  await expect(resultOf(page, 'Changes to 2 lines undone')).toBeVisible();
  await expect(changed).toHaveCount(0);
  // On a phone, only lines that are not active show their state.
  await expect(rowOf(page, isPhone ? stem : 'Active')).toHaveCount(LINES);
});
