import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { agentCredentials } from '../support/people.ts';
import { blockEvents } from '../support/requests.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
/** An administrator whose columns and views no other test changes. */
const keeper = { email: `declarer-${stamp}@linekeeper.example`, password: 'declarer-41-kite' };
const cardServer = new CardServer();
const places = ['Bergen', 'Calais'].map((name) => `${name} ${stamp}`);
const untested = `Dresden ${stamp}`;
const waitingAt = (place: string) => `w-${place.replace(' ', '-').toLowerCase()}`;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin, addServer }) => {
  await admin.post('/api/accounts', { ...keeper, group_id: '1' });
  await cardServer.start();
  const ids: string[] = [];
  for (const server_name of places) {
    ids.push(await addServer(server_name, cardServer));
  }
  await admin.post('/api/servers', {
    server_name: untested,
    host_ip: '127.0.0.1',
    port: 12000,
    ...agentCredentials,
  });
  await cardServer.stop();
  for (const [index, server_id] of ids.entries()) {
    await admin.post('/api/lines', {
      username: waitingAt(places[index] ?? ''),
      password: 'pw',
      expiry_date: formatDay(addDays(today(ZONE), 90)),
      server_id,
    });
  }
  await admin.post(`/api/servers/${ids[1]}/test`);
});
test.afterAll(() => cardServer.remove());

const names = (page: Page) => page.getByRole('rowheader').allInnerTexts();
const waiting = places.map(waitingAt);

test('what waits is searched, filtered by several servers, and kept as a view', async ({
  page,
}) => {
  await signIn(page, keeper, `/cccam-servers/sync?q=${stamp}`);
  await expect.poll(() => names(page)).toEqual(waiting);
  await page.getByRole('button', { name: 'Filter' }).click();
  const panel = page.getByRole('dialog', { name: 'Filter' });
  const more = panel.getByRole('button', { name: /more$/ });
  if ((await more.count()) > 0) await more.click();
  for (const place of places) await panel.getByRole('checkbox', { name: place }).check();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Show 2 results' }).click();
  await page.getByRole('button', { name: `Remove Server ${places[0]}` }).click();
  await expect.poll(() => names(page)).toEqual(waiting.slice(1));

  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Calais waits');
  const kept = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save view' }).click();
  await kept;
  const tab = page.getByRole('link', { name: /^Calais waits/ });
  await expect(tab).toHaveAttribute('aria-current', /true|page/);
  await page.goto('/cccam-servers/sync?state=pending');
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await tab.click();
  await expect.poll(() => names(page)).toEqual(waiting.slice(1));
});

test('the columns of what waits are chosen, and stay so', async ({ page }) => {
  await signIn(page, keeper, `/cccam-servers/sync?q=${stamp}`);
  await expect(page.getByRole('columnheader', { name: 'Attempts' })).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
  await page.getByRole('dialog').getByLabel('Attempts').click();
  await saved;
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Server' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Attempts' })).toHaveCount(0);
});

test('servers are filtered by the address, searched and found again', async ({ page }) => {
  const card = (place: string) => page.getByRole('listitem').filter({ hasText: place });
  const broken = places[1] ?? '';
  await signIn(page, keeper, '/cccam-servers/manage?status=error');
  await expect(card(broken)).toBeVisible();
  await expect(card(untested)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Error', exact: true })).toHaveAttribute(
    'aria-current',
    /true|page/,
  );
  await page.getByRole('searchbox', { name: 'Search servers' }).fill('no such server');
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Clear filters' }).click();
  await expect(card(untested)).toBeVisible();
  await page.goto('/cccam-servers/manage?status=gone&sort=server_name');
  await expect(card(broken)).toBeVisible();
});

test('jobs that could not be fetched are not said to be none', async ({ page }) => {
  await blockEvents(page);
  await page.route(/\/api\/jobs(\?|$)/, (route) =>
    route.fulfill({ status: 500, json: { error: 'broken', code: 'INTERNAL' } }),
  );
  await signIn(page, keeper, '/users/all?job=recent');
  const dialog = page.getByRole('dialog', { name: 'Recent jobs' });
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'No jobs yet' })).toHaveCount(0);
  await page.unroute(/\/api\/jobs(\?|$)/);
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByRole('heading', { name: 'No jobs yet' })).toBeVisible();
});

for (const language of ['en', 'de', 'pl', 'pt']) {
  test(`in ${language} the columns of the start have their width in a window of 1440 px`, async ({
    page,
  }) => {
    await signIn(page, keeper);
    await page.evaluate((code) => localStorage.setItem('app-language', code), language);
    await page.goto('/users/all');
    await expect(page.getByRole('rowheader').first()).toBeVisible();
    await expect(page.locator('[data-fit]')).toHaveAttribute('data-fit', 'wide');
  });
}
