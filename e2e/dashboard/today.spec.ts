import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { CardServer } from '../support/card-server.ts';
import { shownCredits, sidewaysOverflow } from '../support/page.ts';
import { loseReply } from '../support/requests.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { takeServersBack } from '../support/take-servers-back.ts';
import { type Account, test as base, expect } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const day = today(ZONE);
const cardServer = new CardServer();
let server_id: string;

const test = base.extend<{ newShop: (days: Record<string, number>) => Promise<Account> }>({
  newShop: ({ newAccount, admin }, use) =>
    use(async (days) => {
      const shop = await newAccount({ full_name: 'Ewa Nowak', credits: 50 });
      for (const [name, left] of Object.entries(days))
        await sellLine(admin, name, {
          subscription_months: undefined,
          expiry_date: formatDay(addDays(day, left)),
          server_id,
          owner_id: shop.id,
        });
      return shop;
    }),
});

// One worker for the file, so that its card server is started once.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ addServer }) => {
  await cardServer.start();
  server_id = await addServer(`Today ${unique()}`, cardServer);
});
test.afterAll(async ({ admin }) => {
  await cardServer.remove();
  await takeServersBack(admin);
});

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const renew = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`^Renew for \\d+: ${name}-`) });
const row = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: `${name}-` });
const until = formatDay(addMonths(day, 1));

test.describe('at both sizes', { tag: '@both' }, () => {
  test('one press renews a line, which stays where it is and can be undone', {
    tag: '@main',
  }, async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0, bbb: 0, ccc: 3, later: 20 }));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today');
    await expect(group(page, 'Due today').getByRole('listitem')).toHaveCount(2);
    await expect(group(page, 'This week').getByRole('listitem')).toHaveCount(1);
    await expectAccessible(page);
    const place = await renew(page, 'bbb').boundingBox();

    await renew(page, 'aaa').click();
    await expect(row(page, 'aaa')).toContainText(`until ${until}`);
    await expect.poll(() => shownCredits(page)).toBe(48);
    // The next button has not moved.
    expect(await renew(page, 'bbb').boundingBox()).toEqual(place);
    await row(page, 'aaa').getByRole('button', { name: /^Undo/ }).click();
    await expect(renew(page, 'aaa')).toBeVisible();
    await expect.poll(() => shownCredits(page)).toBe(50);
  });

  test('a day’s work ends in a word, and says what is next', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0, bbb: 1, ccc: 1 }));
    await renew(page, 'aaa').click();
    await expect(page.getByRole('heading', { name: 'All renewed' })).toBeVisible();
    await expect(page.getByText('Next: tomorrow, 2 lines.')).toBeVisible();
    await expect(page.getByText('1 line today for 2 credits. Balance 48.')).toBeVisible();
    await expect(group(page, 'Renewed one by one').getByRole('listitem')).toHaveCount(1);
    await expectAccessible(page);
    // The price of several renewals is shown before they are paid.
    await page.getByRole('button', { name: 'Renew 2 for 4 credits' }).first().click();
    const preview = page.getByRole('dialog');
    await preview.getByRole('button', { name: 'Renew 2 lines for 4 credits' }).click();
    await expect(page.getByText(/Next: .* 1 line\.|Nothing expires within 30 days/)).toBeVisible();
    await expect.poll(() => shownCredits(page)).toBe(44);
    // The sum includes renewals one by one and in bulk, and stays after a reload.
    const all = page.getByText('3 lines today for 6 credits. Balance 44.');
    await expect(all).toBeVisible();
    await page.reload();
    await expect(all).toBeVisible();
    await page.goto('/users/all?expires=7d');
    await expect(page.getByRole('heading', { name: 'All renewed' })).toBeVisible();
  });

  test('the term is chosen once, and kept', async ({ page, newShop, isPhone }) => {
    const shop = await newShop({ aaa: 0 });
    await signIn(page, shop);
    await page.getByRole('combobox', { name: /Renew for/ }).click();
    const saved = page.waitForResponse('**/api/me/settings');
    await page.getByRole('option', { name: /^3 months/ }).click();
    await expect(renew(page, 'aaa')).toHaveText('Renew for 4');
    await saved;
    await expect(row(page, 'aaa')).toContainText(`then until ${formatDay(addMonths(day, 3))}`);
    await page.reload();
    await expect(renew(page, 'aaa')).toHaveText('Renew for 4');
    await page.goto('/users/all');
    if (isPhone) {
      await page.getByRole('link', { name: /^aaa/ }).click();
      await expect(
        page.getByRole('button', { name: 'Renew 3 months for 4 credits' }),
      ).toBeVisible();
    } else {
      await page.getByRole('button', { name: /^Renew aaa/ }).click();
      await expect(page.getByRole('radio', { name: /^3 months/ })).toBeChecked();
    }
  });

  test('while a renewal is sent nothing moves, and the page stays', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0, bbb: 0 }));
    const place = await renew(page, 'bbb').boundingBox();
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/renew', async (route) => {
      const response = await route.fetch();
      await isAnswered;
      await route.fulfill({ response });
    });
    const wasAway = await page.evaluateHandle(() => {
      const seen = { away: false };
      new MutationObserver(() => {
        if (!document.querySelector('main')?.innerText.includes('bbb-')) seen.away = true;
      }).observe(document.body, { attributes: true, childList: true, subtree: true });
      return seen;
    });
    await renew(page, 'aaa').click();
    // The list is requested again before the reply arrives.
    await expect.poll(() => shownCredits(page)).toBe(48);
    await expect(row(page, 'aaa').getByRole('button', { name: /^Renew/ })).toHaveAttribute(
      'aria-busy',
      'true',
    );
    expect(await renew(page, 'bbb').boundingBox()).toEqual(place);
    answer();
    await expect(row(page, 'aaa').getByRole('button', { name: /^Undo/ })).toBeVisible();
    expect(await renew(page, 'bbb').boundingBox()).toEqual(place);
    expect(await wasAway.jsonValue()).toEqual({ away: false });
  });

  test('a line that another page has renewed is not paid a second time', async ({
    page,
    newShop,
  }) => {
    const shop = await newShop({ aaa: 0, bbb: 0 });
    await signIn(page, shop);
    await expect(renew(page, 'aaa')).toBeVisible();
    // The page gets no events, like a phone that has just been unlocked.
    await page.route(/\/api\/(events|lines\?)/, (route) => route.abort());
    const api = await apiOf(shop);
    const { items } = await api.get('/api/lines?sort=username');
    await api.post(`/api/lines/${items[0].id}/renew`, { subscription_months: 1 });
    await renew(page, 'aaa').click();
    await expect(row(page, 'aaa')).toContainText(`already renewed, until ${until}`);
    await expect(group(page, 'Due today').getByRole('heading')).toContainText('1');
    expect((await api.get('/api/me')).credits).toBe(48);
  });

  test('a renewal whose reply was lost stays in its row, and is paid once when pressed again', async ({
    page,
    newShop,
  }) => {
    await signIn(page, await newShop({ aaa: 0, bbb: 0 }));
    await loseReply(page, '**/renew');
    await renew(page, 'aaa').click();
    await expect.poll(() => shownCredits(page)).toBe(48);
    await expect(row(page, 'aaa').getByRole('status')).not.toHaveText(/then until /);
    await renew(page, 'aaa').click();
    await expect(row(page, 'aaa')).toContainText(`until ${until}`);
    await expect(row(page, 'aaa').getByRole('button', { name: /^Undo/ })).toBeVisible();
    await expect.poll(() => shownCredits(page)).toBe(48);
  });

  test('the keyboard goes on from the line that it renewed', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0, bbb: 0 }));
    await renew(page, 'aaa').press('Enter');
    await expect(row(page, 'aaa')).toContainText(`until ${until}`);
    await expect(row(page, 'aaa').getByRole('link')).toBeFocused();
    await expect(row(page, 'aaa').getByRole('button', { name: /^Undo/ })).toBeVisible();
    // The next row begins with its link and the reminder.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(renew(page, 'bbb')).toBeFocused();
  });

  test('a refusal is said in the row, and nothing is paid', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0 }));
    await page.route('**/renew', (route) =>
      route.fulfill({ status: 503, json: { code: 'CREDITS_NOT_DEDUCTED', message: 'x' } }),
    );
    await renew(page, 'aaa').click();
    await expect(row(page, 'aaa')).toContainText('Failed to deduct credits.');
    await page.unroute('**/renew');
    await renew(page, 'aaa').click();
    await expect(row(page, 'aaa')).toContainText(`until ${until}`);
  });

  test('a refusal is said also where the line cannot be asked for', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0 }));
    await page.route('**/renew', (route) =>
      route.fulfill({ status: 409, json: { code: 'LINE_CHANGED_SINCE', message: 'x' } }),
    );
    await page.route(/\/api\/lines\/[\da-f-]{36}$/, (route) => route.abort());
    await renew(page, 'aaa').click();
    await expect(row(page, 'aaa')).toContainText('The line has been changed since then');
  });

  test('an undo that could not be begun says so', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0 }));
    await page.route(/\/api\/jobs\/[\da-f-]{36}/, (route) => route.abort());
    await renew(page, 'aaa').click();
    await row(page, 'aaa').getByRole('button', { name: /^Undo/ }).click();
    await expect(page.getByText(/^The panel cannot be reached\. Please/)).toBeVisible();
    await page.unroute(/\/api\/jobs\/[\da-f-]{36}/);
    await row(page, 'aaa').getByRole('button', { name: /^Undo/ }).click();
    await expect(renew(page, 'aaa')).toBeVisible();
  });

  test('an undo whose end is not known says so', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0 }));
    await renew(page, 'aaa').click();
    const undo = row(page, 'aaa').getByRole('button', { name: /^Undo/ });
    await expect(undo).toBeVisible();
    await page.route('**/api/jobs/*/undo', async (route) => {
      await page.route(/\/api\/(events|jobs\/[\da-f-]{36}\?)/, (asked) => asked.abort());
      await route.continue();
    });
    await undo.click();
    await expect(page.getByText(/^The panel cannot be reached\. Please/)).toBeVisible();
    await expect(undo).not.toHaveAttribute('aria-busy', 'true');
  });

  test('what cannot be paid leads to credits', async ({ page, newShop, admin }) => {
    const shop = await newShop({ aaa: 0 });
    await admin.post(`/api/accounts/${shop.id}/credits/take-back`, { amount: 49 });
    await signIn(page, shop);
    await row(page, 'aaa').getByRole('link', { name: 'Top up' }).click();
    await expect(page).toHaveURL(/\/payments\/pricing/);
  });
});

test.describe('on a phone', { tag: '@phone' }, () => {
  test('a series of renewals is one tap each', async ({ page, newShop }) => {
    const names = ['aaa', 'bbb', 'ccc', 'ddd', 'eee'];
    await signIn(page, await newShop(Object.fromEntries(names.map((name) => [name, 0]))));
    let taps = 0;
    for (const name of names.slice(0, 4)) {
      await renew(page, name).click();
      taps += 1;
      await expect(row(page, name)).toContainText(`until ${until}`);
    }
    expect(taps).toBe(4);
    await expect.poll(() => shownCredits(page)).toBe(42);
  });

  test('figures are a page of their own, behind More', async ({ page, newShop }) => {
    await signIn(page, await newShop({ aaa: 0 }));
    await expect(page.getByRole('main').getByText('Active lines')).toHaveCount(0);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Numbers' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Numbers');
    await expect(page.getByText('Expiring within 30 days')).toBeVisible();
  });
});

test('where only the week is due, its lines come first', {
  tag: '@both',
}, async ({ page, newShop }) => {
  await signIn(page, await newShop({ ccc: 3, ddd: 4 }));
  await expect(renew(page, 'ccc')).toBeInViewport();
  await expect(page.getByText('All renewed')).toHaveCount(0);
});

test('an answered ticket needs attention, and the home says no other', {
  tag: '@both',
}, async ({ page, newShop, admin }) => {
  const shop = await newShop({ aaa: 0 });
  const own = await apiOf(shop);
  const open = async (title: string) =>
    (await own.post('/api/tickets', { title, description: 'So' })).ticket;
  const answered = await open('Short drops every evening');
  await open('Invoice address changed');
  await admin.post(`/api/tickets/${answered.id}/replies`, { content: 'Look again' });
  await signIn(page, shop);
  await expect(group(page, 'Needs attention')).toContainText('Short drops every evening');
  await expect(page.getByRole('main')).not.toContainText('Invoice address changed');
});

for (const language of ['de', 'pl', 'pt']) {
  test.describe(() => {
    test.use({ viewport: { width: 320, height: 600 } });
    test(`in ${language} it fits the smallest phone`, async ({ page, newShop }) => {
      await signIn(page, await newShop({ aaa: 0, bbb: 0, ccc: 5 }));
      await page.evaluate((code) => localStorage.setItem('app-language', code), language);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3);
      await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    });
  });
}

test('a user without lines is offered help', async ({ page, newAccount }) => {
  await signIn(page, await newAccount({ group_id: '3' }));
  await page.getByRole('main').getByRole('link', { name: 'Get help' }).click();
  await expect(page).toHaveURL(/\/tickets\/new/);
});
