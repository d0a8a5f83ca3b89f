import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { storeOnline, storeSilence, storeUsage } from '../support/presence.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { type Account, expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const cardServer = new CardServer();
const serverName = `Sopot ${unique()}`;
let server_id = '';
let account: Account;
let seller: Api;
let line = { id: '', username: '' };

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ addServer, newAccount }) => {
  await cardServer.start();
  server_id = await addServer(serverName, cardServer);
  account = await newAccount({ full_name: 'Rui Santos', credits: 50 });
  seller = await apiOf(account);
  line = await sellLine(seller, 'used', { server_id });
});
test.afterAll(() => cardServer.remove());

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a line sold today has nothing counted yet', async ({ page }) => {
    await storeOnline(server_id, {});
    await signIn(page, account, `/users/${line.id}`);
    await page.getByRole('link', { name: 'Usage' }).click();
    await expect(page.getByText('Nothing counted yet')).toBeVisible();
    await expect(page.getByRole('slider')).toHaveCount(0);
  });

  test('the month is walked by the keyboard, and is a table', async ({ page }) => {
    await storeOnline(server_id, { [line.id]: { connections: 2, hours: 4 } });
    await storeUsage(server_id, line.id);
    await signIn(page, account, `/users/${line.id}?part=usage`);
    const main = page.getByRole('main');
    await expect(main.getByText(/^\d+% of requests refused since/)).toBeVisible();
    await expect(main.getByText('CCcam from 203.0.113.0/24')).toBeVisible();
    const slider = main.getByRole('slider', { name: 'Last 30 days' });
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await expect(slider).toHaveAttribute(
      'aria-valuetext',
      /^\d\d-\d\d: \d+ h \d+ min, \d+% refused$/,
    );
    await expectAccessible(page);
    await main.getByRole('button', { name: 'View as table: Last 30 days' }).click();
    await expect(main.getByRole('columnheader', { name: 'Networks' })).toBeVisible();
    await expect(main.getByRole('row')).toHaveCount(31);
    await expectAccessible(page);
  });

  test('what a silent server last said is not told as now', async ({ page }) => {
    await storeOnline(server_id, { [line.id]: { connections: 2, hours: 4 } });
    await storeSilence(server_id, 2);
    await signIn(page, account, `/users/${line.id}?part=usage`);
    const main = page.getByRole('main');
    await expect(main.getByText(/^Unknown since/).first()).toBeVisible();
    await expect(
      main.getByText(
        new RegExp(`${serverName} does not report who is online. The line itself works`),
      ),
    ).toBeVisible();
    await expect(main.getByText(/^last read/)).toBeVisible();
    await expect(main.getByRole('button', { name: /^End/ })).toHaveCount(0);
    await expectAccessible(page);
  });
});

test('sessions end from the line and from its menu, which says what became of it', async ({
  page,
}) => {
  await storeOnline(server_id, { [line.id]: { connections: 2, hours: 4 } });
  await signIn(page, account, `/users/all?line=${line.id}&part=usage`);
  const panel = page.getByRole('complementary', { name: `Line ${line.username}` });
  await panel.getByRole('button', { name: 'End all 2 sessions' }).click();
  // The agent got no settings of a card server that could report sessions.
  await expect(
    page.getByText(`The sessions of ${line.username} could not be ended`).first(),
  ).toBeVisible();
  await panel.getByRole('button', { name: /^Close/ }).click();
  await page.getByRole('button', { name: `More actions for ${line.username}` }).click();
  await expect(page.getByRole('menuitem', { name: 'End sessions' })).toBeEnabled();
  await expectAccessible(page);
});
