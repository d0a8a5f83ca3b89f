import { expect, test } from '@playwright/test';
import { signIn } from './support/sign-in.ts';
import { transferredScripts } from './support/transferred-scripts.ts';

const KIB = 1024;

function total(scripts: Map<string, number>): number {
  return [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) / KIB;
}

test('the sign-in page needs at most 240 KiB of scripts', async ({ page }) => {
  const scripts = await transferredScripts(page, async () => {
    await page.goto('/sign-in');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  });
  expect(scripts.size).toBeGreaterThan(0);
  expect(total(scripts)).toBeLessThanOrEqual(240);
});

test('the list of lines needs at most 320 KiB of scripts', async ({ page, browser }) => {
  await signIn(page, 'admin');
  const fresh = await browser.newContext({ storageState: await page.context().storageState() });
  const list = await fresh.newPage();
  const scripts = await transferredScripts(list, async () => {
    await list.goto('/users/all');
    await expect(list.getByRole('rowheader').first()).toBeVisible();
  });
  await fresh.close();
  expect(total(scripts)).toBeGreaterThan(100);
  expect(total(scripts)).toBeLessThanOrEqual(320);
});
