import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { shownCredits, sidewaysOverflow } from '../support/page.ts';
import { signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const username = (page: Page) => page.getByRole('textbox', { name: 'Username' });
const sell = (page: Page) => page.getByRole('button', { name: /^Create line/ });

const cardServer = new CardServer();
test.beforeAll(async ({ addServer }) => {
  await cardServer.start();
  await addServer(`Phone ${unique()}`, cardServer);
});
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

test.describe('a sale on a phone', { tag: '@phone' }, () => {
  let seller: Account;
  test.beforeEach(async ({ newAccount }) => {
    seller = await newAccount({ credits: 50 });
  });

  test('is one screen and two taps', { tag: '@main' }, async ({ page }) => {
    await signIn(page, seller);
    await page.getByRole('link', { name: 'Sell', exact: true }).click();
    await expect(username(page)).toHaveValue(/-0001$/);
    await expect(page.getByText('This username is available.')).toBeVisible();
    for (const part of [
      username(page),
      page.getByText('24 months'),
      page.getByText('Notes and more'),
      page.getByRole('button', { name: 'Payment' }),
      sell(page),
    ])
      await expect(part).toBeInViewport({ ratio: 1 });
    // Nothing lies below the bar.
    const topOf = async () => (await page.locator('[data-foot-bar]').boundingBox())?.y ?? 0;
    const notes = await page.getByRole('button', { name: 'Notes and more' }).boundingBox();
    expect((notes?.y ?? 0) + (notes?.height ?? 0)).toBeLessThanOrEqual(await topOf());
    await page.getByRole('button', { name: 'Payment' }).click();
    await page.getByText('Owes', { exact: true }).click();
    await expect(page.getByLabel('Amount')).toBeVisible();
    await page.getByText('Owes', { exact: true }).click();
    await expect(page.getByRole('region', { name: 'Sale' })).toContainText('Balance 50');
    await expect(page.getByRole('navigation', { name: 'Quick navigation' })).toBeHidden();
    await expectAccessible(page);
    await sell(page).click();
    await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
    await expect.poll(() => shownCredits(page)).toBe(48);
  });

  test('Enter goes on, and buys nothing', async ({ page }) => {
    await signIn(page, seller, '/users/add');
    await expect(username(page)).toHaveValue(/-0001$/);
    await username(page).click();
    const typed = `typed-${unique()}`;
    await page.keyboard.type(typed);
    await expect(username(page)).toHaveValue(typed);
    await expect(username(page)).toHaveAttribute('enterkeyhint', 'next');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('radio', { name: /^1 month/ })).toBeFocused();
    await expect(sell(page)).toBeEnabled();
    await expect(page.getByRole('heading', { name: 'Line created' })).toHaveCount(0);
    expect(await shownCredits(page)).toBe(50);
  });

  test.describe(() => {
    test.use({ viewport: { width: 390, height: 500 } });
    test('has its price in reach above a keyboard, and without the title', async ({ page }) => {
      await signIn(page, seller, '/users/add');
      await username(page).click();
      await expect(sell(page)).toBeInViewport({ ratio: 1 });
      await expect(username(page)).toBeInViewport({ ratio: 1 });
      await expect(page.getByText('24 months')).toBeInViewport({ ratio: 1 });
      const heading = page.getByRole('heading', { level: 1 });
      await expect.poll(async () => (await heading.boundingBox())?.width).toBeLessThan(2);
    });
  });

  test.describe(() => {
    test.use({ viewport: { width: 320, height: 600 } });
    test('what is folded opens, also for what is wrong inside', async ({ page }) => {
      await signIn(page, seller, '/users/add');
      const fold = page.getByRole('button', { name: /^Password/ });
      await fold.click();
      await page.locator('input[name="password"]').fill('');
      await fold.click();
      await sell(page).click();
      await expect(page.getByText('Username and password are required').first()).toBeVisible();
      await expect(page.locator('input[name="password"]')).toBeVisible();
      await page.getByRole('button', { name: /^Notes and more/ }).click();
      await page.getByLabel('Notes').fill('Pays on Fridays');
      await expect.poll(() => sidewaysOverflow(page)).toBe(0);
      await expectAccessible(page);
    });
  });
});
