import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { clipboardText, openFields, shownCredits } from '../support/page.ts';
import { delayRequests, loseReply } from '../support/requests.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
const stamp = unique();
let server_id = '';
let seller: Api;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer, reseller }) => {
  await cardServer.start();
  seller = reseller;
  server_id = await addServer(`Warsaw ${stamp}`, cardServer, {
    public_host: 'waw2.lines.example',
  });
});
test.afterAll(() => cardServer.remove());

const sell = (name: string) => sellLine(seller, name, { server_id });

test('a name opens its line: state, renewal and history on one screen, credentials beside them', {
  tag: ['@main', '@both'],
}, async ({ page, context, isPhone }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { username, id } = await sell('opened');
  await signIn(page, 'reseller', `/users/all?q=${username}`);
  await page.getByRole('link', { name: username, exact: true }).click();
  const line = isPhone
    ? page.getByRole('main')
    : page.getByRole('complementary', { name: `Line ${username}` });
  await expect(page).toHaveURL(new RegExp(isPhone ? `/users/${id}` : `line=${id}`));
  const state = line.getByRole('status').first();
  await expect(state).toContainText(/^Works until .*, on Warsaw .*, delivered/);
  await expect(line.getByText('tulip-harbor-92-kite')).toHaveCount(0);
  await expectAccessible(page);

  await line.getByRole('button', { name: `Copy credentials of ${username}` }).click();
  await expect.poll(() => clipboardText(page)).toContain('Password: tulip-harbor-92-kite');
  await line.getByRole('link', { name: 'Receiver', exact: true }).click();
  await line.getByRole('button', { name: 'Copy C line' }).click();
  await expect
    .poll(() => clipboardText(page))
    .toBe(`C: waw2.lines.example 12000 ${username} tulip-harbor-92-kite`);
  await line.getByRole('button', { name: 'Show password' }).click();
  await expect(line.getByText('tulip-harbor-92-kite').first()).toBeVisible();
  await line.getByRole('button', { name: `More actions for ${username}` }).click();
  await page.getByRole('menuitem', { name: 'QR' }).click();
  await expect(line.getByRole('img', { name: 'QR code: C line' })).toBeVisible();
  await line.getByRole('link', { name: 'Overview', exact: true }).click();

  // On a phone the button is at the bottom of the window, after the page.
  await page.getByRole('button', { name: /^Renew .*for 2 credits/ }).click();
  await expect(line.getByText('You renewed it for 1 month, 2 credits')).toBeVisible();
  await expect(line.getByText('You sold it for')).toBeVisible();
  await expect(line.getByText('You revealed its password').first()).toBeVisible();
  await expect(page.getByText('Synced')).toHaveCount(0);
});

test('a list is walked, marked and left by the keyboard', async ({ page }) => {
  const q = `w${unique().slice(-6)}`;
  const first = await sell(q);
  const second = await sell(q);
  await signIn(page, 'reseller', `/users/all?q=${q}`);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const panel = (name: string) => page.getByRole('complementary', { name: `Line ${name}` });
  await expect(link(second.username)).toBeVisible();
  await page.keyboard.press('j');
  await expect(link(second.username)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(second.username)).toBeFocused();
  await page.keyboard.press('j');
  await expect(panel(first.username)).toBeVisible();
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: `Select ${first.username}` })).toBeChecked();
  await page.keyboard.press('k');
  await expect(panel(second.username)).toBeVisible();
  await page.keyboard.press('e');
  await expect(panel(second.username).getByLabel('New password')).toBeVisible();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.keyboard.press('Escape');
  await expect(panel(second.username)).toHaveCount(0);
  await expect(link(second.username)).toBeFocused();
  // Selected lines stay selected, because Escape closed only the panel.
  await expect(page.getByRole('checkbox', { name: `Select ${first.username}` })).toBeChecked();
});

test('unsaved input in the panel is asked about before another line takes its place', async ({
  page,
}) => {
  const { username, id } = await sell('unsaved');
  await signIn(page, 'reseller', `/users/all?q=${username}&line=${id}&part=edit`);
  const panel = page.getByRole('complementary', { name: `Line ${username}` });
  await panel.getByLabel('Notes').fill('not saved yet');
  await panel.getByRole('button', { name: 'Close (Esc)' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(panel.getByLabel('Notes')).toHaveValue('not saved yet');
  await panel.getByRole('link', { name: 'Overview' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(panel.getByText('No details yet')).toBeVisible();
});

test('whoever stays with unsaved input is not taken into the next panel', async ({ page }) => {
  const first = await sell('focus-a');
  const second = await sell('focus-b');
  const search = `q=focus-&sort=username&line=${first.id}&part=edit`;
  await signIn(page, 'reseller', `/users/all?${search}`);
  const panelOf = ({ username }: { username: string }) =>
    page.getByRole('complementary', { name: `Line ${username}` });
  await panelOf(first).getByLabel('Notes').fill('not saved yet');
  await page.getByRole('link', { name: second.username, exact: true }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
  await panelOf(first).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await panelOf(first).getByRole('button', { name: 'Next line' }).click();
  await expect(panelOf(second).getByText('No details yet')).toBeVisible();
  await expect(panelOf(second)).not.toBeFocused();
});

test('the address of editing leads to that part of the line', { tag: '@spec:2.17' }, async ({
  page,
}) => {
  const { username, id } = await sell('address');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  await expect(page).toHaveURL(`/users/${id}?part=edit`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(username);
  await expect(page.getByLabel('New password')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
});

test('fields that are folded open by themselves where one of them is wrong', {
  tag: '@both',
}, async ({ page }) => {
  const { id } = await sell('folded');
  await signIn(page, 'reseller', `/users/edit/${id}`);
  await expect(page.getByLabel('Email')).toBeHidden();
  await openFields(page, 'Customer');
  await page.getByLabel('Email').fill('no address');
  await openFields(page, 'Customer');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expectAccessible(page);
});

test('a renewal has no price until the prices are known', { tag: '@both' }, async ({ page }) => {
  const { id } = await sell('priced');
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/(lines\/quote|credits\/prices)/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await signIn(page, 'reseller', `/users/${id}`);
  await expect(page.getByRole('button', { name: /^Renew$/ }).last()).toBeDisabled();
  await expect(page.getByText(/\b0 credits/)).toHaveCount(0);
  answer();
  await expect(page.getByRole('button', { name: /^Renew .*for 2 credits/ })).toBeEnabled();
});

/** Milliseconds that are longer than an open page takes to refetch changed data. */
const ASKED_AGAIN_MS = 4000;

test('a renewal is shown in its row at once, and asked for once', async ({ page }) => {
  const { username, id } = await sell('once');
  await signIn(page, 'reseller', `/users/all?q=${username}&line=${id}`);
  const panel = page.getByRole('complementary', { name: `Line ${username}` });
  const renew = panel.getByRole('button', { name: 'Renew for 2 credits' });
  await expect(renew).toBeEnabled();
  await page.waitForTimeout(ASKED_AGAIN_MS);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/api\/(lines|me|dashboard|servers)/.test(pathname))
      asked.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`);
  });
  const answerRows = await delayRequests(page, /\/api\/lines\?/);
  await renew.click();
  const day = formatDay(addMonths(today(ZONE), 2));
  await expect(page.getByRole('row').filter({ hasText: username })).toContainText(day);
  await answerRows();
  await page.waitForTimeout(ASKED_AGAIN_MS);
  expect(asked).toContainEqual(expect.stringMatching(`GET /api/lines\\?.*q=${username}`));
  expect(asked).toContainEqual(expect.stringContaining('GET /api/me '));
  expect(asked.filter((one, index) => asked.indexOf(one) !== index)).toEqual([]);
});

test('a renewal without an answer is paid once when it is pressed again, though the line shows it', {
  tag: '@both',
}, async ({ page }) => {
  const { username, id } = await sell('unanswered');
  await signIn(page, 'reseller', `/users/${id}`);
  const renew = page.getByRole('button', { name: /^Renew .*for 2 credits/ });
  await expect(renew).toBeEnabled();
  const before = await shownCredits(page);
  await loseReply(page, '**/renew');
  await renew.click();
  await expect(page.getByText(/^The panel cannot be reached/).first()).toBeVisible();
  // The page has received its own renewal, and offers the next.
  await expect(page.getByText(`Until ${formatDay(addMonths(today(ZONE), 3))}`)).toBeVisible();
  // The reply refuses a request before it is read, which proves nothing about the first request.
  const turnedAway = { status: 429, json: { code: 'TOO_MANY_ATTEMPTS', message: 'Too many' } };
  await page.route('**/renew', (route) => route.fulfill(turnedAway), { times: 1 });
  await renew.click();
  await expect(page.getByText(/^Too many/).first()).toBeVisible();
  const answered = page.waitForResponse('**/renew');
  await renew.click();
  const { line } = await (await answered).json();
  expect(line).toMatchObject({ username, expiry_date: addMonths(today(ZONE), 2) });
  expect((await seller.get('/api/me')).credits).toBe(before - 2);
});

test('what somebody else renewed a moment ago is renewed again only on purpose', async ({
  page,
  admin,
}) => {
  const { username, id } = await sell('twice');
  await signIn(page, 'reseller', `/users/${id}`);
  await expect(page.getByRole('main').getByRole('status').first()).toContainText('Works until');
  await admin.post(`/api/lines/${id}/renew`, { subscription_months: 1 });
  await expect(page.getByText(/^Renewed \d+ seconds ago by another account/)).toBeVisible();
  const renew = page.getByRole('button', { name: 'Renew for 2 credits' });
  await renew.click();
  const question = page.getByRole('dialog', { name: 'Renew once more?' });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You renewed it')).toHaveCount(0);
  await page.getByRole('button', { name: 'Another date' }).click();
  await expect(page.getByRole('dialog', { name: `Renew ${username}` })).toContainText(
    /Renewed \d+ seconds ago/,
  );
});

test('a server that does not answer is said first, with what to do', { tag: '@both' }, async ({
  page,
  isPhone,
}) => {
  const { id } = await sell('waiting');
  await cardServer.stop();
  await seller.patch(`/api/lines/${id}`, { password: 'other-harbor-92-kite' });
  await signIn(page, 'reseller', `/users/${id}`);
  const state = page.getByRole('main').getByRole('status').first();
  await expect(state).toContainText(/^A change is pending: Warsaw .* has not responded since/);
  const ways = page.getByRole('region', { name: 'What to do' }).getByRole('listitem');
  await expect(ways.first()).toContainText('Wait');
  await expect(ways.last().getByRole('button', { name: 'Share' })).toBeVisible();
  if (isPhone) {
    const foot = page.getByRole('region', { name: 'Actions' });
    await expect(foot.getByRole('link', { name: 'Request a move' })).toBeInViewport({ ratio: 1 });
    await expect(foot.getByRole('button', { name: /Renew/ })).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('button', { name: 'Renew' })).toBeVisible();
  }
  await expectAccessible(page);
  await cardServer.start();
  await ways.first().getByRole('button', { name: 'Try now' }).click();
  await expect(state).toContainText('Works until');
});

test('a line that is gone says so, and a deleted one leads back to the list', async ({ page }) => {
  const { username, id } = await sell('gone');
  await signIn(page, 'reseller', `/users/all?q=${username}&line=${id}`);
  const panel = page.getByRole('complementary', { name: `Line ${username}` });
  await panel.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete line' }).click();
  await expect(page.getByText(`${username} deleted`)).toBeVisible();
  await expect(panel).toHaveCount(0);
  await page.goto(`/users/${id}`);
  await expect(page.getByRole('heading', { name: 'Line not found' })).toBeVisible();
});

test('a line is asked to be moved in a ticket, which names it and shows its state', {
  tag: '@both',
}, async ({ page }) => {
  const { username, id } = await sell('asked');
  await signIn(page, 'reseller', `/users/${id}`);
  await page.getByRole('link', { name: 'Request a move' }).click();
  await expect(page.getByLabel('Title')).toHaveValue(`Move ${username} to another server`);
  await expect(page.getByLabel('Line', { exact: true })).toHaveValue(username);
  await page.getByLabel('Description').fill(`Please move ${username} to another server.`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create ticket' }).click();
  const facts = page.getByRole('region', { name: 'About the ticket' });
  await expect(facts.getByRole('link', { name: username })).toBeVisible();
  await expect(facts.getByText('Active', { exact: true })).toBeVisible();
  const text = page.getByRole('log').getByRole('link', { name: username, exact: true });
  await expect(text).toHaveAttribute('href', `/users/${id}`);
  await expectAccessible(page);
  await text.click();
  await expect(page.getByRole('status').filter({ hasText: 'Works until' })).toBeVisible();
});

test.describe(() => {
  test.use({ viewport: smallPhone });
  test('the tab that is open stands in sight on the smallest phone', { tag: '@phone' }, async ({
    page,
    admin,
  }) => {
    const { id } = await sellLine(admin, 'tabs', { server_id });
    await page.addInitScript(() => localStorage.setItem('app-language', 'pl'));
    const current = page.locator('main nav a[aria-current="page"]');
    for (const [address, name] of [
      [`/users/edit/${id}`, 'Edytuj'],
      [`/cccam-servers/${server_id}/edit`, 'Edytuj'],
      [`/cccam-servers/${server_id}/clients`, 'Linie online'],
    ] as const) {
      await signIn(page, 'admin', address);
      await expect(current).toHaveText(new RegExp(`^${name}`));
      await expect(current).toBeInViewport({ ratio: 1 });
    }
  });
});
