import type { Page } from 'playwright-core';

/**
 * Bytes of JavaScript that the browser received while `visit` ran, compressed and with headers, by
 * address. The page must be of a new context with an empty cache.
 */
export async function transferredScripts(
  page: Page,
  visit: () => Promise<unknown>,
): Promise<Map<string, number>> {
  const devtools = await page.context().newCDPSession(page);
  const addresses = new Map<string, string>();
  const bytes = new Map<string, number>();
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.includes('javascript')) addresses.set(requestId, response.url);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const address = addresses.get(requestId);
    if (address) bytes.set(address, (bytes.get(address) ?? 0) + encodedDataLength);
  });
  await devtools.send('Network.enable');
  await visit();
  await devtools.detach();
  return bytes;
}
