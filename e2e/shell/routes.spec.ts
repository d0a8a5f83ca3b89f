import type { Page } from '@playwright/test';
import { type AnyScreen, type ScreenName, screens } from '../../apps/web/src/screens/screens.ts';
import { expectAccessible } from '../support/accessible.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { signIn } from '../support/sign-in.ts';
import { desktop, phone, smallPhone } from '../support/sizes.ts';
import { expect, test } from '../support/test.ts';
import { addressOf } from './address-of.ts';
import { type ExpectedScreen, expectedScreens } from './expected-screens.ts';

const sizes = [
  {
    name: 'desktop',
    size: desktop,
    smaller: null,
    go: (page: Page, path: string) => page.goto(path),
  },
  // The small phone draws the same elements, so the test only checks that they fit.
  { name: 'phone', size: phone, smaller: smallPhone, go: follow },
];

const isForAdmins = ({ access }: AnyScreen) => access === 'admin';
const names = Object.keys(expectedScreens) as ScreenName[];

const opened = names.flatMap((name) =>
  expectedScreens[name].map(({ search = '', tag, ...visit }, index) => ({
    ...visit,
    // Desktop tests also have the tags of sentences. The first visit is the one test that opens each screen.
    tags: [...(index === 0 ? ['@main'] : []), ...(tag ? [tag] : [])],
    path: screens[name].path + search,
  })),
);

/** Collects uncaught errors and console errors, such as violations of the content policy. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return problems;
}

const waiting = ['[aria-busy="true"]', '[class*="keleton"]'];

/**
 * Expects that no part of the screen waits for its data. The test looks at no words, because these differ by language.
 */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator(waiting.map((part) => `main ${part}`).join())).toHaveCount(0);
}

/**
 * Expects that the content fits. The check is soft, so that later screens are checked too, and
 * repeats, because a screen may still be redrawn.
 */
async function expectFits(page: Page): Promise<void> {
  const overflow = () => sidewaysOverflow(page);
  const softly = expect.configure({ soft: true });
  await softly.poll(overflow, `${page.url()} scrolls sideways`).toBe(0);
}

/** Expects 24-hour times in the visible words, and in those of tooltips. */
async function expectHas24Hours(page: Page): Promise<void> {
  const times = await page.evaluate(() => {
    const titles = [...document.querySelectorAll<HTMLElement>('[title]')].map(({ title }) => title);
    return [document.body.innerText, ...titles].join('\n').match(/\d:\d\d [ap]m\b/gi);
  });
  expect.soft(times, page.url()).toBeNull();
}

async function expectFitsAt(page: Page, size: typeof smallPhone): Promise<void> {
  await page.setViewportSize(size);
  await expectLoaded(page);
  await expectFits(page);
}

interface Location {
  pathname: string;
  href: string;
}

/** The router's state, which it puts on the window. */
interface WithRouter {
  __TSR_ROUTER__: { state: { status: string; location: Location; resolvedLocation?: Location } };
}

/** Goes to a screen by a link, without reloading the panel, and waits until the screen is drawn. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
  await page.waitForFunction((to) => {
    const { state } = (window as unknown as WithRouter).__TSR_ROUTER__;
    const { location, resolvedLocation, status } = state;
    const isThere = location.pathname === new URL(to, window.location.origin).pathname;
    return isThere && status === 'idle' && resolvedLocation?.href === location.href;
  }, path);
}

const people: ExpectedScreen['person'][] = [null, 'admin', 'reseller', 'user'];

for (const { name, size, smaller, go } of sizes) {
  for (const person of people) {
    test.describe(`${name}, ${person ?? 'a visitor'}`, () => {
      test.describe.configure({ mode: 'default' });
      // One page is used for all screens, so that the browser compiles the scripts once.
      let page: Page;
      let problems: string[];

      test.beforeAll(async ({ browser }) => {
        page = await browser.newPage({ viewport: size });
        problems = watch(page);
        if (person) await signIn(page, person);
        else await page.goto('/');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      });
      test.afterAll(() => page.close());

      for (const { path, heading, tags } of opened.filter((visit) => visit.person === person)) {
        const tag = size === desktop ? tags : [];
        test(`${path} is whole and accessible`, { tag }, async () => {
          problems.length = 0;
          await page.setViewportSize(size);
          await go(page, await addressOf(page.request, path));
          await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
          await expect(page).toHaveTitle(/. · Linekeeper$/);
          await expectLoaded(page);
          await expectFits(page);
          await expectAccessible(page);
          if (smaller) await expectFitsAt(page, smaller);
          expect(problems).toEqual([]);
        });
      }
    });
  }
}

test('screens for administrators are shown to nobody else', {
  tag: ['@spec:2.27', '@spec:2.62', '@spec:6.7'],
}, async ({ page }) => {
  await signIn(page, 'reseller');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const { path } of names.map((name) => screens[name]).filter(isForAdmins)) {
    await follow(page, path.replace('$id', '1'));
    await expect(page.getByRole('heading', { level: 1, name: 'No access' })).toBeVisible();
  }
});

test.describe('in every language', () => {
  for (const language of ['de', 'pl', 'pt']) {
    test(`${language} fits on desktop and small phone, and has days of 24 hours`, {
      tag: ['@thorough', '@spec:1.9'],
    }, async ({ page }) => {
      await signIn(page, 'admin');
      await page.evaluate((code) => localStorage.setItem('app-language', code), language);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const inside = names.filter((name) => screens[name].access !== 'public');
      for (const { path } of inside.map((name) => screens[name])) {
        await page.setViewportSize(desktop);
        await follow(page, await addressOf(page.request, path));
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectLoaded(page);
        await expectFits(page);
        await expectHas24Hours(page);
        await expectFitsAt(page, smallPhone);
      }
    });
  }
});
