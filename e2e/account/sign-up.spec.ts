import type { Browser } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { type MailPanel, startMailPanel } from '../support/mail-panel.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

test('a visitor signs up once what is wrong is put right, and may sign in', {
  tag: ['@spec:5.3', '@spec:8.44'],
}, async ({ page }) => {
  const email = `guest-${unique()}@sign-up.example`;
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Sign up' }).click();
  // The address changes first: until the page follows, the fields are those of the sign-in page.
  await expect(page.getByRole('heading', { level: 1, name: 'Sign up' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name="password"]').fill('1234567');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Password must be at least 8 characters').first()).toBeVisible();
  await expect(page).toHaveURL('/sign-up');

  await page.locator('input[name="password"]').fill('heron-on-the-lake-9');
  // The button moves up when the error disappears.
  await expect(page.getByText('Password must be at least 8 characters')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText('Your account has been created.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.locator('input[name="password"]')).toBeFocused();
  await page.locator('input[name="password"]').fill('heron-on-the-lake-9');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('an address that is taken is said, and what was typed stays', { tag: '@spec:8.44' }, async ({
  page,
}) => {
  await page.goto('/sign-up');
  await page.getByLabel('Full name').fill('Somebody else');
  await page.getByLabel('Email').fill('kaethe@weiss.example');
  await page.locator('input[name="password"]').fill('heron-on-the-lake-9');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Could not create the account').first()).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('Somebody else');
  await expect(page.getByLabel('Email')).toHaveValue('kaethe@weiss.example');
});

test.describe('with a mail server', () => {
  test.describe.configure({ mode: 'default' });
  const password = 'heron-on-the-lake-9';
  let panel: MailPanel;
  test.beforeAll(async () => {
    panel = await startMailPanel();
  });
  test.afterAll(() => panel?.stop());

  const linkIn = ({ text }: { text: string }) => /http\S+\/callback\S+/.exec(text)?.[0] ?? '';

  /** Signs up in a separate browser. Returns the mailed link. */
  async function signedUpElsewhere(browser: Browser, email: string): Promise<string> {
    const context = await browser.newContext();
    const reply = await context.request.post(`${panel.url}/api/auth/sign-up/email`, {
      data: { email, password, name: 'Käthe' },
    });
    expect(reply.status()).toBe(200);
    await context.close();
    const letter = await panel.letterTo(email, '/callback');
    expect(letter.text).toContain('The name given at sign-up: Käthe');
    return linkIn(letter);
  }

  test('the browser that signed up confirms with the link alone', async ({ page }) => {
    const email = `guest-${unique()}@sign-up.example`;
    await page.goto(`${panel.url}/sign-up`);
    await page.getByLabel('Email').fill(email);
    await page.locator('input[name="password"]').fill(password);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await page.goto(linkIn(await panel.letterTo(email, '/callback')));
    await expect(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible();
    // The form gets the address from the page before, and no address of the browser contains it.
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email);
    await expect(page.locator('input[name="password"]')).toBeFocused();
    expect(page.url()).not.toContain('sign-up.example');
  });

  test('another browser is asked for the password', { tag: '@both' }, async ({ page, browser }) => {
    const email = `guest-${unique()}@sign-up.example`;
    await page.goto(await signedUpElsewhere(browser, email));
    await expect(page.getByRole('heading', { name: 'Enter your password' })).toBeVisible();
    await expect(page.locator('input[name="password"]')).toBeFocused();
    await expectAccessible(page);
    await page.locator('input[name="password"]').fill('not the password');
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await expect(
      page.getByText('This is not the password that was chosen at sign-up').first(),
    ).toBeVisible();
    await expectAccessible(page);
    await page.locator('input[name="password"]').fill(password);
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await expect(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible();
  });

  test('who does not know the password sets a new one', async ({ page, browser }) => {
    const email = `guest-${unique()}@sign-up.example`;
    const own = 'a password of the owner';
    await page.goto(await signedUpElsewhere(browser, email));
    await page.getByRole('link', { name: 'Set a new password' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const { text } = await panel.letterTo(email, '/reset-password');
    await page.goto(/http\S+\/reset-password\S+/.exec(text)?.[0] ?? '');
    await page.locator('input[name="new_password"]').fill(own);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByLabel('Email').fill(email);
    await page.locator('input[name="password"]').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toContainText('Invalid email or password');
    await page.locator('input[name="password"]').fill(own);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  });
});
