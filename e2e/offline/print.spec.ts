import type { Page } from '@playwright/test';
import { accounts } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

/** The size that A4 has between its margins, in pixels. */
const PAPER = { width: 703, height: 1020 };

/** Expects the page as it is printed: complete, without buttons, black on white. */
async function expectPrintable(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(PAPER);
  const main = page.getByRole('main');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  for (const part of ['button:not(thead button)', 'a[data-variant]', 'select', 'textarea']) {
    await expect(main.locator(part).filter({ visible: true })).toHaveCount(0);
  }
  const found = await main.evaluate((element) => {
    const all = [...element.querySelectorAll('*')].filter((one) => one.checkVisibility());
    return {
      colours: [...new Set(all.map((one) => getComputedStyle(one).color))],
      scrolls: all.filter(
        (one) =>
          /auto|scroll/.test(getComputedStyle(one).overflow) && one.scrollHeight > one.clientHeight,
      ).length,
      beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
  await expect(main.getByRole('link', { name: /^(Tickets|Manage Resellers)$/ })).toBeHidden();
  expect(found).toEqual({ colours: ['rgb(0, 0, 0)'], scrolls: 0, beyond: 0 });
}

test('a list prints whole, with its columns and their names on every page', async ({ page }) => {
  await signIn(page, 'admin', '/users/all?sort=username');
  await expect(page.getByRole('rowheader')).toHaveCount(25);
  await expectPrintable(page);
  await expect(page.getByRole('columnheader', { name: 'Username' })).toBeVisible();
  await expect(page.getByText(/^1–25 of/)).toBeVisible();
  const head = page.locator('main thead');
  await expect(head).toHaveCSS('display', 'table-header-group');
  await expect(head.getByRole('columnheader').first()).toHaveCSS('position', 'static');
  // Nothing is wider than its column.
  const cut = await page
    .locator('main tbody :is(th, td)')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length);
  expect(cut).toBe(0);
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(1000);
});

test('an account and a ticket print without what leads elsewhere', async ({ page, admin }) => {
  const { items } = await admin.get('/api/accounts?q=grazyna');
  await signIn(page, 'admin', `/accounts/${items[0].id}`);
  await expect(page.getByRole('heading', { name: 'Details' })).toBeVisible();
  await expectPrintable(page);
  await expect(page.getByText(accounts.reseller.email).first()).toBeVisible();

  await page.emulateMedia({ media: 'screen' });
  const { items: tickets } = await admin.get('/api/tickets');
  await page.goto(`/tickets/${tickets.at(-1).id}`);
  await expect(page.getByRole('textbox', { name: 'Reply' })).toBeVisible();
  await expectPrintable(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('charts print with their bars', async ({ page }) => {
  await signIn(page, 'admin', '/');
  const bars = page.locator('[data-print="drawn"] i');
  await expect(page.getByRole('slider')).not.toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  const inks = await bars.evaluateAll((drawn) =>
    drawn.map((bar) => getComputedStyle(bar).backgroundColor),
  );
  expect(inks.length).toBeGreaterThan(0);
  expect(inks).not.toContain('rgba(0, 0, 0, 0)');
  await expect(page.getByRole('link', { name: 'View all' })).toBeHidden();
});

test('credentials print without the list behind them, and in the letters of the screen', async ({
  page,
}) => {
  await signIn(page, 'admin', '/users/all');
  await expect(page.getByRole('rowheader').first()).toBeVisible();
  const hasMono = () =>
    page.evaluate(() =>
      [...document.fonts].some(
        ({ family, status }) => family.includes('Plex Mono') && status === 'loaded',
      ),
    );
  expect(await hasMono()).toBe(false);
  await page.getByRole('rowheader').first().getByRole('link').click();
  const panel = page.getByRole('complementary', { name: /^Line / });
  await panel.getByRole('link', { name: 'Receiver' }).click();
  await expect(panel.locator('code').first()).toBeVisible();
  await expect.poll(hasMono).toBe(true);

  await page.evaluate(() => {
    window.print = () => {};
  });
  await panel.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(PAPER);
  await expect(page.getByRole('heading', { name: 'Your line' })).toBeVisible();
  await expect(panel).toBeHidden();
  await expect(page.locator('main')).toBeHidden();
});
