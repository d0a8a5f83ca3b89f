import { expect, type Page } from '@playwright/test';

export const OFFLINE = 'You are offline.';

/**
 * Cuts the connection, and waits until the page notices. Code that was requested before fails as if
 * the panel had lost it, and browsers remember this until the page is reloaded.
 */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect(page.getByText(OFFLINE)).toBeVisible();
}

export async function goOnline(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
}

/** Waits until the service worker could open every page of this build. */
export async function waitUntilBuildIsStored(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const build = document.querySelector('script[src]')?.getAttribute('src');
        return localStorage.getItem(`linekeeper:${location.host}:kept-build`) === build;
      }),
    )
    .toBe(true);
}
