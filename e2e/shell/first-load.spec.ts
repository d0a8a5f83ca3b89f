import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { delayRequests } from '../support/requests.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { transferredScripts } from '../support/transferred-scripts.ts';
import { unique } from '../support/unique.ts';

const WEB_APP = join(import.meta.dirname, '../../apps/web');

const KIB = 1024;

function total(scripts: Map<string, number>): number {
  return [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) / KIB;
}

test('the sign-in page needs at most 180 KiB of scripts', async ({ page }) => {
  const scripts = await transferredScripts(page, async () => {
    await page.goto('/sign-in');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  });
  expect(scripts.size).toBeGreaterThan(0);
  expect(total(scripts)).toBeLessThanOrEqual(180);
});

test('the list of lines needs at most 290 KiB of scripts', async ({ page, browser }) => {
  await signIn(page, 'admin');
  const fresh = await browser.newContext({ storageState: await page.context().storageState() });
  const list = await fresh.newPage();
  // The setting prevents fetching ahead, which a slow machine would have counted too.
  await list.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  const scripts = await transferredScripts(list, async () => {
    await list.goto('/users/all');
    await expect(list.getByRole('rowheader').first()).toBeVisible();
  });
  await fresh.close();
  expect(total(scripts)).toBeGreaterThan(100);
  expect(total(scripts)).toBeLessThanOrEqual(290);
});

test('nothing is fetched twice by a page that opens', async ({ page, browser, admin }) => {
  // A separate account, so that changes by other tests cause no requests.
  const person = {
    email: `first-load-${unique()}@panel.example`,
    password: 'first-load-password-1',
  };
  const { account } = await admin.post('/api/accounts', { ...person, group_id: '2' });
  await signIn(page, person);
  const storageState = await page.context().storageState();

  // Changes of servers by other tests cause requests on every open page, so one undisturbed load is enough.
  await expect(async () => {
    const fresh = await browser.newContext({ storageState });
    try {
      const list = await fresh.newPage();
      const asked: string[] = [];
      list.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const times = (path: string) => asked.filter((other) => other === path).length;

      await list.goto('/users/all');
      await expect(list.getByRole('heading', { level: 1, name: 'Lines' })).toBeVisible();
      await expect.poll(() => times('/api/events')).toBe(1);
      // The refetch after a live change proves that all earlier invalidations have been handled.
      const before = times('/api/me');
      await admin.post(`/api/accounts/${account.id}/credits`, { amount: 5 });
      await expect.poll(() => times('/api/me')).toBeGreaterThan(before);

      // The request follows the list, which may be now.
      await expect.poll(() => times('/api/jobs')).toBe(1);

      for (const path of ['/api/lines', '/api/lines/counts', '/api/me/settings', '/api/jobs']) {
        expect(times(path), path).toBe(1);
      }
      const files = asked.filter((path) => path.startsWith('/assets/'));
      expect(new Set(files).size).toBe(files.length);
    } finally {
      await fresh.close();
    }
  }).toPass({ timeout: 120_000 });
});

/** The position of an element, which must be visible as soon as it is attached. */
async function placeOf(target: Locator) {
  await target.waitFor({ state: 'attached' });
  expect(await target.isVisible()).toBe(true);
  const place = await target.boundingBox();
  return place && { x: place.x, y: place.y, width: place.width };
}

test('a loading list does not move when its rows arrive', { tag: '@both' }, async ({
  page,
  isPhone,
}) => {
  await signIn(page, 'reseller', '/profile/edit');
  const answer = await delayRequests(page, /\/api\/lines\?/);
  await page.goto('/users/all');
  const first = page.locator(isPhone ? 'main li:has(+ li)' : 'main thead').first();
  const before = await placeOf(first);
  await expect(page.getByText('Loading', { exact: true })).toBeAttached();
  expect(await placeOf(first)).toEqual(before);
  await answer();
  await expect(page.getByRole('main').locator('[data-line]').first()).toBeVisible();
  expect(await placeOf(first)).toEqual(before);
});

/** The built file that contains a module of the web app. */
async function builtFileOf(module: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(WEB_APP, 'dist/.vite/manifest.json'), 'utf8'));
  return manifest[`src/${module}`].file;
}

test('a loading screen keeps its space', { tag: '@spec:4.1' }, async ({ page }) => {
  await signIn(page, 'reseller', '/profile/edit');
  const answer = await delayRequests(
    page,
    new RegExp(`/${await builtFileOf('features/dashboard/dashboard-page.tsx')}$`),
  );
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByText('Loading', { exact: true })).toBeAttached();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await expect(page.getByRole('main').locator('section')).toBeVisible();
  await answer();
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
});
