import type { Page } from '@playwright/test';
import { Deployments } from '../support/deployments.ts';
import { waitUntilBuildIsStored } from '../support/offline.ts';
import { accounts } from '../support/people.ts';
import { apiOf } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

let deployments: Deployments;
test.beforeEach(async () => {
  deployments = await Deployments.start();
});
test.afterEach(() => deployments?.stop());

async function open(page: Page, path: string): Promise<void> {
  const { cookie } = await apiOf(accounts.admin);
  const [name = '', value = ''] = cookie.split('=', 2);
  await page.context().addCookies([{ name, value, url: deployments.url, httpOnly: true }]);
  await page.goto(deployments.url + path);
}

const buildOf = (page: Page) =>
  page.evaluate(() => document.querySelector('script[src]')?.getAttribute('src'));
const profileLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Profile' });
const profile = (page: Page) => page.getByRole('heading', { level: 1, name: 'Profile' });

/** Counts the loads of a page. */
function loadsOf(page: Page): () => number {
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  return () => loads;
}

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a page that was open during a deployment goes on, and the next load is the new version', async ({
    page,
    context,
  }) => {
    await open(page, '/users/all');
    await waitUntilBuildIsStored(page);
    const before = await buildOf(page);
    deployments.deploy();
    const loads = loadsOf(page);
    await profileLink(page).click();
    await expect(profile(page)).toBeVisible();
    expect([loads(), deployments.missed]).toEqual([0, []]);
    expect(await buildOf(page)).toBe(before);

    await page.reload();
    await expect(profile(page)).toBeVisible();
    const after = await buildOf(page);
    expect(after).not.toBe(before);
    await waitUntilBuildIsStored(page);
    await context.setOffline(true);
    await page.reload();
    await expect(profile(page)).toBeVisible();
    expect(await buildOf(page)).toBe(after);
    expect(deployments.missed).toEqual([]);
    // The earlier version stays for pages that still use it.
    const builds = await page.evaluate(() => caches.keys());
    expect(builds).toEqual([before, after].map((build) => `linekeeper-build:${build}`));
  });
});

test('without one such a page is loaded anew, once', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  await open(page, '/users/all');
  await expect(page.getByRole('button', { name: /^More actions for/ }).first()).toBeVisible();
  const before = await buildOf(page);
  deployments.deploy();
  const loads = loadsOf(page);
  await profileLink(page).click();
  await expect(profile(page)).toBeVisible();
  expect(loads()).toBe(1);
  expect(await buildOf(page)).not.toBe(before);
  expect(deployments.missed.length).toBeGreaterThan(0);
});
