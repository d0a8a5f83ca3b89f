import type { Locator } from '@playwright/test';

/** Opens what a list keeps behind its *Show all*: tests side by side fill the same dashboard. */
export async function showAll(list: Locator): Promise<void> {
  await list.getByRole('listitem').first().waitFor();
  const more = list.getByRole('button', { name: /^Show all/ });
  if (await more.isVisible()) await more.click();
}
