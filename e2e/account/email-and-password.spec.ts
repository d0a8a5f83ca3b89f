import type { Page } from '@playwright/test';
import {
  emailChangeToken,
  hashOfToken,
} from '../../apps/server/src/domain/accounts/one-time-tokens.ts';
import { createSecrets } from '../../apps/server/src/platform/keys/secrets.ts';
import { expectAccessible } from '../support/accessible.ts';
import { storeDirectly } from '../support/database.ts';
import { accounts, secretKey } from '../support/people.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const newEmail = () => `moved-${unique()}@steps.example`;
const emailCard = (page: Page) => page.locator('#email');
const passwordCard = (page: Page) => page.locator('#password');

/** Stores a change that waits to be confirmed, as a panel with mail does. Returns the link's token. */
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

test('the address is changed with the password', { tag: '@both' }, async ({ page, newAccount }) => {
  const owner = await newAccount();
  const elsewhere = await apiOf(owner);
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
  await apiOf({ email, password: owner.password });
});

test('a change that waits can be given up, and one that is confirmed is shown', async ({
  page,
  newAccount,
}) => {
  const owner = await newAccount();
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
  await apiOf({ email: confirmed, password: owner.password });
});

test('the new password is judged while it is typed, and then changed', {
  tag: '@spec:5.4',
}, async ({ page, newAccount }) => {
  const owner = await newAccount();
  const elsewhere = await apiOf(owner);
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
  await apiOf({ ...owner, password: 'wading heron, seven reeds' });
});

test('the sections of the page are reached without losing what was typed', async ({
  page,
  newAccount,
}) => {
  await signIn(page, await newAccount(), '/profile/edit');
  await page.getByLabel('Full name').fill('Not saved yet');
  const nav = page.getByRole('navigation', { name: 'Sections' });
  await nav.getByRole('link', { name: 'Two-factor' }).click();
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeInViewport();
  await expect(page.locator('#two-factor')).toBeFocused();
  await expect(page.getByLabel('Full name')).toHaveValue('Not saved yet');
});
