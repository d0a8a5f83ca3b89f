import { waitUntilBuildIsStored } from '../support/offline.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

test.use({ serviceWorkers: 'allow' });

test('the panel can be installed: Chromium finds nothing missing', async ({ page, context }) => {
  await signIn(page, 'reseller', '/users/all');
  await waitUntilBuildIsStored(page);
  const session = await context.newCDPSession(page);
  const { data = '', errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Every page of Playwright is in private mode, which newer versions report as an error too.
  const missing = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
  expect(missing).toEqual([]);

  const manifest = JSON.parse(data);
  expect(manifest).toMatchObject({ name: 'Linekeeper', start_url: '/', display: 'standalone' });
  const sizes = await page.evaluate(
    (icons: { src: string; sizes: string }[]) =>
      Promise.all(
        icons.map(async ({ src }) => {
          const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
          return `${width}x${height}`;
        }),
      ),
    manifest.icons,
  );
  expect(sizes).toEqual(manifest.icons.map((icon: { sizes: string }) => icon.sizes));
  expect(sizes).toEqual(expect.arrayContaining(['192x192', '512x512']));
});

test('the worker answers for no call and caches none', async ({ page }) => {
  await signIn(page, 'reseller', '/users/all');
  await waitUntilBuildIsStored(page);
  const replies: { path: string; isFromWorker: boolean }[] = [];
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    replies.push({ path, isFromWorker: response.fromServiceWorker() });
  });
  const paths = (isFromWorker: boolean) =>
    replies.filter((reply) => reply.isFromWorker === isFromWorker).map(({ path }) => path);
  await page.reload();
  await expect(page.getByRole('rowheader').first()).toBeVisible();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
  expect(paths(true).some((path) => path.startsWith('/assets/'))).toBe(true);
  expect(paths(true).filter((path) => path.startsWith('/api/'))).toEqual([]);
  expect(paths(false)).toContain('/api/lines');
});
