import { expectAccessible } from '../support/accessible.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

const pages = [
  { path: '/user', place: 'Sample users', item: 'row' },
  { path: '/products', place: 'Sample products', item: 'listitem' },
  { path: '/blog', place: 'Sample blog', item: 'listitem' },
] as const;

test('sample pages are found by the palette, say that they are samples, and ask the panel nothing', {
  tag: '@spec:1.11',
}, async ({ page }) => {
  await signIn(page, 'admin');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const { path, place, item } of pages) {
    await expect(page.getByRole('navigation').getByRole('link', { name: place })).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(place);
    await page.getByRole('option', { name: place }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible();
    await expect(page.getByText('Everything here is invented.')).toBeVisible();
    expect(await page.getByRole('main').getByRole(item).count()).toBeGreaterThan(8);
    await expectAccessible(page);
    // The page loads nothing from other hosts.
    const hosts = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).host),
    );
    expect(new Set(hosts)).toEqual(new Set([new URL(page.url()).host]));
  }
});

test('products are narrowed and put in order', async ({ page }) => {
  await signIn(page, 'user', '/products');
  const products = page.getByRole('list', { name: 'Sample products' }).getByRole('listitem');
  await expect(products).toHaveCount(24);
  await page.getByRole('checkbox', { name: 'Lamp' }).check();
  await expect(products.filter({ hasText: 'Lamp' })).toHaveCount(await products.count());
  await expect(page.getByRole('status').filter({ hasText: 'Products:' })).toHaveText(
    `Products: ${await products.count()}`,
  );
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Price: low to high' }).click();
  const prices = async () =>
    (await products.locator('b').allTextContents()).map((text) => Number(text.replace('€', '')));
  await expect.poll(prices).toEqual((await prices()).toSorted((one, other) => one - other));
  await page.getByRole('checkbox', { name: 'Lamp' }).uncheck();
  await expect(products).toHaveCount(24);
});

test('users are sorted, and each page speaks the reader’s language', async ({ page }) => {
  await signIn(page, 'user', '/user');
  const names = page.getByRole('rowheader');
  await expect(names).toHaveCount(12);
  const first = await names.first().textContent();
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(names.last()).toHaveText(first ?? '');
  for (const [language, heading, notice] of [
    ['de', 'Beispielblog', 'Beispielseite'],
    ['pl', 'Przykładowy blog', 'Strona przykładowa'],
    ['pt', 'Blogue de exemplo', 'Página de exemplo'],
  ]) {
    await page.evaluate((code) => localStorage.setItem('app-language', code ?? ''), language);
    await page.goto('/blog');
    await expect(page.getByRole('heading', { level: 1, name: heading ?? '' })).toBeVisible();
    await expect(page.getByText(notice ?? '', { exact: true })).toBeVisible();
  }
});
