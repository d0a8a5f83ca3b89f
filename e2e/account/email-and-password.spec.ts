import { expect, type Page, test } from '@playwright/test';
import { emailChangeToken, hashOfToken } from '../../apps/server/src/core/accounts/one-time-tokens.ts';
import { createSecrets } from '../../apps/server/src/core/keys/secrets.ts';
import { expectAccessible } from '../support/accessible.ts';
import { Api } from '../support/api.ts';
import { storeDirectly } from '../support/database.ts';
import { panelUrl } from '../support/panel.ts';
import { accounts, secretKey } from '../support/people.ts';
import { signIn } from '../support/sign-in.ts';
import { unique } from '../support/unique.ts';

const newEmail = () => `moved-${unique()}@steps.example`;
const emailCard = (page: Page) => page.locator('#email');
const passwordCard = (page: Page) => page.locator('#password');

async function newOwner() {
  const email = `settled-${unique()}@steps.example`;
  const password = 'heron-on-the-lake-9';
  const admin = await new Api(panelUrl).signIn(accounts.admin);
  const { account } = await admin.post('/api/accounts', { email, password, group_id: '2' });
  return { id: account.id as string, email, password };
}

/** A change that waits to be confirmed, as a panel with mail leaves one. Returns the link's token. */
async function storeWaitingChange(accountId: string, email: string): Promise<string> {
  const id = crypto.randomUUID();
  await storeDirectly([
    [
      `insert into one_time_tokens (token_hash, purpose, account_id, data, expires_at)
        values ($1, 'change_email', $2, $3, now() + interval '1 hour')`,
      [hashOfToken(id), accountId, JSON.stringify({ id, new_email: email, session_id: null })],
    ],
  ]);
  return emailChangeToken(createSecrets(secretKey), id);
}

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`the address is changed with the password at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const owner = await newOwner();
    const elsewhere = await new Api(panelUrl).signIn(owner);
    const email = newEmail();
    await signIn(page, owner, '/profile/edit');
    await expect(emailCard(page).getByText(owner.email)).toBeVisible();
    const address = emailCard(page).getByLabel('New email address');
    const password = emailCard(page).getByLabel('Current password');
    await address.fill(accounts.admin.email);
    await password.fill('not the password');
    await page.keyboard.press('Enter');
    await expect(emailCard(page).getByText('The current password is wrong')).toBeVisible();
    await expect(password).toBeFocused();
    await password.fill(owner.password);
    await page.keyboard.press('Enter');
    await expect(emailCard(page).getByText('Could not change the email address')).toBeVisible();
    await expect(address).toBeFocused();
    await expectAccessible(page);
    await address.fill(email);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Email address changed')).toBeVisible();
    await expect(emailCard(page).getByText(email)).toBeVisible();
    await expect(address).toHaveValue('');
    await expect(elsewhere.get('/api/me')).rejects.toThrow('No authenticated user found');
    await new Api(panelUrl).signIn({ email, password: owner.password });
  });
}

test('a change that waits can be given up, and one that is confirmed is shown', async ({
  page,
}) => {
  const owner = await newOwner();
  const [given, confirmed] = [newEmail(), newEmail()];
  const dead = await storeWaitingChange(owner.id, given);
  await signIn(page, owner, '/profile/edit');
  await expect(emailCard(page).getByText(`${given} is not confirmed yet`)).toBeVisible();
  await expectAccessible(page);
  await emailCard(page).getByRole('button', { name: 'Cancel the change' }).click();
  await expect(page.getByText('Change cancelled')).toBeVisible();
  await expect(emailCard(page).getByText(given)).toHaveCount(0);
  await page.goto(`/callback?token=${dead}`);
  await expect(page.getByRole('heading', { name: 'The link did not work' })).toBeVisible();

  await page.goto(`/callback?token=${await storeWaitingChange(owner.id, confirmed)}`);
  await expect(page.getByRole('heading', { name: 'New address confirmed' })).toBeVisible();
  await new Api(panelUrl).signIn({ email: confirmed, password: owner.password });
});

test('the new password is judged while it is typed, and then changed', async ({ page }) => {
  const owner = await newOwner();
  const elsewhere = await new Api(panelUrl).signIn(owner);
  await signIn(page, owner, '/profile/edit');
  const field = passwordCard(page).getByLabel('New password');
  const meter = passwordCard(page).getByRole('meter', { name: 'Password strength' });
  await expect(meter).toHaveCount(0);
  for (const [typed, word] of [
    ['password123', 'Weak'],
    [owner.email, 'Weak'],
    ['wading heron, seven reeds', 'Strong'],
  ] as const) {
    await field.fill(typed);
    await expect(passwordCard(page).getByText(word, { exact: true })).toBeVisible();
  }
  await expectAccessible(page);
  await field.fill('short');
  await passwordCard(page).getByLabel('Current password').fill(owner.password);
  await page.keyboard.press('Enter');
  await expect(
    passwordCard(page).getByText('Password must be at least 8 characters'),
  ).toBeVisible();
  await field.fill('wading heron, seven reeds');
  await page.keyboard.press('Enter');
  await expect(passwordCard(page).getByText('Password successfully changed')).toBeVisible();
  await expect(meter).toHaveCount(0);
  await expect(elsewhere.get('/api/me')).rejects.toThrow('No authenticated user found');
  await new Api(panelUrl).signIn({ ...owner, password: 'wading heron, seven reeds' });
});

test('the sections of the page are reached without losing what was typed', async ({ page }) => {
  await signIn(page, await newOwner(), '/profile/edit');
  await page.getByLabel('Full name').fill('Not saved yet');
  const nav = page.getByRole('navigation', { name: 'Sections' });
  await nav.getByRole('link', { name: 'Two-factor' }).click();
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeInViewport();
  await expect(page.locator('#two-factor')).toBeFocused();
  await expect(page.getByLabel('Full name')).toHaveValue('Not saved yet');
});
