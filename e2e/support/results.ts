import type { Locator, Page } from '@playwright/test';

/** The line in the header with the result of an action. */
export function resultOf(page: Page, text: string | RegExp = ''): Locator {
  return page.getByRole('banner').getByRole('status').filter({ hasText: text });
}

/** The open bell with its results. */
export async function openResults(page: Page): Promise<Locator> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications$|unread message/ })
    .click();
  const popup = page.getByRole('dialog', { name: 'Notifications' });
  await popup.getByRole('tab', { name: /^Results/ }).click();
  return popup.getByRole('tabpanel', { name: /^Results/ });
}
