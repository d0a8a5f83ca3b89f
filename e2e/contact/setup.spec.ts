import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { storeDirectly } from '../support/database.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test.describe.configure({ mode: 'default' });

const checkOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
const checkAgain = (page: Page) => page.getByRole('button', { name: 'Check again' }).click();

test.describe('at both sizes', { tag: '@both' }, () => {
  test('the report names what is missing in the database, and that it is there again', {
    tag: '@spec:8.40',
  }, async ({ page }) => {
    await signIn(page, 'admin', '/tickets/setup');
    await expect(page.getByText('All checks passed')).toBeVisible();
    await expect(checkOf(page, 'Test ticket')).toContainText('Passed');
    // No test of this panel needs the table while it is renamed.
    await storeDirectly([['alter table card_reversals rename to put_away', []]]);
    try {
      await checkAgain(page);
      await expect(page.getByText('1 check found a problem')).toBeVisible();
      await expect(checkOf(page, 'Tables')).toContainText(
        'Database not set up properly. Tables not created: card_reversals',
      );
      await expectAccessible(page);
    } finally {
      await storeDirectly([['alter table put_away rename to card_reversals', []]]);
    }
    await page.getByRole('button', { name: 'Apply migrations' }).click();
    await expect(page.getByText('No migrations are missing')).toBeVisible();
    await expect(page.getByText('All checks passed')).toBeVisible();
  });

  test('sample tickets say that they are samples', { tag: '@spec:8.42' }, async ({ page }) => {
    await signIn(page, 'admin', '/tickets/setup');
    const rows = page.getByRole('listitem').filter({ hasText: 'Sample' });
    await expect(rows).toHaveCount(3);
    await expect(page.getByText('Nobody wrote these tickets.')).toBeVisible();
  });

  test('the connection test reads a line and says how long calls take', {
    tag: ['@spec:2.39', '@spec:7.30'],
  }, async ({ page }) => {
    await signIn(page, 'admin', '/tickets/setup');
    await page.getByRole('link', { name: 'Connection test' }).click();
    await expect(page.getByText('All checks passed')).toBeVisible();
    await expect(checkOf(page, 'One ID from users')).toContainText(/[\da-f]{8}-[\da-f]{4}-/);
    await expect(checkOf(page, 'Latency of the database')).toContainText(
      /p50 [\d.]+ ms, p95 [\d.]+ ms over 20 calls/,
    );
    await expect(checkOf(page, 'Sign-in')).toContainText('Passed');
    await expect(checkOf(page, 'Live changes')).toContainText('Passed');
    await expectAccessible(page);
    await checkAgain(page);
    await expect(page.getByText('All checks passed')).toBeVisible();
  });
});
