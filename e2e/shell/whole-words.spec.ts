import { expect, type Locator, type Page, test } from '@playwright/test';
import { stopServers } from '../../apps/server/src/core/card-server/testing/servers.ts';
import { startMemoryCardServer } from '../../apps/server/src/testing/memory-card-server.ts';
import { Api } from '../support/api.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts, agentCredentials } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';

const smallPhone = { width: 320, height: 640 };
const desktop = { width: 1440, height: 900 };

/** What cannot be read of a text, in pixels. */
const cutOff = (text: Locator) =>
  text.evaluate((element) => Math.max(0, element.scrollWidth - element.clientWidth));

async function speak(page: Page, language: string): Promise<void> {
  await page.addInitScript((code) => localStorage.setItem('app-language', code), language);
}

for (const language of ['en', 'de', 'pl', 'pt']) {
  test(`a term of two years is read whole in the list of lines, in ${language}`, async ({
    page,
  }) => {
    const admin = await new Api(panelUrl).signIn(accounts.admin);
    const { line } = await admin.post('/api/lines', {
      username: `two-years-${language}`,
      password: 'pw-two-years',
      subscription_months: 24,
    });
    await page.setViewportSize(desktop);
    await speak(page, language);
    await signIn(page, 'admin', `/users/all?q=${line.username}`);
    const term = page.getByRole('cell').getByText(/^\p{L}+ 24 \p{L}+\.?$/u);
    await expect(term).toBeVisible();
    expect(await cutOff(term)).toBe(0);
  });

  test(`the form of a day is read whole on the smallest phone, in ${language}`, async ({
    page,
  }) => {
    await page.setViewportSize(smallPhone);
    await speak(page, language);
    await signIn(page, 'admin', '/redeem-codes/add');
    const day = page.getByPlaceholder(/-MM-/);
    await expect(day).toBeVisible();
    // A placeholder has no width of its own; typed, its words have.
    await day.fill((await day.getAttribute('placeholder')) ?? '');
    expect(await cutOff(day)).toBe(0);
  });
}

test('which server is the newest is read whole on the smallest phone', async ({ page }) => {
  const card = await startMemoryCardServer();
  const admin = await new Api(panelUrl).signIn(accounts.admin);
  const { server } = await admin.post('/api/servers', {
    server_name: 'Frankfurt 3',
    host_ip: '127.0.0.1',
    port: 12000,
    api_port: Number(new URL(card.url).port),
    ...agentCredentials,
  });
  await admin.post(`/api/servers/${server.id}/test`);
  await page.setViewportSize(smallPhone);
  await signIn(page, 'reseller', '/users/add');
  const newest = page.getByText('newest active');
  await expect(newest).toBeVisible();
  expect(await cutOff(newest)).toBe(0);
  await admin.delete(`/api/servers/${server.id}`);
  await stopServers();
});

test('a made code is read whole in the list of codes', async ({ page }) => {
  await page.setViewportSize(desktop);
  await signIn(page, 'admin', '/redeem-codes');
  const codes = page.getByRole('rowheader').getByText(/^\w{4}-\w{4}-\w{4}-\w{4}-\w{4}$/);
  await expect(codes.first()).toBeVisible();
  for (const code of await codes.all()) expect(await cutOff(code)).toBe(0);
});

test('a shortcut names the key as it is printed on German keyboards', async ({ page }) => {
  await page.setViewportSize(desktop);
  await speak(page, 'de');
  await signIn(page, 'admin', '/settings');
  await expect(page.getByRole('banner').getByText('Strg K')).toBeVisible();
  await expect(page.getByRole('main').getByText('Strg K', { exact: true })).toBeVisible();
});
