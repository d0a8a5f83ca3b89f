import type { Locator, Page } from '@playwright/test';
import { stopServers } from '../../apps/server/src/domain/machines/card-server/testing/servers.ts';
import { startMemoryCardServer } from '../../apps/server/src/testing/card-servers/memory-card-server.ts';
import { storeDirectly } from '../support/database.ts';
import { signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import { expect, test } from '../support/test.ts';

/** Pixels of a text that are cut off. */
const cutOff = (text: Locator) =>
  text.evaluate((element) => Math.max(0, element.scrollWidth - element.clientWidth));

async function speak(page: Page, language: string): Promise<void> {
  await page.addInitScript((code) => localStorage.setItem('app-language', code), language);
}

for (const language of ['en', 'de', 'pl', 'pt']) {
  test(`a term of two years is read whole in the list of lines, in ${language}`, async ({
    page,
    admin,
  }) => {
    const { line } = await admin.post('/api/lines', {
      username: `two-years-${language}`,
      password: 'pw-two-years',
      subscription_months: 24,
    });
    await speak(page, language);
    await signIn(page, 'admin', `/users/all?q=${line.username}`);
    const term = page.getByRole('cell').getByText(/^\p{L}+ 24 \p{L}+\.?$/u);
    await expect(term).toBeVisible();
    expect(await cutOff(term)).toBe(0);
  });

  test.describe(() => {
    test.use({ viewport: smallPhone });
    test(`the form of a day is read whole on the smallest phone, in ${language}`, async ({
      page,
    }) => {
      await speak(page, language);
      await signIn(page, 'admin', '/redeem-codes/add');
      const day = page.getByPlaceholder(/-MM-/);
      await expect(day).toBeVisible();
      // A placeholder has no width, so it is typed to measure its words.
      await day.fill((await day.getAttribute('placeholder')) ?? '');
      expect(await cutOff(day)).toBe(0);
    });
  });
}

test.describe(() => {
  test.use({ viewport: smallPhone });
  test('which server is the newest is read whole on the smallest phone', async ({
    page,
    admin,
    addServer,
  }) => {
    const card = await startMemoryCardServer();
    const id = await addServer('Frankfurt 3', card);
    await signIn(page, 'reseller', '/users/add');
    // A phone folds values that were chosen automatically.
    await page.getByRole('button', { name: /^Server/, expanded: false }).click();
    const newest = page.getByText('newest active');
    await expect(newest).toBeVisible();
    expect(await cutOff(newest)).toBe(0);
    await admin.delete(`/api/servers/${id}`);
    await stopServers();
  });
});

test('a made code is read whole in the list of codes', async ({ page }) => {
  await signIn(page, 'admin', '/redeem-codes');
  const codes = page.getByRole('rowheader').getByText(/^\w{4}-\w{4}-\w{4}-\w{4}-\w{4}$/);
  await expect(codes.first()).toBeVisible();
  for (const code of await codes.all()) expect(await cutOff(code)).toBe(0);
});

test('a shortcut names the key as it is printed on German keyboards', async ({ page }) => {
  await speak(page, 'de');
  await signIn(page, 'admin', '/settings');
  await expect(page.getByRole('banner').getByText('Strg K')).toBeVisible();
  await expect(page.getByRole('main').getByText('Strg K', { exact: true })).toBeVisible();
});

/** Pixels between the words of a box and its edges. */
const roomBeside = (box: Locator) =>
  box.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    const [outer, inner] = [element.getBoundingClientRect(), words.getBoundingClientRect()];
    return Math.min(inner.left - outer.left, outer.right - inner.right);
  });

/** Number of rows that a text takes. */
const rowsOf = (text: Locator) =>
  text.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    return new Set([...words.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
  });

for (const language of ['de', 'pl', 'pt']) {
  test(`credentials keep their words inside and in their rows on a phone, in ${language}`, {
    tag: '@phone',
  }, async ({ page }) => {
    await speak(page, language);
    await signIn(page, 'admin', '/users/all');
    await page.locator('main li [data-line]').first().click();
    await page.locator('main nav a[href*="part=receiver"]').click();
    const card = page.locator('main section').filter({ has: page.locator('dl') });
    await expect(card).toBeVisible();
    for (const row of await card.locator('dl > div').all()) {
      const [name, buttons] = await Promise.all([
        row.locator('dt').boundingBox(),
        row.locator('dd').last().boundingBox(),
      ]);
      expect(buttons?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0));
      expect(await rowsOf(row.locator('dt'))).toBe(1);
    }
    const tiles = card.locator('button[data-size]').filter({ hasText: /\w/ });
    expect(await tiles.count()).toBeGreaterThan(1);
    for (const tile of await tiles.all()) expect(await roomBeside(tile)).toBeGreaterThan(4);
  });
}

for (const language of ['en', 'de', 'pl', 'pt']) {
  test(`terms of a bulk renewal stand on one row, in ${language}`, async ({ page }) => {
    await speak(page, language);
    await signIn(page, 'admin', '/users/all');
    await page.locator('main tbody input[type="checkbox"]').first().check();
    await page.locator('main button[data-variant="solid"]').filter({ hasText: '1' }).click();
    const terms = page.getByRole('dialog').locator('fieldset label > span');
    await expect(terms).toHaveCount(6);
    for (const term of await terms.all()) expect(await rowsOf(term)).toBe(1);
  });
}

test('two long names that end differently are told apart in both densities', async ({
  page,
  admin,
}) => {
  const start = 'apartment-of-the-grossmanns-third-floor';
  const ends = ['left', 'right'];
  const ids: string[] = [];
  for (const end of ends) {
    const short = `grossmanns-${end}`;
    const { line } = await admin.post('/api/lines', {
      username: short,
      password: 'tulip-harbor-92',
      subscription_months: 1,
    });
    ids.push(line.id);
    const names = [short, `${start}-${end}`];
    await storeDirectly([
      ['UPDATE server_accounts SET username = $2 WHERE username = $1', names],
      ['UPDATE users SET username = $2 WHERE username = $1', names],
    ]);
  }
  await signIn(page, 'admin', `/users/all?q=${start}`);
  const density = page.getByRole('button', { name: 'Compact rows' });
  for (const isCompact of [false, true]) {
    if (isCompact) await density.click();
    for (const end of ends) {
      const cell = page.getByRole('rowheader').filter({ hasText: `${start}-${end}` });
      await expect(cell).toBeVisible();
      const isCut = await cell.evaluate((head) =>
        [head, ...head.querySelectorAll('*')].some(
          (part) =>
            getComputedStyle(part).overflow === 'hidden' &&
            (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight) &&
            part.textContent?.includes(end),
        ),
      );
      expect(isCut, `${end}, ${isCompact ? 'compact' : 'comfortable'}`).toBe(false);
    }
  }
  await density.click();
  for (const id of ids) await admin.delete(`/api/lines/${id}`);
});
