import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { outageOf, outagesWith } from '../support/outages.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { signIn } from '../support/sign-in.ts';
import { phone, smallPhone } from '../support/sizes.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const WORD = 'x'.repeat(300);
const serverName = `Wordy-${'w'.repeat(40)}`;
const username = `n${unique()}${'n'.repeat(40)}`.slice(0, 40);
let cardServer: Server;
let id: string;
let serverId: string;

test.describe.configure({ mode: 'default' });

/** Creates a line whose card server replies with one very long word. */
test.beforeAll(async ({ admin, addServer }) => {
  cardServer = createServer(({ method }, response) => {
    response.writeHead(method === 'GET' ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: WORD }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => cardServer.once('listening', resolve));
  const url = `http://127.0.0.1:${(cardServer.address() as AddressInfo).port}`;
  // Names on CCcam servers must be short, so the server is for NewCamd.
  const newcamd = { protocol: 'NewCamd', newcamd_ports: [{ port: 15_001, caid: '0500' }] };
  serverId = await addServer(serverName, { url }, newcamd);
  const { line } = await admin.post('/api/lines', {
    username,
    password: 'tulip-harbor-92-kite',
    expiry_date: '01-01-2099',
    server_id: serverId,
  });
  id = line.id;
});
test.afterAll(async ({ admin }) => {
  cardServer.close();
  await takeServersBack(admin);
});

async function expectFits(page: Page): Promise<void> {
  const overflow = await sidewaysOverflow(page);
  expect(overflow, 'the page scrolls sideways').toBe(0);
}

for (const width of [1440, 320]) {
  test.describe(() => {
    test.use({ viewport: { width, height: 800 } });
    test(`names and messages without a space fit at ${width} px`, async ({ page }) => {
      await signIn(page, 'admin', `/users/edit/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toContainText(username);
      await expectFits(page);
      await page.goto(`/users/${id}`);
      // The line's history contains the word too.
      await expect(page.getByRole('main').getByText('xxxxxxxx').first()).toBeVisible();
      await expectFits(page);
      await page.goto(`/cccam-servers/sync?q=${username}`);
      await expect(page.getByRole('main').getByText('xxxxxxxx')).toBeVisible();
      await expectFits(page);
      await page.goto(`/users/all?q=${username}`);
      await expect(page.getByText(username).first()).toBeVisible();
      await expectFits(page);
      await page.goto(`/audit?q=${username}`);
      await expect(page.getByRole('main').getByText(username).first()).toBeVisible();
      await expectFits(page);
    });
  });
}

for (const width of [1440, 390, 320]) {
  test.describe(() => {
    test.use({ viewport: { width, height: 800 } });
    test(`the page of a server keeps such a name in the window at ${width} px`, async ({
      page,
    }) => {
      await signIn(page, 'admin', `/cccam-servers/${serverId}`);
      await expect(page.getByRole('heading', { level: 1, name: serverName })).toBeVisible();
      await expectFits(page);
      const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
      for (const tab of [1, 2, 3, 4]) {
        await tabs.nth(tab).click();
        await expect(tabs.nth(tab)).toHaveAttribute('aria-current', 'page');
        await expectFits(page);
      }
    });
  });
}

for (const width of [1440, 390, 320]) {
  test.describe(() => {
    test.use({ viewport: { width, height: 800 } });
    test(`the strip of outages keeps the name of a server in the page at ${width} px`, async ({
      page,
    }) => {
      const away = outageOf('w'.repeat(100), { lines: 1, waiting: 1 });
      await page.route('**/api/servers/outages', (route) =>
        route.fulfill({ json: outagesWith([away]) }),
      );
      await signIn(page, 'admin', '/users/all');
      await expect(page.getByText('has not responded since')).toBeVisible();
      await expectFits(page);

      const other = outageOf('v'.repeat(100));
      await page.route('**/api/servers/outages', (route) =>
        route.fulfill({ json: outagesWith([away, other]) }),
      );
      await page.reload();
      await expect(page.getByText('2 servers are not responding (')).toBeVisible();
      await expectFits(page);
    });
  });
}

/** Pixels by which the content of a box is wider than the box. */
const overflowOf = (box: Locator) =>
  box.evaluate((element) =>
    Math.max(
      element.scrollWidth - element.clientWidth,
      element.scrollHeight - element.clientHeight,
      element.getBoundingClientRect().right - innerWidth,
      0,
    ),
  );

/** Opens a choice of servers, and expects that the names fit into its box and into the options of its list. */
async function expectChoiceFits(page: Page, box: Locator): Promise<void> {
  await expect(box).toBeVisible();
  expect(await overflowOf(box), 'the box').toBe(0);
  await box.click();
  const option = page.getByRole('option', { name: serverName });
  await expect(option).toBeVisible();
  for (const one of await page.getByRole('option').all()) expect(await overflowOf(one)).toBe(0);
  await option.click();
  await expect(box).toContainText(serverName);
  expect(await overflowOf(box), 'the box with the long name').toBe(0);
  await expectFits(page);
}

for (const { size, language } of [
  { size: phone, language: 'en' },
  { size: smallPhone, language: 'en' },
  { size: smallPhone, language: 'pl' },
]) {
  test.describe(() => {
    test.use({ viewport: size });
    test(`selects keep such a name in their boxes at ${size.width} px, in ${language}`, async ({
      page,
    }) => {
      await page.addInitScript((code) => localStorage.setItem('app-language', code), language);
      await signIn(page, 'reseller', '/users/add');
      // A phone folds the group with the server: the first shown choice is in it.
      const folded = page.getByRole('button', { name: /^Ser/, expanded: false });
      await expect(folded).toContainText(serverName);
      expect(await overflowOf(folded)).toBe(0);
      await folded.click();
      await expectChoiceFits(page, page.getByRole('combobox', { name: /^Ser/ }));
      await signIn(page, 'admin', '/messages/create');
      await page.getByRole('main').getByRole('radio').nth(2).check();
      await expectChoiceFits(page, page.getByRole('combobox', { name: /^Ser/ }));
    });
  });
}
