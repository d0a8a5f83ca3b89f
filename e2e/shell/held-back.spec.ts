import { expectAccessible } from '../support/accessible.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

test.describe('at both sizes', { tag: '@both' }, () => {
  test('events that a proxy holds back are noticed, said and asked for', async ({ page }) => {
    // The request is accepted, and its reply never arrives.
    await page.route('**/api/events*', () => {});
    await page.clock.install();
    await signIn(page, 'reseller', '/users/all');
    const strip = page.getByRole('status').filter({ hasText: 'Live updates are delayed.' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(strip).toHaveCount(0);
    await page.clock.runFor(60_000);
    await expect(strip).toBeVisible();
    await expectAccessible(page);

    const seller = await apiOf('reseller');
    const username = `held-${unique()}`;
    const { line } = await seller.post('/api/lines', {
      ...{ username, password: 'tulip-harbor-92-kite', is_trial: true },
    });
    const found = page.getByText(username);
    await page.clock.runFor(20_000);
    await expect(found.first()).toBeVisible();
    await seller.delete(`/api/lines/${line.id}`);
    await strip.getByRole('button', { name: 'Dismiss' }).click();
    await expect(strip).toHaveCount(0);
  });

  test('in a folder of another site the page says what it needs', async ({ page }) => {
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Linekeeper has not started' })).toBeVisible();
    await expect(page.getByText('The panel needs its own host name')).toBeVisible();
    await expectAccessible(page);
  });
});
