import { expect, test } from '@playwright/test';
import { unique } from '../support/unique.ts';

test('a visitor signs up once what is wrong is put right, and may sign in', async ({ page }) => {
  const email = `guest-${unique()}@sign-up.example`;
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Sign up' }).click();
  // The address changes first: until the page follows, the fields are those of signing in.
  await expect(page.getByRole('heading', { level: 1, name: 'Sign up' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name="password"]').fill('1234567');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Password must be at least 8 characters').first()).toBeVisible();
  await expect(page).toHaveURL('/sign-up');

  await page.locator('input[name="password"]').fill('heron-on-the-lake-9');
  // The button moves up when the error goes.
  await expect(page.getByText('Password must be at least 8 characters')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText('Your account has been created.')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name="password"]').fill('heron-on-the-lake-9');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('an address that is taken is said, and what was typed stays', async ({ page }) => {
  await page.goto('/sign-up');
  await page.getByLabel('Full name').fill('Somebody else');
  await page.getByLabel('Email').fill('kaethe@weiss.example');
  await page.locator('input[name="password"]').fill('heron-on-the-lake-9');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Could not create the account').first()).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('Somebody else');
  await expect(page.getByLabel('Email')).toHaveValue('kaethe@weiss.example');
});
