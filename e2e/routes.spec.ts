import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import type { Person } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

const sizes = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 390, height: 844 },
  { name: 'small phone', width: 320, height: 640 },
];

interface Screen {
  path: string;
  person: Person | null;
  /** The heading that tells the screen is there. */
  heading: string | RegExp;
}

const screens: Screen[] = [
  { path: '/sign-in', person: null, heading: 'Sign in' },
  { path: '/sign-up', person: null, heading: 'Sign up' },
  { path: '/callback', person: null, heading: /./ },
  { path: '/404', person: null, heading: 'Page not found' },
  { path: '/', person: 'admin', heading: 'Dashboard' },
  { path: '/', person: 'user', heading: 'Dashboard' },
  { path: '/profile/edit', person: 'reseller', heading: 'Profile' },
  { path: '/users/all', person: 'admin', heading: 'Lines' },
  { path: '/users/all', person: 'reseller', heading: 'Lines' },
  { path: '/users/all?q=nothing-like-it', person: 'reseller', heading: 'Lines' },
  { path: '/users/add', person: 'reseller', heading: 'Add line' },
  { path: '/users/edit/{line}', person: 'admin', heading: /^Edit h\.grossmann/ },
  { path: '/users/import', person: 'reseller', heading: 'Import lines' },
  { path: '/cccam-servers/manage', person: 'admin', heading: 'CCcam Servers' },
  { path: '/cccam-servers/add', person: 'admin', heading: 'Add server' },
  { path: '/cccam-servers/check', person: 'admin', heading: 'Check servers' },
  { path: '/cccam-servers/test-api', person: 'admin', heading: 'Test API' },
  { path: '/cccam-servers/sync', person: 'admin', heading: 'Sync' },
  { path: '/cccam-servers/manage', person: 'reseller', heading: 'No access' },
];

/** What a person would notice: scripts that fail, policies that are broken, text that runs out of the page. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return problems;
}

async function expectFits(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'the page scrolls sideways').toBe(0);
}

/** With the id of a line that the signed-in person sees. */
async function addressOf(page: Page, path: string): Promise<string> {
  if (!path.includes('{line}')) return path;
  const { items } = await (
    await page.request.get('/api/lines?limit=1&sort=username&q=h.grossmann')
  ).json();
  return path.replace('{line}', items[0].id);
}

for (const size of sizes) {
  test.describe(size.name, () => {
    test.use({ viewport: { width: size.width, height: size.height } });

    for (const { path, person, heading } of screens) {
      test(`${path} as ${person ?? 'a visitor'} is whole and accessible`, async ({ page }) => {
        const problems = watch(page);
        if (person) await signIn(page, person, path.includes('{') ? '/' : path);
        if (!person || path.includes('{')) await page.goto(await addressOf(page, path));
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
        await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
        await expectFits(page);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
        expect(problems).toEqual([]);
      });
    }
  });
}

test.describe('in every language', () => {
  for (const language of ['de', 'pl', 'pt']) {
    for (const width of [1440, 320]) {
      test(`${language} fits at ${width} px`, async ({ page }) => {
        await page.setViewportSize({ width, height: 900 });
        await signIn(page, 'admin');
        await page.evaluate((code) => localStorage.setItem('app-language', code), language);
        for (const path of [
          '/',
          '/users/all',
          '/users/add',
          '/users/edit/{line}',
          '/users/import',
          '/cccam-servers/manage',
          '/cccam-servers/add',
          '/cccam-servers/check',
          '/cccam-servers/test-api',
          '/cccam-servers/sync',
          '/profile/edit',
        ]) {
          await page.goto(await addressOf(page, path));
          await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expectFits(page);
        }
      });
    }
  }
});
