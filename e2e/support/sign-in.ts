import type { Page } from '@playwright/test';
import { accounts, type Person } from './people.ts';

/** Somebody the tests know, or an account of a test's own. */
type Who = Person | { email: string; password: string };

/** Signs in through the real form and waits for the panel. */
export async function signIn(page: Page, who: Who, to = '/'): Promise<void> {
  const { email, password } = typeof who === 'string' ? accounts[who] : who;
  await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name="password"]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}
