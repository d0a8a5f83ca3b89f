import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { apiOf, signIn, signInByForm } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const line = `audited-${stamp}`;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin }) => {
  const sold = await admin.post('/api/lines', {
    username: line,
    password: 'pw',
    subscription_months: 1,
  });
  await admin.patch(`/api/lines/${sold.line.id}`, { notes: 'by the window', password: 'pw-2' });
});

const entries = (page: Page) =>
  page.locator('main').locator('tbody tr:not([data-detail]), ul[aria-label] > li');

test.describe('at both sizes', { tag: '@both' }, () => {
  test('an act is found, and opened shows what it changed', { tag: '@main' }, async ({ page }) => {
    await signIn(page, 'admin', '/audit');
    await page.getByRole('searchbox').fill(line);
    await expect(entries(page)).toHaveCount(2);
    await expect(entries(page).first()).toContainText('Changed a line');
    await expect(entries(page).first()).toContainText('Notes, Password');
    await entries(page)
      .first()
      .getByRole('button', { name: /^Entry from/ })
      .click();
    const main = page.getByRole('main');
    await expect(main.getByText('by the window')).toBeVisible();
    await expect(main.getByText('changed, never shown')).toBeVisible();
    await expect(main.getByText(/^From 127/)).toBeVisible();
    await expect(main.getByText('pw-2')).toHaveCount(0);
    await expectAccessible(page);
    await main.getByRole('link', { name: 'Everything from this request' }).click();
    await expect(entries(page)).toHaveCount(1);
  });

  test('what a ticket, a message and an article held is said in words', async ({ page, admin }) => {
    const { id } = await admin.get('/api/me');
    const text = `Said in words ${unique()}`;
    const { ticket } = await admin.post('/api/tickets', { title: text, description: 'Text' });
    await admin.patch(`/api/tickets/${ticket.id}`, { status: 'in_progress', assigned_to: id });
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const content = { title: text, content: 'Text', expires_at: until };
    const { message } = await admin.post('/api/messages', { ...content, is_global: true });
    const { article } = await admin.post('/api/articles', {
      ...{ title: text, body: 'Text', category: 'sign_in', locale: 'pl' },
    });
    const expected = [
      [ticket.id, ['In progress', 'Open']],
      [message.id, ['Published', 'Yes']],
      [article.id, ['Signing in', 'Polski', 'No']],
    ] as const;
    await signIn(page, 'admin', '/audit');
    const main = page.getByRole('main');
    for (const [subject, words] of expected) {
      await page.goto(`/audit?q=${subject}`);
      await entries(page)
        .first()
        .getByRole('button', { name: /^Entry from/ })
        .click();
      for (const word of words) {
        await expect(main.getByText(word, { exact: true }).first()).toBeVisible();
      }
      for (const raw of ['in_progress', 'published', 'sign_in', 'true', 'false', id, until]) {
        await expect(main.getByText(raw, { exact: true })).toHaveCount(0);
      }
    }
    await admin.delete(`/api/messages/${message.id}`);
    await admin.delete(`/api/articles/${article.id}`);
  });

  test('acts are filtered by action and kind', async ({ page }) => {
    await signIn(page, 'admin', `/audit?q=${line}`);
    await page.getByRole('link', { name: /^Servers/ }).click();
    await page.getByRole('searchbox').fill(line);
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    await page.goto(`/audit?q=${line}&action=line.create`);
    await expect(entries(page)).toHaveCount(1);
    await expect(entries(page)).toContainText('Created a line');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^audit-.*\.csv$/);
  });

  test('who signed in, with what, and who gave a wrong password', async ({ page, admin }) => {
    const person = {
      email: `visiting-${stamp}@panel.example`,
      password: 'audited password',
    };
    await admin.post('/api/accounts', { ...person, group_id: '3' });
    const wrong = apiOf({ ...person, password: 'not this one' });
    await expect(wrong).rejects.toThrow('INVALID_CREDENTIALS');
    await signInByForm(page, person);
    await page.context().clearCookies();
    await signIn(page, 'admin', `/audit?q=${person.email}`);
    await expect(entries(page)).toHaveCount(3);
    await expect(entries(page).nth(0)).toContainText('Signed in');
    await expect(entries(page).nth(0)).toContainText(/Chrome on \w+/);
    await expect(entries(page).nth(1)).toContainText('Visitor');
    await expect(entries(page).nth(1)).toContainText('Entered a wrong password');
    await expectAccessible(page);
  });

  test('the page says whether the seals hold, and checks them when asked', async ({ page }) => {
    await signIn(page, 'admin', '/audit');
    const seals = page.getByRole('button', { name: /^Log / });
    await seals.click();
    await expect(seals).toHaveText(/^Log intact, \d+:\d\d [ap]m$/);
    await page.reload();
    await expect(seals).toHaveText(/^Log intact, /);
    await expectAccessible(page);
  });

  test('the page says that seals are broken', async ({ page }) => {
    await page.route('**/api/audit/seals', (route) =>
      route.fulfill({ json: { ok: false, faults: 2, checked_at: '2026-11-21T03:00:00.000Z' } }),
    );
    await signIn(page, 'admin', '/audit');
    await expect(page.getByRole('button', { name: 'Log damaged, faults: 2' })).toBeVisible();
    await expectAccessible(page);
  });
});
