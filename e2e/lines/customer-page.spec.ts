import { expectAccessible } from '../support/accessible.ts';
import { clipboardText, sidewaysOverflow } from '../support/page.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test('a customer opens the page without an account and asks for renewal, and the seller renews', {
  tag: ['@main', '@both'],
}, async ({ page, context, browser, newAccount }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const account = await newAccount({ credits: 10 });
  const { id, username } = await sellLine(await apiOf(account), 'ola', { name: 'Ola Lis' });

  await signIn(page, account, '/profile/texts?kind=page');
  const form = page.getByRole('form', { name: 'Customer’s page' });
  await form.getByLabel('Name of your business').fill('Szczęsna Satellite');
  await form.getByLabel('Message to your customers, in English').fill('Call until 6 pm.');
  await form.getByLabel('Phone').fill('+48 22 5550 0110');
  await form.getByRole('switch', { name: 'Show the password' }).check();
  await form.getByLabel('Telegram name').fill('no name');
  await page.keyboard.press('Tab');
  await expect(form.getByLabel('Telegram name')).toHaveAttribute('aria-invalid', 'true');
  await form.getByLabel('Telegram name').fill('@szczesna');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Customer’s page saved')).toBeVisible();
  await expect(form.getByLabel('Telegram name')).toHaveValue('szczesna');

  await page.goto(`/users/${id}`);
  const card = page.getByRole('region', { name: 'Customer’s page' });
  await card.getByRole('button', { name: 'Create a link' }).click();
  await expect(card).toContainText('Not opened yet');
  await card.getByRole('button', { name: 'Copy the link of the page' }).click();
  await expect.poll(() => clipboardText(page)).toMatch(/\/l\/[\w-]{22}$/);
  const link = await clipboardText(page);
  // {page} in the seller's texts is the same link.
  await page.getByRole('button', { name: `Copy credentials of ${username}` }).click();
  await expect.poll(() => clipboardText(page)).toContain(`\n${link}`);

  const { pathname } = new URL(link);
  const theirs = await browser.newContext({ viewport: page.viewportSize() });
  const visit = await theirs.newPage();
  await visit.goto(pathname);
  await expect(visit.getByRole('heading', { name: 'Szczęsna Satellite' })).toBeVisible();
  await expect(visit.getByText('Call until 6 pm.')).toBeVisible();
  await expectAccessible(visit);
  await visit.getByRole('button', { name: 'Ask for renewal' }).click();
  await expect(visit.getByRole('status')).toContainText('Your seller has been notified');
  await visit.reload();
  await expect(visit.getByRole('button')).toHaveCount(0);
  expect(await theirs.cookies()).toEqual([]);

  await signIn(page, account);
  const asked = page.getByRole('region', { name: 'Asked for renewal' });
  await expect(asked.getByRole('listitem')).toContainText(/Ola Lis, 1 month, /);
  await expectAccessible(page);
  await asked.getByRole('button', { name: `Renew ${username}` }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Renew/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(asked).toBeHidden();
  await visit.reload();
  await expect(visit.getByRole('button', { name: 'Ask for renewal' })).toBeVisible();

  await page.goto(`/users/${id}`);
  await expect(card).toContainText(/Opened /);
  await card.getByRole('button', { name: 'More about the customer’s page' }).click();
  await page.getByRole('menuitem', { name: 'Withdraw page' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw page' }).click();
  await expect(card.getByRole('button', { name: 'Create a link' })).toBeVisible();
  expect((await visit.reload())?.status()).toBe(404);
  await expect(visit.getByRole('heading', { name: 'This page does not exist' })).toBeVisible();
});

const shown = [
  ['en', 'Paid until', 'Show', 'Enigma2', 'Other'],
  ['de', 'Bezahlt bis', 'Anzeigen', 'Enigma2', 'Andere'],
  ['pl', 'Opłacona do', 'Pokaż', 'Enigma2', 'Inny'],
  ['pt', 'Paga até', 'Mostrar', 'Enigma2', 'Outro'],
] as const;

for (const width of [320, 390]) {
  test(`without scripts and ${width} px wide the page works in four languages`, async ({
    browser,
    newAccount,
  }) => {
    const account = await newAccount({ credits: 10 });
    const api = await apiOf(account);
    await api.put('/api/me/texts', { page: { shows_password: true, phone: '+48 22 5550 0110' } });
    const { id } = await sellLine(api, 'plain');
    const { url } = await api.post(`/api/lines/${id}/page`);
    const context = await browser.newContext({
      viewport: { width, height: 700 },
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    let bytes = 0;
    page.on('response', async (response) => {
      bytes += (await response.body()).length;
    });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(new URL(url).pathname);
    for (const [language, paid, show, enigma2, other] of shown) {
      await page
        .getByRole('link')
        .and(page.locator(`[hreflang=${language}]`))
        .click();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.getByText(paid)).toBeVisible();
      const password = page.getByText('tulip-harbor-92-kite');
      await expect(password).toBeHidden();
      await page.getByText(show, { exact: true }).click();
      await expect(password).toBeVisible();
      await page.getByText(enigma2, { exact: true }).click();
      await expect(page.getByText('/etc/CCcam.cfg')).toBeVisible();
      await page.getByText(other, { exact: true }).click();
      await expect(page.getByText('/etc/CCcam.cfg')).toBeHidden();
      expect(await sidewaysOverflow(page)).toBe(0);
    }
    expect(requested).toHaveLength(1 + shown.length);
    expect(bytes / requested.length).toBeLessThan(50 * 1024);
  });
}
