import { chromium } from 'playwright-core';
import { Api } from './e2e/support/api.ts';
import { accounts } from './e2e/support/people.ts';
import { chromiumLaunchOptions } from './scripts/test-chromium.ts';
const url = 'http://127.0.0.1:28640';
const who = (process.env.WHO ?? 'reseller') as keyof typeof accounts;
const api = await new Api(url).signIn(accounts[who]);
const [name, value] = api.cookie.split('=');
const browser = await chromium.launch(await chromiumLaunchOptions());
export async function open(isPhone: boolean) {
  const context = await browser.newContext({
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    ...(isPhone ? { isMobile: true, hasTouch: true } : {}),
    locale: 'en-GB', baseURL: url,
  });
  await context.addCookies([{ name: name!, value: value!, url }]);
  const page = await context.newPage();
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message));
  return page;
}
const step = process.argv[2];
const n = String(Date.now()).slice(-5);
for (const isPhone of [false, true]) {
  const tag = isPhone ? '390' : '1440';
  const page = await open(isPhone);
  const shot = (s: string) => page.screenshot({ path: `/tmp/w2-${s}-${tag}.png` });
  if (step === 'sell') {
    await page.goto('/users/add');
    await page.getByText('Sport', { exact: true }).waitFor();
    await page.waitForTimeout(800);
    await shot('sell-first');
    await page.locator('label').filter({ hasText: 'Sport' }).first().click();
    await page.locator('label').filter({ hasText: '3 months' }).first().click();
    await page.waitForTimeout(1500);
    await shot('sell');
    await page.screenshot({ path: `/tmp/w2-sell-full-${tag}.png`, fullPage: true });
    await page.getByRole('button', { name: /Create line for 9/ }).click();
    await page.getByText('Works on').waitFor({ timeout: 15000 }).catch(() => console.log('no works-on'));
    await page.waitForTimeout(1500);
    await shot('done');
    await page.screenshot({ path: `/tmp/w2-done-full-${tag}.png`, fullPage: true });
  }
  if (step === 'line') {
    const { items } = await api.get('/api/lines?sort=-added_date&limit=20');
    const line = items.find((l: any) => l.servers.length > 1);
    console.log(JSON.stringify({ u: line.username, s: line.servers, st: line.sync_state, on: line.on_server }));
    await page.goto(isPhone ? `/users/${line.id}` : `/users/all?line=${line.id}`);
    await page.waitForTimeout(2500);
    await shot('line');
    await page.goto(`/users/${line.id}`);
    await page.waitForTimeout(2000);
    await shot('line-page');
    await page.screenshot({ path: `/tmp/w2-line-full-${tag}.png`, fullPage: true });
    await page.getByRole('button', { name: 'Change plan' }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.waitForTimeout(800);
    await shot('change-plan-0');
    await page.getByRole('dialog').locator('label').filter({ hasText: 'Full HD' }).click();
    await page.waitForTimeout(1500);
    await shot('change-plan');
    await page.goto(`/users/${line.id}?part=receiver`);
    await page.waitForTimeout(1500);
    await shot('receiver');
  }
  if (step === 'list') {
    await page.goto('/users/all');
    await page.waitForTimeout(1500);
    await shot('list');
    await page.getByRole('button', { name: /^Filter/ }).first().click();
    await page.waitForTimeout(1000);
    await page.getByText('Plan', { exact: true }).first().scrollIntoViewIfNeeded().catch(() => console.log('no plan filter'));
    await page.waitForTimeout(300);
    await shot('filter');
  }
  await page.context().close();
}
await browser.close();
