import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { goOffline, goOnline } from '../support/offline.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { blockEvents, delayRequests } from '../support/requests.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const WAITING = 4;
/** A separate administrator, so that no other test changes the columns. */
const keeper = { email: `keeper-${stamp}@linekeeper.example`, password: 'keeper-41-kite' };
const cardServer = new CardServer();
const waitingName = (index: number) => `kit-${stamp}-${index}`;
const serverName = `Kit ${stamp}`;
let serverId: string;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin, addServer }) => {
  await admin.post('/api/accounts', { ...keeper, group_id: '1' });
  await cardServer.start();
  serverId = await addServer(serverName, cardServer);
  await cardServer.stop();
  // In parallel, because after several failures in a row the server takes no new lines.
  await Promise.all(
    Array.from({ length: WAITING }, (_, index) =>
      admin.post('/api/lines', {
        username: waitingName(index),
        password: 'pw',
        notes: index === 1 ? `Frau Müller ${stamp}` : undefined,
        expiry_date: formatDay(addDays(today(ZONE), 90)),
        server_id: serverId,
      }),
    ),
  );
});
test.afterAll(() => cardServer.remove());

const head = (page: Page, name: string) => page.getByRole('columnheader', { name });
const names = (page: Page) => page.getByRole('rowheader').allInnerTexts();
const waiting = () => Array.from({ length: WAITING }, (_, index) => waitingName(index));
const box = (page: Page, index: number) =>
  page.getByRole('checkbox', { name: `Select ${waitingName(index)} on ${serverName}` });

test('the keyboard sorts a list by a column, up, down and back', { tag: '@main' }, async ({
  page,
}) => {
  await signIn(page, keeper, `/users/all?q=kit-${stamp}`);
  await expect(page.getByRole('rowheader')).toHaveCount(WAITING);
  await expect(head(page, 'Username')).not.toHaveAttribute('aria-sort');
  await head(page, 'Username').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(head(page, 'Username')).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(() => names(page)).toEqual(waiting());
  await page.keyboard.press('Enter');
  await expect(head(page, 'Username')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => names(page)).toEqual(waiting().reverse());
  await page.keyboard.press('Enter');
  await expect(head(page, 'Username')).not.toHaveAttribute('aria-sort');
  await expect(head(page, 'Username').getByRole('button')).toBeFocused();
});

test('what a search has found is marked in the card of a phone', { tag: '@phone' }, async ({
  page,
}) => {
  await signIn(page, keeper, `/users/all?q=muller ${stamp}`);
  await expect(page.getByRole('listitem').locator('mark')).toHaveText(`Müller ${stamp}`);
});

test('what a search has found is marked, in the username and in notes', async ({ page }) => {
  await signIn(page, keeper, `/users/all?q=KIT-${stamp}`);
  await expect(page.getByRole('rowheader').first().locator('mark')).toHaveText(`kit-${stamp}`);
  await page.getByRole('searchbox').fill(`muller ${stamp}`);
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await expect(page.getByRole('rowheader').locator('mark')).toHaveText(`Müller ${stamp}`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Notes').click();
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill(`muller ${stamp}`);
  await expect(page.getByRole('cell').locator('mark')).toHaveText(`Müller ${stamp}`);
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Notes').click();
  await page.keyboard.press('Escape');
  await expect(head(page, 'Notes')).toHaveCount(0);
});

test('the changes that wait are sorted, selected as a range and tried again', async ({ page }) => {
  await signIn(page, keeper, `/cccam-servers/sync?server=${serverId}`);
  await expect.poll(() => names(page)).toEqual(waiting());
  await expect(head(page, 'Username')).toHaveAttribute('aria-sort', 'ascending');
  await head(page, 'Username').getByRole('button').click();
  await expect(page).toHaveURL(/sort=-username/);
  await expect.poll(() => names(page)).toEqual(waiting().reverse());
  await page.reload();
  await expect.poll(() => names(page)).toEqual(waiting().reverse());

  await box(page, 3).check();
  await box(page, 1).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('3 selected');
  await expect(box(page, 0)).not.toBeChecked();
  await expectAccessible(page);
  const asked = page.waitForRequest('**/api/sync/retry');
  await bar.getByRole('button', { name: 'Retry' }).click();
  expect((await asked).postDataJSON().ids).toHaveLength(3);
  await expect(page.getByText(/^Changes being retried: \d$/)).toBeVisible();
  await expect(bar).toHaveCount(0);
  await box(page, 2).check();
  await page.keyboard.press('Escape');
  await expect(box(page, 2)).not.toBeChecked();
});

test('a list says that it loads, that it failed, and that nothing matches', async ({ page }) => {
  await signIn(page, keeper, '/profile/edit');
  const answer = await delayRequests(page, /\/api\/sync\?/);
  await page.goto('/cccam-servers/sync');
  await expect(page.getByText('Loading', { exact: true })).toBeAttached();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await answer();
  await expect(page.getByRole('rowheader').first()).toBeVisible();

  await page.getByRole('link', { name: 'Pending', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Clear filters' }).click();
  await expect(page.getByRole('rowheader').first()).toBeVisible();

  await blockEvents(page);
  await page.route(/\/api\/sync\?/, (route) =>
    route.fulfill({ status: 500, json: { error: 'broken', code: 'INTERNAL' } }),
  );
  await page.reload();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Every server is up to date' })).toHaveCount(0);
  await page.unroute(/\/api\/sync\?/);
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('rowheader').first()).toBeVisible();
});

test('without a connection the rows that were there stay', async ({ page }) => {
  await signIn(page, keeper, `/users/all?q=kit-${stamp}`);
  await expect(page.getByRole('rowheader')).toHaveCount(WAITING);
  await goOffline(page);
  await head(page, 'Expiry').getByRole('button').click();
  await expect(page.getByRole('rowheader')).toHaveCount(WAITING);
  await goOnline(page);
  await expect(head(page, 'Expiry')).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('rowheader')).toHaveCount(WAITING);
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('rows are cards, and those of changes that wait have the words of their columns', {
    tag: '@main',
  }, async ({ page }) => {
    await signIn(page, keeper, `/users/all?q=kit-${stamp}`);
    const cards = page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
    await expect(cards).toHaveCount(WAITING);
    await expect(page.getByRole('table')).toHaveCount(0);
    await expect(cards.first().getByRole('link')).toBeVisible();
    await page.goto(`/cccam-servers/sync?server=${serverId}`);
    await box(page, 1).check();
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected');
    const changes = page.getByRole('list', { name: 'Sync' }).getByRole('listitem');
    await expect(changes.first()).toContainText(/Status ?(Failed|Pending)/);
    const overflow = await sidewaysOverflow(page);
    expect(overflow).toBe(0);
    await expectAccessible(page);
  });
});

/** The frame around the table. Its `data-fit` is set if the table is wider. */
const frame = (page: Page) => page.locator('[data-fit]');

for (const language of ['en', 'de', 'pl', 'pt']) {
  test.describe(() => {
    test.use({ viewport: { width: 1280, height: 800 } });
    test(`in ${language} the columns of the start fit a window of 1280 px, whole`, async ({
      page,
    }) => {
      await signIn(page, keeper);
      await page.evaluate((code) => localStorage.setItem('app-language', code), language);
      await page.goto('/users/all?sort=username');
      await expect(page.getByRole('rowheader').first()).toBeVisible();
      await expect(frame(page)).toHaveAttribute('data-fit', 'narrow');
      const { outside, cut } = await frame(page).evaluate((element) => {
        const { right } = element.getBoundingClientRect();
        const heads = [...element.querySelectorAll('th[scope="col"]')];
        const cells = [...element.querySelectorAll('td, th, td [data-tone]')];
        return {
          outside: heads.filter((one) => one.getBoundingClientRect().right > right + 0.5).length,
          // Content that is too long must be truncated within its cell.
          cut: cells
            .filter((one) => one.scrollWidth > one.clientWidth + 1)
            .map((one) => one.textContent),
        };
      });
      expect({ outside, cut }).toEqual({ outside: 0, cut: [] });
    });
  });
}

test.describe(() => {
  test.use({ viewport: { width: 820, height: 600 } });
  test('a table that is wider than its room shows so, and keeps its head', async ({ page }) => {
    await signIn(page, keeper, '/users/all?sort=username');
    const rows = page.getByRole('rowheader');
    await expect(rows.nth(20)).toBeAttached();
    await expect(frame(page)).toHaveAttribute('data-fit', 'scrolls');
    await expect(frame(page)).toHaveAttribute('data-hides-end');
    await expect(frame(page)).not.toHaveAttribute('data-hides-start');
    await rows.nth(20).scrollIntoViewIfNeeded();
    await expect(head(page, 'Username')).toBeInViewport({ ratio: 1 });
    await frame(page).evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await expect(frame(page)).toHaveAttribute('data-hides-start');
    await expect(frame(page)).not.toHaveAttribute('data-hides-end');
    await expect(head(page, 'Owner')).toBeInViewport({ ratio: 1 });
    await expect(head(page, 'Username')).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
  });
});
