import type { Locator, Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { accounts } from '../support/people.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const seller = { email: `filterer-${stamp}@linekeeper.example`, password: 'filterer-52-heron' };
const active = [`a-active-${stamp}`, `b-active-${stamp}`];
const inactive = [`c-idle-${stamp}`];
const expired = [`d-expired-${stamp}`, `e-expired-${stamp}`];
const all = [...active, ...inactive, ...expired];

// One worker for the file, so that its accounts are created once.
test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin }) => {
  const { account } = await admin.post('/api/accounts', { ...seller, group_id: '2' });
  for (const username of all) {
    const days = expired.includes(username) ? -3 : 90;
    const { line } = await admin.post('/api/lines', {
      username,
      password: 'heron-lake-7',
      expiry_date: formatDay(addDays(today(ZONE), days)),
      owner_id: account.id,
    });
    const status = [{ label: 'inactive', color: 'warning' }];
    if (inactive.includes(username)) await admin.patch(`/api/lines/${line.id}`, { status });
  }
});

const panel = (page: Page) => page.getByRole('dialog', { name: 'Filter' });
const choice = (within: Locator, name: string) => within.getByRole('checkbox', { name });
const chip = (page: Page, value: string) =>
  page.getByRole('button', { name: `Remove Status ${value}`, exact: true });
const asked = (page: Page) => new URL(page.url()).search;

/** Expects exactly these lines, as rows or as cards. */
async function expectLines(page: Page, names: readonly string[]): Promise<void> {
  const shown = page.getByRole('checkbox', { name: /^Select .*-\d+$/ });
  await expect(shown).toHaveCount(names.length);
  for (const name of names) {
    await expect(page.getByRole('checkbox', { name: `Select ${name}`, exact: true })).toHaveCount(
      1,
    );
  }
}

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let press = 0; press < 60; press++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test.describe('at both sizes', { tag: '@both' }, () => {
  test('several statuses are chosen by keyboard, shown as chips and taken away one by one', async ({
    page,
  }) => {
    await signIn(page, seller, '/users/all?sort=username');
    await expectLines(page, all);
    await page.getByRole('button', { name: /^Filter/ }).focus();
    await page.keyboard.press('Enter');
    await expect(choice(panel(page), 'Inactive')).toBeVisible();
    await expect(panel(page).getByText('Expired2')).toBeVisible();
    await tabTo(page, choice(panel(page), 'Inactive'));
    await page.keyboard.press('Space');
    await tabTo(page, choice(panel(page), 'Expired'));
    await page.keyboard.press('Space');
    await expectAccessible(page);
    await tabTo(page, panel(page).getByRole('button', { name: 'Show 3 results' }));
    await page.keyboard.press('Enter');
    await expect(panel(page)).toHaveCount(0);
    await expectLines(page, [...inactive, ...expired]);
    expect(asked(page)).toContain('status=inactive,expired');
    await expectAccessible(page);

    await chip(page, 'Expired').press('Enter');
    await expectLines(page, inactive);
    expect(asked(page)).toContain('status=inactive');
    await expect(chip(page, 'Inactive')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Filter/ })).toBeFocused();

    await page.goBack();
    await expectLines(page, [...inactive, ...expired]);
    await expect(chip(page, 'Expired')).toBeVisible();
    await page.reload();
    await expectLines(page, [...inactive, ...expired]);
    await page.goBack();
    await expectLines(page, all);
    await expect(chip(page, 'Inactive')).toHaveCount(0);
  });

  test('below three letters the search box says what it looks for, and a cross clears it', async ({
    page,
  }) => {
    await signIn(page, seller, '/users/all?sort=username');
    const box = page.getByRole('searchbox', { name: 'Search lines' });
    await box.fill('d-');
    await expect(page.getByText('matches the start of usernames')).toBeVisible();
    await expectLines(page, expired.slice(0, 1));
    await expectAccessible(page);
    await box.fill('-expired-');
    await expect(page.getByText('matches the start of usernames')).toHaveCount(0);
    await expectLines(page, expired);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(box).toHaveValue('');
    await expect(box).toBeFocused();
    await expectLines(page, all);
    expect(asked(page)).not.toContain('q=');
  });
});

test('a view with several values is saved, counted and found again', { tag: '@main' }, async ({
  page,
}) => {
  await signIn(page, seller, '/users/all?status=inactive,active&sort=username');
  await expectLines(page, [...active, ...inactive]);
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('In use');
  await page.getByRole('button', { name: 'Save view', exact: true }).click();
  const views = page.getByRole('navigation', { name: 'Views' });
  const tab = views.getByRole('link', { name: 'In use 3' });
  await expect(tab).toHaveAttribute('aria-current', /true|page/);
  await expect(views.locator('[aria-current]')).toHaveCount(1);
  await views.getByRole('link', { name: /^All/ }).click();
  await expectLines(page, all);
  await tab.click();
  await expectLines(page, [...active, ...inactive]);
  expect(asked(page)).toContain('status=inactive,active');
  await page.reload();
  await expect(tab).toHaveAttribute('aria-current', /true|page/);
});

test('a view whose server and owner are deleted names them as deleted, and both can be removed', async ({
  page,
}) => {
  const gone = crypto.randomUUID();
  await signIn(page, 'admin', `/users/all?server=${gone}&owner=${gone}`);
  const remove = (value: string) => page.getByRole('main').getByRole('button', { name: value });
  await expect(remove('Remove Server Deleted server')).toHaveCount(1);
  await expect(remove('Remove Owner Deleted account')).toHaveCount(1);
  await page.getByRole('button', { name: /^Filter/ }).click();
  await expect(choice(panel(page), 'Deleted account')).toBeChecked();
  // A filter that was removed is not offered again.
  await choice(panel(page), 'Deleted server').click();
  await expect(choice(panel(page), 'Deleted server')).toHaveCount(0);
  await expectAccessible(page);
  await panel(page).getByRole('button', { name: /^Show/ }).click();
  await expect.poll(() => asked(page)).toBe(`?owner=${gone}`);
  await remove('Remove Owner Deleted account').click();
  await expect.poll(() => asked(page)).toBe('');
});

test('Download CSV is one click: what the list finds, and no job', async ({ page }) => {
  await signIn(page, seller, '/users/all?status=inactive,expired&sort=-username');
  await expectLines(page, [...inactive, ...expired]);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^lines-\d{4}-\d\d-\d\d\.csv$/);
  const text = Buffer.concat(await (await file.createReadStream()).toArray()).toString('utf8');
  const [, ...rows] = text.trim().split('\r\n');
  const names = rows.map((row) => row.split(',')[0]);
  expect(names).toEqual([...inactive, ...expired].reverse().map((name) => `"${name}"`));
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Recent jobs' }).click();
  await expect(
    page.getByRole('dialog').getByRole('heading', { name: 'No jobs yet' }),
  ).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('rowheader')).toHaveCount(0);
});

test.describe('searched at both sizes', { tag: '@both' }, () => {
  test('a line says by which of its fields it is found, and numbers however they are spaced', async ({
    page,
  }) => {
    const mark = unique();
    const username = `s-${mark}`;
    const api = await apiOf(accounts.admin);
    const { line } = await api.post('/api/lines', {
      username,
      password: 'heron-lake-7',
      subscription_months: 1,
      user_value: `Karte ${mark}`,
      notes: `Tel. +48 ${mark.slice(0, 3)}-${mark.slice(3, 6)} ${mark.slice(6)}`,
    });
    await signIn(page, 'admin', `/users/all?q=${encodeURIComponent(`karte ${mark}`)}`);
    const row = page.locator('tbody tr, li').filter({ hasText: username });
    await expect(row).toContainText(`User value Karte ${mark}`);
    for (const q of [`48${mark}`, `48 ${mark.slice(0, 5)} ${mark.slice(5)}`]) {
      await page.getByRole('searchbox').or(page.getByPlaceholder('Search lines')).first().fill(q);
      await expect(row).toContainText('Notes');
      await expect(row.locator('mark')).toContainText(mark.slice(0, 3));
    }
    await expectAccessible(page);
    await api.delete(`/api/lines/${line.id}`);
  });
});
