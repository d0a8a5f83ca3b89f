import type { Page } from '@playwright/test';
import { goOffline, goOnline } from '../support/offline.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

// A service worker keeps all code some seconds after the start, and nothing would be missing any more.
test.use({ serviceWorkers: 'block' });

const NEEDED = 'This needs a connection.';
const RELOAD = 'This could not be loaded. Save your input, then reload the page.';

/** The open dialog or menu. */
const opened = (page: Page) => page.getByRole('dialog').or(page.getByRole('menu'));
const said = (page: Page, sentence: string) =>
  page.getByText(sentence, { exact: true }).filter({ visible: true }).first();

interface Press {
  name: string;
  press: (page: Page) => Promise<void>;
}

const onEveryPage: Press[] = [
  { name: 'the palette', press: (page) => page.keyboard.press('Control+k') },
  { name: 'the shortcuts', press: (page) => page.keyboard.press('?') },
];

/** Disables prefetching, so that only code the page needed at first is loaded. */
async function withoutFetchingAhead(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
}

async function typeALine(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill('typed-name');
  await page.getByLabel('Notes').fill('typed notes');
  await page.getByRole('heading', { level: 1 }).click();
}

async function expectTyped(page: Page): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('typed-name');
  await expect(page.getByLabel('Notes')).toHaveValue('typed notes');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
}

for (const { name, press } of onEveryPage) {
  test(`${name}, opened without a connection, leaves what was typed and comes with the next press`, async ({
    page,
  }) => {
    await withoutFetchingAhead(page);
    await signIn(page, 'admin', '/users/add');
    await typeALine(page);
    await goOffline(page);
    await press(page);
    await expect(said(page, NEEDED)).toBeVisible();
    await expectTyped(page);
    await expect(opened(page)).toHaveCount(0);

    await goOnline(page);
    await press(page);
    await expect(opened(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expectTyped(page);
  });

  test(`${name}, whose code the panel no longer has, leaves what was typed`, async ({ page }) => {
    await withoutFetchingAhead(page);
    await signIn(page, 'admin', '/users/add');
    await typeALine(page);
    await page.route(/\/assets\/.*\.js/, (route) => route.fulfill({ status: 404, body: 'no' }));
    await press(page);
    await expect(said(page, RELOAD)).toBeVisible();
    await expectTyped(page);
  });
}

test('a language that cannot be fetched leaves the one there is, and what was typed', async ({
  page,
}) => {
  await signIn(page, 'admin', '/users/add');
  await typeALine(page);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByRole('menuitemradio', { name }).click();
  };
  // The menu itself is fetched when it is first opened.
  await page.getByRole('button', { name: /^Language/ }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Polski' })).toBeVisible();
  await page.keyboard.press('Escape');
  await goOffline(page);
  await choose('Polski');
  await expect(said(page, NEEDED)).toBeVisible();
  await expectTyped(page);

  await goOnline(page);
  // Not saved, because other tests use the same account.
  await page.route('/api/me/settings', async (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await choose('Polski');
  await expect(page.locator('html')).toHaveAttribute('lang', 'pl');
  await expect(page.getByRole('textbox').first()).toHaveValue('typed-name');
});

const onTheList: Press[] = [
  { name: 'Filter', press: (page) => page.getByRole('button', { name: /^Filter/ }).click() },
  {
    name: 'Save this view',
    press: (page) => page.getByRole('button', { name: 'Save this view' }).click(),
  },
  {
    name: 'the menu of a row',
    press: (page) =>
      page
        .getByRole('button', { name: /^More actions for/ })
        .first()
        .click(),
  },
];

for (const { name, press } of onTheList) {
  test(`${name}, pressed without a connection, leaves the list and opens once there is one`, async ({
    page,
  }) => {
    await withoutFetchingAhead(page);
    await signIn(page, 'admin', '/users/all?sort=username');
    await expect(page.getByRole('button', { name: /^More actions for/ }).first()).toBeVisible();
    await goOffline(page);
    await press(page);
    await expect(said(page, NEEDED)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await goOnline(page);
    await press(page);
    await expect(opened(page)).toBeVisible();
  });
}

test('a page whose code cannot be fetched says so inside the shell, and Retry fetches it', {
  tag: '@main',
}, async ({ page }) => {
  await signIn(page, 'admin', '/users/all?sort=username');
  await expect(page.getByRole('button', { name: /^More actions for/ }).first()).toBeVisible();
  await goOffline(page);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'My Profile' }).click();
  const failed = page
    .getByRole('alert')
    .filter({ has: page.getByRole('button', { name: 'Retry' }) });
  await expect(failed).toBeVisible();
  await expect(nav).toBeVisible();
  await goOnline(page);
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
});

test('offline a line cannot be deleted, and the message mentions no charge', async ({
  page,
  admin,
}) => {
  const { line } = await admin.post('/api/lines', {
    username: `kept-${unique()}`,
    password: 'tulip-harbor-92-kite',
    subscription_months: 1,
  });
  await signIn(page, 'admin', `/users/${line.id}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete line' });
  await expect(confirm).toBeEnabled();
  await goOffline(page);
  await confirm.click();
  await expect(dialog.getByRole('alert')).toContainText('if the line is already deleted');
  await goOnline(page);
  // Nothing is deleted automatically.
  await expect(confirm).toBeEnabled();
  expect((await admin.get(`/api/lines/${line.id}`)).username).toBe(line.username);
});

test('prices that could not be had are there once the panel answers', async ({ page }) => {
  await page.route(/\/api\/(credits\/prices|events)/, (route) => route.abort());
  await signIn(page, 'reseller', '/users/add');
  const year = page.getByRole('radio', { name: /^12 months/ });
  const duration = page.getByRole('group', { name: 'Duration' });
  await expect(duration.getByText(/connection|cannot be reached/i)).toBeVisible();
  await expect(year).toHaveCount(0);
  // The locator is not the text of the page alone, because the balance may end with the same digits.
  const price = page.locator('label').filter({ has: year }).getByText('10 credits');
  await expect(price).toHaveCount(0);
  await page.unrouteAll();
  await expect(price).toBeVisible();
});
