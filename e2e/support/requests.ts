import type { Page } from '@playwright/test';

/** Holds back requests to matching addresses until the returned function is called. */
export async function delayRequests(page: Page, address: RegExp): Promise<() => Promise<void>> {
  const waiting = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await waiting.promise;
    // Fails for a request that was aborted meanwhile.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    waiting.resolve();
    await page.unroute(address);
  };
}

/**
 * Leaves all asking to the test: when the stream of events opens, a page asks again by itself for what it could
 * not have, and then a button for that is gone before it is pressed.
 */
export const blockEvents = (page: Page): Promise<unknown> =>
  page.route('**/api/events*', (route) => route.abort());
