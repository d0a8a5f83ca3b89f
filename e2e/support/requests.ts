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

/** Has the next change that is sent to an address made, and loses its reply. */
export async function loseReply(page: Page, address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
