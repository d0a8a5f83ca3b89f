import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { signIn } from '../support/sign-in.ts';
import { phone } from '../support/sizes.ts';
import { expect, test } from '../support/test.ts';

const bar = (page: Page) => page.getByRole('navigation', { name: 'Quick navigation' });
const lowPhone = { width: 390, height: 600 };
/** A laptop of 1366 by 768 at 200 % zoom. */
const zoomedLaptop = { width: 683, height: 384 };

/** True if neither the bar nor the header covers the focused element, at its upper and its lower edge. */
const isInSight = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const place = focused?.getBoundingClientRect();
    if (!focused || !place) return false;
    return [0.1, 0.5, 0.9].every((part) => {
      const seen = document.elementFromPoint(
        place.x + place.width / 2,
        place.y + place.height * part,
      );
      return seen !== null && seen.closest('#foot, header') === null;
    });
  });

/** Elements that keep their place while the page below them scrolls. */
const sticking = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((one) => ['fixed', 'sticky'].includes(getComputedStyle(one).position))
      .filter((one) => one.offsetWidth > 0 && one.offsetHeight > 0)
      .filter((one) => !one.matches('a[href="#main"]'))
      .map((one) => one.className),
  );

test.describe('the bar at the foot of a phone', { tag: '@phone' }, () => {
  test('has the places of a seller, and shows where one is', { tag: '@main' }, async ({ page }) => {
    await signIn(page, 'reseller');
    await expect(bar(page).locator('a, button')).toHaveText([
      'Today',
      'Lines',
      'Sell',
      'Search',
      'More',
    ]);
    for (const place of await bar(page).locator('a, button').all()) {
      const { width = 0, height = 0 } = (await place.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    await expect(bar(page).getByRole('link', { name: 'Today' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await bar(page).getByRole('link', { name: 'Lines' }).click();
    await expect(page).toHaveURL(/\/users\/all/);
    await expect(bar(page).locator('[aria-current]')).toHaveText(['Lines']);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Home' })).toBeVisible();
    await expectAccessible(page);
  });

  test('an administrator is at home, and who sells nothing finds help', async ({
    page,
    browser,
  }) => {
    await signIn(page, 'admin');
    await expect(bar(page).getByRole('link')).toHaveText(['Home', 'Lines', 'Sell']);
    const theirs = await (await browser.newContext({ viewport: phone })).newPage();
    await signIn(theirs, 'user');
    await expect(bar(theirs).getByRole('link')).toHaveText(['Home', 'Top up', 'Help']);
    await theirs.context().close();
  });

  test('below its places the header leads back to where one was', async ({ page }) => {
    await signIn(page, 'reseller', '/users/all?q=probe');
    await expect(page.getByRole('heading', { level: 1, name: 'Lines' })).toBeVisible();
    await bar(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Messages' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
    await page.getByRole('banner').getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL(/\/users\/all\?q=probe/);

    // A page that is opened by its address links back to its parent.
    await page.goto('/users/import');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => history.replaceState({}, ''));
    await page.reload();
    await page.getByRole('banner').getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL(/\/users\/all/);
  });

  for (const size of [phone, lowPhone, { width: 320, height: 600 }]) {
    test.describe(() => {
      test.use({ viewport: size });
      test(`covers nothing that Tab reaches at ${size.width} by ${size.height}`, async ({
        page,
      }) => {
        for (const path of ['/tickets/new', '/support/contact-us', '/']) {
          await signIn(page, 'reseller', path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expect(bar(page)).toBeVisible();
          await page.getByRole('main').focus();
          for (let stop = 0; stop < 60; stop++) {
            await page.keyboard.press('Tab');
            if (!(await page.locator('#main :focus').count())) break;
            const name = await page.locator('#main :focus').evaluate(({ outerHTML }) => outerHTML);
            await expect.poll(() => isInSight(page), `${path}: ${name}`).toBe(true);
          }
        }
      });
    });
  }

  test.describe(() => {
    test.use({ viewport: lowPhone });
    test('leaves the end of a page in reach', async ({ page }) => {
      await signIn(page, 'reseller', '/settings');
      await expect(page.getByRole('contentinfo')).toBeVisible();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const [foot, end] = [await bar(page).boundingBox(), page.getByRole('contentinfo')];
      await expect
        .poll(async () => {
          const { y = 0, height = 0 } = (await end.boundingBox()) ?? {};
          return y + height;
        })
        .toBeLessThanOrEqual((foot?.y ?? 0) + 1);
    });
  });
});

for (const path of ['/users/all?sort=username', '/users/add', '/settings']) {
  test.describe(() => {
    test.use({ viewport: zoomedLaptop });
    test(`nothing sticks in a low window: ${path}`, async ({ page }) => {
      await signIn(page, 'admin', path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect.poll(() => sticking(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 480 });
      await expect.poll(() => sticking(page)).toEqual([]);
    });
  });
}

test.describe(() => {
  test.use({ viewport: zoomedLaptop });
  test('at 200 % zoom the rows of a list are cards', async ({ page }) => {
    await signIn(page, 'reseller', '/users/all?sort=username');
    const card = page.getByRole('main').getByRole('listitem').first();
    await expect(card.locator('[data-line]')).toBeVisible();
    await expect(page.getByRole('main').getByRole('table')).toHaveCount(0);
    await expectAccessible(page);
  });
});
