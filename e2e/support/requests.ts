import type { Page } from '@playwright/test';

/** Holds back requests to matching addresses until the returned function is called. */
export async function delayRequests(page: Page, address: RegExp): Promise<() => Promise<void>> {
  const waiting = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await waiting.promise;
    // This fails for a request that was aborted in the meantime.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    waiting.resolve();
    await page.unroute(address);
  };
}

/**
 * Blocks events, so that only the test causes refetches: when the stream of events opens, a page
 * refetches what failed, and then a button for that disappears before the test presses it.
 */
export const blockEvents = (page: Page): Promise<unknown> =>
  page.route('**/api/events*', (route) => route.abort());

/** Lets the next change to an address reach the panel, and loses its reply. */
export async function loseReply(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
