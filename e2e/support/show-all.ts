import type { Locator } from '@playwright/test';

/** Opens the hidden rows of a list with *Show all*, because tests that run at the same time fill the same dashboard. */
export async function showAll(list: Locator): Promise<void> {
  await list.getByRole('listitem').first().waitFor();
  const more = list.getByRole('button', { name: /^Show all/ });
  if (await more.isVisible()) await more.click();
}
