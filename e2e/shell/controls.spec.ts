import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { goOffline, goOnline } from '../support/offline.ts';
import { outageOf, outagesWith } from '../support/outages.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

// The test presses many keys.
test.describe.configure({ timeout: 180_000 });

test('a select that a mouse has opened hears the keys', async ({ page }) => {
  await signIn(page, 'admin', '/users/add');
  const select = page.getByRole('combobox', { name: 'Server' });
  const open = async () => {
    await select.hover();
    await page.mouse.down();
    await expect(page.getByRole('option', { selected: true })).toBeFocused();
    await page.mouse.up();
  };
  await expect(select).toContainText(/\w/);
  const first = await select.innerText();
  await open();
  await page.keyboard.press('ArrowDown');
  await expect(
    page.getByRole('option', { selected: false }).and(page.locator(':focus')),
  ).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expect(select).not.toHaveText(first);
  await open();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
});

/** True if nothing covers the focused element, at its centre and near its edges. */
const isInSight = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const place = focused?.getBoundingClientRect();
    if (!focused || !place) return false;
    return [0.15, 0.5, 0.85].every((part) => {
      const seen = document.elementFromPoint(
        place.x + place.width / 2,
        place.y + place.height * part,
      );
      return seen === focused || focused.contains(seen) || seen?.contains(focused) === true;
    });
  });

const refused = {
  ...{ sync_state: 'failed', on_server: false },
  sync_message: 'User was added to database but could not be added to CCcam server: refused',
};

/** Makes every line of the list show in a tooltip why it is not on its server. */
async function refuseEveryLine(page: Page): Promise<void> {
  await page.route(/\/api\/lines\?/, async (route) => {
    const response = await route.fetch();
    const { items, ...others } = await response.json();
    const json = { ...others, items: items.map((line: object) => ({ ...line, ...refused })) };
    await route.fulfill({ response, json });
  });
}

/** On a small phone, the strip of these servers takes a third of the window. */
const outages = [outageOf('Frankfurt am Main 1'), outageOf('Warszawa 2'), outageOf('Lisboa 3')];

for (const { name, width, height, selects } of [
  { name: 'the list', width: 1440, height: 800, selects: false },
  { name: 'the list with a selection', width: 1440, height: 800, selects: true },
  { name: 'the cards with a selection', width: 390, height: 844, selects: true },
  { name: 'the cards of a small phone with a selection', width: 320, height: 568, selects: true },
]) {
  test.describe(() => {
    test.use({ viewport: { width, height } });
    test(`every stop of the Tab key in ${name} is in sight, both ways`, async ({ page }) => {
      await refuseEveryLine(page);
      await page.route('**/api/servers/outages', (route) =>
        route.fulfill({ json: outagesWith(outages) }),
      );
      await signIn(page, 'admin', '/users/all?sort=username');
      await expect(page.getByText('3 servers are not responding')).toBeVisible();
      const boxes = page.getByRole('checkbox', { name: /^Select / });
      await expect(boxes.nth(20)).toBeAttached();
      if (selects) {
        await boxes.nth(1).check();
        await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
      }
      // The page scrolls below the mouse, which is where the cards have tooltips.
      await page.mouse.move(100, height * 0.7);
      const covered: string[] = [];
      for (const key of ['Tab', 'Shift+Tab']) {
        await (key === 'Tab'
          ? boxes.first()
          : page.getByRole('button', { name: 'Next page' })
        ).focus();
        for (;;) {
          await page.keyboard.press(key);
          if (!(await page.locator('#main :focus').count())) break;
          // The page may still be scrolling.
          const sight = expect.poll(() => isInSight(page), { timeout: 2000 }).toBe(true);
          if (
            !(await sight.then(
              () => true,
              () => false,
            ))
          ) {
            // Ignores elements that another test removes meanwhile, because the focus goes with them.
            const stops = await page
              .locator('#main :focus')
              .evaluateAll((all) => all[0]?.outerHTML);
            if (stops) covered.push(`${key}: ${stops}`);
          }
        }
      }
      expect(covered).toEqual([]);
    });
  });
}

test('a tooltip of the mouse closes before the next stop of the Tab key', async ({ page }) => {
  await refuseEveryLine(page);
  await signIn(page, 'admin', '/users/all?sort=username');
  const row = page.locator('tbody tr').first();
  const tip = row.getByRole('tooltip').first();
  // The cause is beside the button that tries again, and is loaded later.
  await expect(row.getByRole('button', { name: /^Retry sync of/ })).toBeVisible();
  await row.getByText('Not on server').last().hover();
  await expect(tip).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip').filter({ visible: true })).toHaveCount(0);
  // The tooltip appears again once the mouse moves.
  await page.mouse.move(0, 0);
  await row.getByText('Not on server').last().hover();
  await expect(tip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
});

test.describe(() => {
  test.use({ viewport: { width: 320, height: 568 } });
  test('a strip of outages that appears leaves the stop of the Tab key in sight', async ({
    page,
    admin,
  }) => {
    let items: typeof outages = [];
    await page.route('**/api/servers/outages', (route) =>
      route.fulfill({ json: outagesWith(items) }),
    );
    await signIn(page, 'admin', '/users/all?sort=username');
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check();
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible();
    const isLow = () =>
      page
        .locator(':focus')
        .evaluate((one) => one.getBoundingClientRect().bottom > innerHeight - 132 - 48);
    do await page.keyboard.press('Tab');
    while (!(await isLow()));
    expect(await page.evaluate(() => scrollY)).toBeLessThan(100);
    items = outages;
    await admin.post('/api/lines', {
      username: `strip-${unique()}`,
      password: 'tulip-harbor-92-kite',
      expiry_date: '01-01-2099',
    });
    await expect(page.getByText('3 servers are not responding')).toBeVisible();
    await expect.poll(() => isInSight(page)).toBe(true);
  });
});

for (const language of ['en', 'de', 'pl', 'pt']) {
  test.describe(() => {
    test.use({ viewport: { width: 390, height: 640 } });
    test(`in ${language} every button of the selection's bar is within a phone`, async ({
      page,
    }) => {
      await signIn(page, 'admin');
      await page.evaluate((code) => localStorage.setItem('app-language', code), language);
      await page.goto('/users/all?sort=username');
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
      const boxes = page.locator('main li input[type="checkbox"]');
      for (let selected = 0; selected < 12; selected++) {
        await boxes.nth(selected).check();
        if (selected > 0 && selected < 11) continue;
        for (const width of [320, 360, 390]) {
          await page.setViewportSize({ width, height: 640 });
          const buttons = page.locator('main section:not(:has(ul)):has(b[role="status"]) button');
          await expect(buttons).toHaveCount(5);
          for (const button of await buttons.all()) {
            const outside = await button.evaluate((one) => {
              const { left, right, top, bottom } = one.getBoundingClientRect();
              const isCut =
                one.querySelector('svg') === null && one.scrollHeight > one.clientHeight + 1;
              return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || isCut;
            });
            expect(outside, `${await button.innerText()} at ${width} px`).toBe(false);
          }
        }
      }
    });
  });
}

test('a job that cannot be ordered yet is blocked, with a reason', async ({ page }) => {
  await signIn(page, 'admin', '/users/all?sort=username');
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  for (const { action, choose, why } of [
    { action: 'Edit', choose: 'Inactive', why: 'Choose a status or a field to replace first.' },
    { action: 'Move', choose: '', why: 'Choose a server or an owner first.' },
  ]) {
    await page.getByRole('button', { name: action, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const order = dialog.getByRole('button', { name: new RegExp(`^${action}`) });
    await expect(order).toHaveAccessibleDescription(why);
    await expect(dialog.getByText(why).first()).toBeVisible();
    await order.focus();
    await expect(order).toBeFocused();
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    const before = await order.evaluate((button) => getComputedStyle(button).backgroundColor);
    if (choose) {
      await dialog.getByText(choose).click();
      await expect(order).toHaveAccessibleDescription('');
      await expect(order).not.toHaveCSS('background-color', before);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});

test('a line is moved only elsewhere', async ({ page }) => {
  await signIn(page, 'admin', '/users/all?q=probe-0419');
  await page.getByRole('button', { name: 'More actions for probe-0419' }).click();
  await page.getByRole('menuitem', { name: 'Move' }).click();
  const dialog = page.getByRole('dialog');
  const move = dialog.getByRole('button', { name: 'Move line' });
  await expect(move).toHaveAccessibleDescription('Choose another server or owner first.');
  await move.click({ force: true });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
});

test('what needs the panel says so when it is pressed offline, and is not done later', async ({
  page,
}) => {
  await signIn(page, 'reseller', '/users/all?q=probe-0419');
  const line = page.getByRole('link', { name: 'probe-0419', exact: true });
  const reveal = page.getByRole('button', { name: 'Show password' });
  await expect(line).toBeVisible();
  await goOffline(page);
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await expect(page.getByText('This needs a connection.').first()).toBeVisible();
  await goOnline(page);
  await line.click();
  await page.getByRole('link', { name: 'Receiver', exact: true }).click();
  await expect(reveal).toBeVisible();
  await goOffline(page);
  await reveal.click();
  await expect(page.getByText('The panel cannot be reached.').first()).toBeVisible();
  await expectAccessible(page);
  const sentLater: string[] = [];
  page.on('request', (request) => sentLater.push(new URL(request.url()).pathname));
  await goOnline(page);
  await expect.poll(() => sentLater).toContain('/api/me');
  expect(sentLater.filter((path) => /password|csv/.test(path))).toEqual([]);
  await reveal.click();
  await expect(page.getByRole('button', { name: 'Hide password' })).toBeVisible();
});

test('what opens at a press fades in at the theme’s pace, however high it is', async ({ page }) => {
  await signIn(page, 'admin', '/users/all?sort=username');
  const paces: string[] = [];
  for (const name of [/^More actions for/, /^Renew /, 'Columns', /^Filter/, /^Language/]) {
    await page.getByRole('button', { name }).first().click();
    const paper = page.locator('[role="presentation"][data-side] > [data-side]').last();
    await expect(paper).toBeVisible();
    paces.push(await paper.evaluate((drawn) => getComputedStyle(drawn).transitionDuration));
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-side]:visible')).toHaveCount(0);
  }
  expect(new Set(paces).size, paces.join(' | ')).toBe(1);
});

test('a date field offers the days of 1900 to 2099', { tag: '@spec:9.20' }, async ({ page }) => {
  await signIn(page, 'admin', '/users/all?q=h.grossmann');
  await page.getByRole('button', { name: 'Renew h.grossmann', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Another date' }).check();
  const calendar = dialog.locator('input[type="date"]');
  await expect(calendar).toHaveAttribute('min', '1900-01-01');
  await expect(calendar).toHaveAttribute('max', '2099-12-31');
});
