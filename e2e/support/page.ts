import type { Locator, Page } from '@playwright/test';

/** The row of a list with this text, which on a phone is a card. */
export const rowOf = (page: Page, text: string): Locator =>
  page.locator('main').locator('tbody tr, ul[aria-label] > li').filter({ hasText: text });

/** The button with the balance in the header. */
export const creditsButton = (page: Page) => page.locator('header button:has(.lucide-coins)');

/** The balance in the header. */
export async function shownCredits(page: Page): Promise<number> {
  const text = (await creditsButton(page).textContent()) ?? '';
  return Number(text.replace(/\D/g, ''));
}

/** Pixels by which the page is wider than its window. */
export const sidewaysOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

export const clipboardText = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

/** Opens a group of fields that are seldom changed. */
export async function openFields(page: Page, title: string): Promise<void> {
  await page.locator('summary').filter({ hasText: title }).click();
}
