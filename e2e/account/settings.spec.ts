import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { expectAccessible } from '../support/accessible.ts';
import { panelUrl } from '../support/panel.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

const toggle = (page: Page, name: string) => page.getByRole('switch', { name });
const saved = (page: Page) => expect(page.getByText('Setting saved').first()).toBeVisible();

test.describe('at both sizes', { tag: '@both' }, () => {
  test('what is chosen is saved at once, and is there in the next browser', {
    tag: '@main',
  }, async ({ page, newAccount }) => {
    const own = await newAccount();
    const api = await apiOf(own);
    await api.patch('/api/me/settings', { lists: { lines: { columns: ['expiry'] } } });
    await signIn(page, own, '/');
    await page
      .getByRole('button', { name: /account/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await page.getByRole('radio', { name: 'Compact' }).check();
    await page.getByRole('button', { name: 'Show default columns' }).click();
    await toggle(page, 'Low balance').click();
    await toggle(page, 'New accounts').click();
    await toggle(page, 'Credits taken back').click();
    for (const [day, isChosen] of [
      ['14', true],
      ['On the expiry date', true],
      ['1', false],
    ] as const) {
      const choice = page.getByRole('checkbox', { name: day, exact: true });
      await choice.click();
      await expect(choice).toBeChecked({ checked: isChosen });
    }
    await page.mouse.move(0, 0);
    await page.getByLabel('Warn when the balance is below').fill('20');
    await page.getByLabel('Warn when the balance is below').press('Enter');
    await saved(page);
    await expectAccessible(page);
    await expect(async () => {
      const now = await api.get('/api/me/settings');
      expect(now).toMatchObject({
        mails: {
          lines_expiring: true,
          address_changed: true,
          low_balance: false,
          new_account: true,
          credits_added: true,
          credits_taken_back: false,
        },
        reminder_days: [14, 7, 3, 0],
        low_balance: 20,
      });
      expect([now.lists.lines.density, now.lists.audit.density]).toEqual(['compact', 'compact']);
      expect(now.lists.lines.columns.length).toBeGreaterThan(1);
    }).toPass();
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Compact' })).toBeChecked();
    await expect(toggle(page, 'Low balance')).not.toBeChecked();
    await expect(page.getByLabel('Warn when the balance is below')).toHaveValue('20');
    await expect(page.getByRole('heading', { name: 'For everyone' })).toHaveCount(0);
    await expect(toggle(page, 'A server goes down or comes back')).toHaveCount(0);
  });
});

test('a low balance that is no number is refused, an empty one is none', async ({
  page,
  newAccount,
}) => {
  const own = await newAccount();
  const api = await apiOf(own);
  await api.patch('/api/me/settings', { low_balance: 5 });
  await signIn(page, own, '/settings');
  const mark = page.getByLabel('Warn when the balance is below');
  await expect(mark).toHaveValue('5');
  await mark.fill('few');
  await mark.blur();
  await expect(mark).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('Enter a whole number')).toBeVisible();
  await mark.fill('1000000001');
  await mark.blur();
  await expect(page.getByText('Enter 1,000,000,000 or less')).toBeVisible();
  await mark.fill('');
  await mark.blur();
  await saved(page);
  await expect(async () =>
    expect((await api.get('/api/me/settings')).low_balance).toBeNull(),
  ).toPass();
});

test('a user without lines is asked nothing about lines, and is not let to the panel', async ({
  page,
  newAccount,
}) => {
  const own = await newAccount({ group_id: '3' });
  await signIn(page, own, '/settings');
  await expect(page.getByLabel('Warn when the balance is below')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: '7' })).toHaveCount(0);
  await expect(toggle(page, 'Lines about to expire')).toHaveCount(0);
  await expect(page.getByLabel('Site name')).toHaveCount(0);
});

test('a language chosen here is spoken at once', async ({ page, newAccount }) => {
  await signIn(page, await newAccount(), '/settings');
  // The new texts are loaded before the check.
  await page.getByRole('radio', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Einstellungen' })).toBeVisible();
  await expectAccessible(page);
});

test('the links beside the cards lead to each', async ({ page }) => {
  await signIn(page, 'admin', '/settings');
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await expect(sections.getByRole('link', { name: 'Trial lines' })).toBeVisible();
  // Sections are loaded by separate calls, and push down the sections below them.
  const ids = await sections
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')?.slice(1) ?? ''));
  for (const id of ids) await expect(page.locator(`[id="${id}"]`)).toBeVisible();
  await sections.getByRole('link', { name: 'Trial lines' }).click();
  await expect(page.getByLabel('Active per account')).toBeInViewport();
});

test('a link leads to its card also before that is there', async ({ page }) => {
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/settings', async (route) => {
    await mayAnswer;
    await route.continue();
  });
  await signIn(page, 'admin', '/settings');
  const link = page.getByRole('link', { name: 'Trial lines' });
  await link.click();
  answer();
  await expect(page.getByLabel('Active per account')).toBeInViewport();
});

test.describe('on the narrowest phone', () => {
  test.use({ viewport: { width: 320, height: 800 } });

  test('the badge of two-factor sign-in is whole in Polish', async ({ page, newAccount }) => {
    const own = await newAccount();
    const api = await apiOf(own);
    await api.patch('/api/me/settings', { language: 'pl' });
    await signIn(page, own, '/profile/edit');
    const badge = page.getByText('Wyłączone', { exact: true });
    await expect(badge).toBeVisible();
    expect(await badge.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });
});

test.describe('for everyone', () => {
  // The panel's settings are shared by all tests of the worker.
  test.afterEach(async ({ admin }) => {
    await admin.patch('/api/settings', {
      site_name: 'Linekeeper',
      legal_notice: '',
      bank_details: 'Lines Ltd',
      sign_up_open: true,
      trial_limit: 5,
      reminder_hour: 8,
      articles_public: false,
    });
  });

  test('the hour of reminders and who reads the knowledge base', async ({ page, admin }) => {
    await signIn(page, 'admin', '/settings');
    await page.getByRole('combobox', { name: 'Reminders from' }).click();
    await page.getByRole('option', { name: '17:00' }).click();
    await toggle(page, 'Anyone can read the knowledge base').click();
    await expect(page.getByText('Reminders from 08:00 › 17:00')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await expect(page.getByText(`once a day from 17:00 (${ZONE})`)).toBeVisible();
    expect(await admin.get('/api/settings/public')).toMatchObject({
      reminder_hour: 17,
      articles_public: true,
    });
  });

  test('name and legal notice stand at sign-in, in navigation and title', async ({
    page,
    browser,
    admin,
  }) => {
    await signIn(page, 'admin', '/settings');
    await page.getByLabel('Site name').fill('Kestrel Lines');
    await page.getByLabel('Legal notice').fill('Example Media\nHafenstraße 12');
    await page.getByLabel('Active per account').fill('3');
    await toggle(page, 'Anyone can sign up').click();
    await expect(page.getByText('Unsaved changes: 4')).toBeVisible();
    await expect(page.getByText(/Active per account 5 . 3/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await expect(page).toHaveTitle('Settings · Kestrel Lines');
    await expect(page.getByRole('link', { name: 'Kestrel Lines' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
    await page.getByRole('contentinfo').getByText('Legal notice').click();
    await expect(page.getByText('Hafenstraße 12').last()).toBeVisible();
    await expectAccessible(page);
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`${panelUrl}/sign-in`);
    await expect(visitor).toHaveTitle('Sign in · Kestrel Lines');
    await expect(visitor.getByText('Kestrel Lines')).toBeVisible();
    await visitor.getByText('Legal notice').click();
    await expect(visitor.getByText('Hafenstraße 12')).toBeVisible();
    await expectAccessible(visitor);
    await visitor.goto(`${panelUrl}/sign-up`);
    await expect(visitor.getByText('Sign-up is closed').first()).toBeVisible();
    await visitor.context().close();
    expect((await admin.get('/api/settings')).trial_limit).toBe(3);
  });

  test('a refused value is said at its field, discarded, and a question comes before leaving', async ({
    page,
  }) => {
    await signIn(page, 'admin', '/settings');
    const days = page.getByLabel('Days between trials');
    await days.fill('366');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(days).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('Enter 365 or less').first()).toBeVisible();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(days).toHaveValue('30');
    await expect(page.getByText(/Unsaved changes/)).toHaveCount(0);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  });

  test('an administrator reads what a newer version changes, and its text does nothing', async ({
    page,
  }) => {
    const changelog = `### Added

- **Maps** of lines.

<script>document.title = 'taken'</script>

[a link](javascript:alert(1)) ![a picture](https://elsewhere.example/x.png)`;
    const newer = { version: '99.10.0', date: '2027-01-31', changelog };
    await page.route('**/api/system/version', (route) =>
      route.fulfill({ json: { version: '1.9.0', newer } }),
    );
    await signIn(page, 'admin', '/settings#version');
    const card = page.locator('#version');
    await expect(card).toBeInViewport();
    await expect(card.getByText('Version 99.10.0 of 31-01-2027 is available.')).toBeVisible();
    await expect(card.getByRole('listitem')).toHaveText('Maps of lines.');
    await expect(card.locator('script, img, a[href]')).toHaveCount(0);
    await expectAccessible(page);
  });
});

test('an administrator sees where backups go, and what is wrong with them', async ({ page }) => {
  const state = {
    made_at: '2026-11-30T03:30:00.000Z',
    place: 'sftp://backup.example:22/backups',
    copied_at: '2026-11-28T03:31:00.000Z',
    read_back_at: '2026-11-28T03:32:00.000Z',
    restored_at: null,
    missed: 2,
    problem: 'not sent: the host key has changed',
  };
  await signIn(page, 'admin', '/settings#backups');
  const card = page.locator('#backups');
  await expect(card).toContainText('only on the disk of the panel');
  await page.route('**/api/system/backups', (route) => route.fulfill({ json: state }));
  await page.reload();
  await expect(card).toContainText('Copies go to sftp://backup.example:22/backups');
  await expect(card).toContainText('2 in a row');
  await expect(card).toContainText(state.problem);
  await expect(card.getByText('Last test restore').locator('..')).toContainText('Never');
});
