import { expectAccessible } from '../support/accessible.ts';
import { type MailPanel, startMailPanel } from '../support/mail-panel.ts';
import { sidewaysOverflow } from '../support/page.ts';
import { accounts } from '../support/people.ts';
import { expect, test } from '../support/test.ts';

const heading = { level: 1, name: 'Forgot your password?' } as const;

test.describe('at both sizes, without a mail server', { tag: '@both' }, () => {
  test('the page says whom to ask', async ({ page }) => {
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('heading', heading)).toBeVisible();
    await expect(page.getByText('This panel does not send email.')).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  });
});

test('from the address the keyboard goes to the password, then to the link', async ({ page }) => {
  await page.goto('/sign-in');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('input[name="password"]')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeFocused();
});

test.describe('with a mail server', () => {
  test.describe.configure({ mode: 'default' });
  let panel: MailPanel;
  test.beforeAll(async () => {
    panel = await startMailPanel();
  });
  test.afterAll(() => panel?.stop());

  test('a forgotten password is replaced by the mailed link', { tag: ['@main', '@both'] }, async ({
    page,
  }) => {
    const { email } = accounts.admin;
    const password = 'the next password';
    await page.goto(`${panel.url}/forgot-password`);
    await expect(page.getByLabel('Email')).toBeFocused();
    await page.getByLabel('Email').fill('nobody');
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('Enter a valid email address')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect(page.getByText('If there is an account for')).toContainText(email);
    await expectAccessible(page);

    // The mail as its reader sees it. Nothing in it is loaded from another host.
    const { html } = await panel.letterTo(email, '/reset-password');
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    // The page is not one of the panel's, whose content policy would block the mail's styles.
    await page.goto('about:blank');
    await page.setContent(html);
    const overflow = await sidewaysOverflow(page);
    expect([overflow, fetched]).toEqual([0, []]);
    await expectAccessible(page);
    const link = page.getByRole('link', { name: 'Set a new password' });
    await page.goto((await link.getAttribute('href')) ?? '');

    await page.locator('input[name="new_password"]').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByRole('heading', { name: /successfully changed/ })).toBeVisible();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByLabel('Email').fill(email);
    await page.locator('input[name="password"]').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await page.context().clearCookies();
  });

  test('an address that nobody has is answered alike, and a used link leads to a new one', async ({
    page,
  }) => {
    await page.goto(`${panel.url}/reset-password?token=used`);
    await page.locator('input[name="new_password"]').fill('a password of some length');
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page.getByRole('heading', { name: 'The link did not work' })).toBeVisible();
    await page.getByRole('link', { name: 'Get a new link' }).click();
    await page.getByLabel('Email').fill('nobody@panel.example');
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  });

  test('asked too often, the page says so', async ({ page }) => {
    await page.goto(`${panel.url}/forgot-password`);
    for (let time = 0; time < 10; time++) {
      await page.request.post(`${panel.url}/api/auth/request-password-reset`, {
        data: { email: 'often@panel.example' },
      });
    }
    await page.getByLabel('Email').fill('often@panel.example');
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('alert')).toContainText('Too many attempts');
  });
});
