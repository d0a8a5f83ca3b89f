import type { Page } from '@playwright/test';

/** Holds back requests to matching addresses until the returned function is called. */
export async function hold(page: Page, address: RegExp): Promise<() => Promise<void>> {
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
