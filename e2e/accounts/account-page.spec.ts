import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { rowOf, sidewaysOverflow } from '../support/page.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const password = 'heron-on-the-lake-9';
const seller = { email: `lukasz-${stamp}@page.example`, full_name: 'Łukasz Wójcik', password };
const below = { email: `marek-${stamp}@page.example`, full_name: `Marek Lis ${stamp}`, password };
const note = `Faktura ${stamp}`;
const lines = [`jaskolka-${stamp}`, `zolw-${stamp}`];
let id: string;
let lineId: string;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin }) => {
  const { account } = await admin.post('/api/accounts', {
    ...seller,
    group_id: '2',
    notes: 'Pays on the first',
  });
  id = account.id;
  await admin.post(`/api/accounts/${id}/credits`, { amount: 100, note });
  const api = await apiOf(seller);
  for (const username of lines) {
    const { line } = await api.post('/api/lines', {
      username,
      password: 'pw',
      subscription_months: 6,
    });
    lineId ||= line.id;
  }
  await api.post('/api/accounts', { ...below, group_id: '2', credits: 20 });
});

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Account sections' }).getByRole('link', { name });
const told = (page: Page, text: string) => page.locator('main ol > li').filter({ hasText: text });

test.describe('at both sizes', { tag: '@both' }, () => {
  test('the account is there at a glance, and leads to those below it', { tag: '@main' }, async ({
    page,
  }) => {
    await signIn(page, 'admin', `/accounts/${id}`);
    await expect(tab(page, 'Overview')).toHaveAttribute('aria-current', 'page');
    await expect(tab(page, 'Credits')).toHaveText('Credits4');
    await expect(tab(page, 'Lines')).toHaveText('Lines2');
    await expect(page.getByText('Pays on the first')).toBeVisible();
    await page.getByRole('button', { name: 'View as table' }).click();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/resellers\\?owner=${id}`));
    await page.goBack();
    await page.getByRole('link', { name: below.full_name }).click();
    await expect(page.getByRole('heading', { level: 1, name: below.full_name })).toBeVisible();
  });

  test('its tabs stay where they are when their numbers come', async ({ page }) => {
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/figures', async (route) => {
      await isAsked;
      await route.continue();
    });
    await signIn(page, 'admin', `/accounts/${id}`);
    await expect(tab(page, 'Credits')).toHaveText('Credits');
    const placeOf = async () => (await tab(page, 'Activity').boundingBox())?.x;
    const place = await placeOf();
    answer();
    await expect(tab(page, 'Credits')).toHaveText('Credits4');
    expect(await placeOf()).toBe(place);
  });

  test('the own account opens from its row, as others do', async ({ page, isPhone }) => {
    await signIn(page, seller, `/accounts?q=${seller.email}`);
    if (isPhone) {
      await page.getByRole('link', { name: `Open account: ${seller.email}` }).click();
    } else {
      await page.getByRole('button', { name: `More actions for ${seller.email}` }).click();
      await page.getByRole('menuitem', { name: 'Open account' }).click();
    }
    await expect(page).toHaveURL(`/accounts/${id}`);
  });

  test('its credits are listed with the balance after each, filtered and downloaded', async ({
    page,
  }) => {
    await signIn(page, 'admin', `/accounts/${id}`);
    await tab(page, 'Credits').click();
    await expect(page).toHaveURL(new RegExp(`/accounts/${id}\\?tab=credits$`));
    const given = rowOf(page, 'To Marek Lis');
    await expect(given).toContainText('−20');
    await expect(given).toContainText('68');
    await expect(given).toContainText(seller.full_name);
    await expect(rowOf(page, note)).toContainText('+100');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Filter/ }).click();
    const panel = page.getByRole('dialog', { name: 'Filter' });
    await panel.getByRole('checkbox', { name: 'Sale' }).check();
    await panel.getByLabel('First day').fill('01-02-2026');
    await panel.getByRole('button', { name: /^Show 2 results/ }).click();
    await expect(page).toHaveURL(/tab=credits&kind=sale&from=2026-02-01$/);
    await expect(rowOf(page, stamp)).toHaveCount(2);
    await expect(rowOf(page, note)).toHaveCount(0);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await (await downloading).createReadStream();
    const text = (await file.toArray()).join('');
    expect(text.trim().split('\n')).toHaveLength(3);
    expect(text).toContain(lines[0]);
    await page.reload();
    await expect(rowOf(page, stamp)).toHaveCount(2);
    // A filter of one tab does not affect another.
    await tab(page, 'Lines').click();
    await expect(page).toHaveURL(/\?tab=lines$/);
  });

  test('its lines are searched, filtered and opened', async ({ page, isPhone }) => {
    await signIn(page, 'admin', `/accounts/${id}?tab=lines`);
    await expect(rowOf(page, stamp)).toHaveCount(2);
    // On a phone, the row of an active line shows its remaining time.
    await expect(rowOf(page, lines[0] ?? '')).toContainText(isPhone ? 'in 6 months' : 'Active');
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('jaskolka');
    await expect(rowOf(page, stamp)).toHaveCount(1);
    await page.getByRole('button', { name: /^Filter/ }).click();
    const panel = page.getByRole('dialog', { name: 'Filter' });
    await expect(panel.getByLabel('Owner')).toHaveCount(0);
    await panel.getByRole('checkbox', { name: 'Expired' }).check();
    await panel.getByRole('button', { name: /^Show/ }).click();
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'Clear' }).click();
    await expect(page).toHaveURL(/tab=lines/);
    await rowOf(page, lines[0] ?? '')
      .getByRole('link', { name: lines[0] })
      .click();
    await expect(page).toHaveURL(new RegExp(`line=${lineId}|/users/${lineId}`));
  });

  test('its story is told in order, filtered and searched', async ({ page }) => {
    await signIn(page, 'admin', `/accounts/${id}?tab=activity`);
    await expect(told(page, `Created a line ${lines[0]}`)).toContainText('= 94');
    await expect(page.getByText('Balance now').locator('xpath=..')).toContainText('68 credits');
    await expectAccessible(page);
    await page.getByRole('searchbox').fill(note);
    await expect(told(page, note)).toHaveCount(1);
    await expect(told(page, lines[0] ?? '')).toHaveCount(0);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /^Filter/ }).click();
    const panel = page.getByRole('dialog', { name: 'Filter' });
    await panel.getByRole('checkbox', { name: 'Sign-in and access' }).check();
    await panel.getByRole('button', { name: 'Show results' }).click();
    await expect(page).toHaveURL(/tab=activity&kind=access$/);
    await expect(told(page, 'Signed in').first()).toBeVisible();
    await expect(told(page, 'Created')).toHaveCount(0);
    await expectAccessible(page);
  });
});

test('a part of the account that does not exist is its overview', async ({ page }) => {
  await signIn(page, 'admin', `/accounts/${id}?tab=nonsense`);
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByText('Pays on the first')).toBeVisible();
});

test('two changes of a list, the second before the first is shown, are both made', async ({
  page,
}) => {
  await signIn(page, 'admin', `/accounts/${id}?tab=activity`);
  await page.getByRole('button', { name: /^Filter/ }).click();
  const panel = page.getByRole('dialog', { name: 'Filter' });
  await panel.getByRole('checkbox', { name: 'Sign-in and access' }).check();
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll('button')];
    for (const name of ['Show results', 'Newest']) {
      buttons.find(({ textContent }) => textContent?.includes(name))?.click();
    }
  });
  await expect(page).toHaveURL(/kind=access/);
  await expect(page).toHaveURL(/sort=created_at/);
});

test('the story is turned round', async ({ page }) => {
  await signIn(page, 'admin', `/accounts/${id}?tab=activity`);
  const titles = page.locator('main ol > li').filter({ has: page.locator('time') });
  await expect(titles.last()).toContainText('Created an account');
  await page.getByRole('button', { name: 'Newest' }).click();
  await expect(page).toHaveURL(/sort=created_at/);
  await expect(titles.first()).toContainText('Created an account');
});

for (const language of ['de', 'pl']) {
  test.describe(() => {
    test.use({ viewport: smallPhone });
    test(`everything has its place on a small phone in ${language}`, async ({ page }) => {
      await page.addInitScript((code) => localStorage.setItem('app-language', code), language);
      for (const shown of ['overview', 'credits', 'lines', 'activity']) {
        await signIn(page, 'admin', `/accounts/${id}?tab=${shown}`);
        await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
        const current = page.locator('main nav [data-current]');
        await expect(current).toBeVisible();
        const end = async () => {
          const box = await current.boundingBox();
          return (box?.x ?? 0) + (box?.width ?? 0);
        };
        await expect.poll(end).toBeLessThanOrEqual(320);
        const overflow = () => sidewaysOverflow(page);
        await expect.poll(overflow).toBe(0);
      }
      const [menu, heading] = [
        page.locator('main button[aria-haspopup="menu"]').first(),
        page.getByRole('heading', { level: 1 }),
      ];
      const [menuBox, headingBox] = [await menu.boundingBox(), await heading.boundingBox()];
      // The menu is beside the name, not in a separate row below the buttons.
      expect(menuBox?.y).toBeLessThan((headingBox?.y ?? 0) + (headingBox?.height ?? 0));
    });
  });
}

for (const width of [390, 320]) {
  for (const locale of ['en-GB', 'de-DE']) {
    test.describe(`at ${width} px in ${locale}`, () => {
      test.use({ viewport: { width, height: 844 }, locale });

      test('the name of the account is read in a line or two beside its menu', async ({ page }) => {
        await signIn(page, 'admin', `/accounts/${id}`);
        const name = page.getByRole('heading', { level: 1 });
        await expect(name).toHaveText(seller.full_name);
        const box = await name.boundingBox();
        const { fontSize } = await name.evaluate((one) => getComputedStyle(one));
        expect(box?.height).toBeLessThan(Number.parseFloat(fontSize) * 3.2);
        expect(box?.width).toBeGreaterThan(Number.parseFloat(fontSize) * 4);
      });
    });
  }
}
