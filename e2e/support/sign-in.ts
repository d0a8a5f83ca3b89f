import type { Page } from '@playwright/test';
import { accounts, type Person } from './people.ts';

/** Signs in through the real form and waits for the panel. */
export async function signIn(page: Page, person: Person, to = '/'): Promise<void> {
  await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
  await page.getByLabel('Email').fill(accounts[person].email);
  await page.locator('input[name="password"]').fill(accounts[person].password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}
