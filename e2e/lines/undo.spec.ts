import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { shownCredits, sidewaysOverflow } from '../support/page.ts';
import { openResults, resultOf } from '../support/results.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import type { Account } from '../support/test.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const here = new CardServer();
let person: Account;
let seller: Api;
let server_id = '';

test.beforeAll(async ({ addServer }) => {
  await here.start();
  server_id = await addServer(`Undo ${here.port}`, here);
});
test.afterAll(() => here.remove());

/** Each test has its own seller. Tests that stop the server start it again for the others. */
test.beforeEach(async ({ newAccount }) => {
  person = await newAccount({ credits: 100 });
  seller = await apiOf(person);
});

const sell = (name: string) => sellLine(seller, name, { server_id });

const oneMonth = () => addMonths(today(ZONE), 1);

async function renew(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: `Renew ${username}` }).click();
  await page.getByRole('button', { name: 'Renew for 2 credits' }).click();
}

/** Positions of everything that can be pressed on the page and in its bars. */
const boxesOf = (page: Page) =>
  page.evaluate(() => {
    // The strip about another test's server is above the header, and changes with that server.
    const top = document.querySelector('header')?.getBoundingClientRect().y ?? 0;
    return [...document.querySelectorAll('main button, main a, nav a')]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, element.closest('main') ? y - top : y, width, height];
      });
  });

test('a renewal is undone at once, where it is said and for as long as somebody is at it', {
  tag: '@main',
}, async ({ page }) => {
  const { username } = await sell('undone');
  await page.clock.install();
  await signIn(page, person, `/users/all?q=${username}`);
  const before = await shownCredits(page);
  const row = page.getByRole('row').filter({ hasText: username });
  await renew(page, username);
  const day = formatDay(addMonths(oneMonth(), 1));
  const result = resultOf(page, `${username} renewed until ${day}`);
  await result.hover();
  await expect(row).toContainText(day);
  await page.clock.runFor(20_000);
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Undo' }).click();
  // The undo restores everything, so no question is asked.
  await expect(resultOf(page, `Renewal of ${username} undone`)).toContainText('2 credits refunded');
  await expect(row).toContainText(formatDay(oneMonth()));
  await expect.poll(() => shownCredits(page)).toBe(before);
  await expect
    .poll(() => here.read('oscam.user'))
    .toMatch(new RegExp(`${username}\\b[^[]*${oneMonth()}`));
});

test('z undoes what the header says, and nothing once it has left', async ({ page }) => {
  const { username } = await sell('key');
  await page.clock.install();
  await signIn(page, person, `/users/all?q=${username}`);
  const row = page.getByRole('row').filter({ hasText: username });
  await renew(page, username);
  await expect(resultOf(page, `${username} renewed until`)).toBeVisible();
  await page.keyboard.press('z');
  await expect(resultOf(page, `Renewal of ${username} undone`)).toBeVisible();
  await expect(row).toContainText(formatDay(oneMonth()));
  await renew(page, username);
  await expect(resultOf(page, `${username} renewed until`)).toBeVisible();
  await page.getByRole('heading', { level: 1 }).hover();
  await page.clock.runFor(10_000);
  await expect(resultOf(page, username)).toHaveCount(0);
  await page.keyboard.press('z');
  const results = await openResults(page);
  await expect(results.getByRole('listitem').first()).toContainText('Undo until');
});

test('three of a kind are one line, and each Undo lives on in the bell', async ({ page }) => {
  const lines = [await sell('stack-a'), await sell('stack-b'), await sell('stack-c')];
  await signIn(page, person, `/users/all?q=stack-&sort=-added_date`);
  for (const { username } of lines.slice(0, 2)) {
    await renew(page, username);
    await expect(resultOf(page, `${username} renewed until`)).toBeVisible();
    // A result stays while the pointer is on it, regardless of how slow the machine is.
    await resultOf(page, username).hover();
  }
  await renew(page, lines[2]?.username ?? '');
  await expect(resultOf(page, '3 lines renewed')).toBeVisible();
  await page.reload();
  const results = await openResults(page);
  for (const { username } of lines)
    await expect(results).toContainText(`${username} renewed until`);
  await expectAccessible(page);
  const [{ username: first } = { username: '' }] = lines;
  const row = results.getByRole('listitem').filter({ hasText: `${first} renewed` });
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('undone');
  await expect(row.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(results).toContainText(`Renewal of ${first} undone`);
  await expect
    .poll(() => here.read('oscam.user'))
    .toMatch(new RegExp(`${first}\\b[^[]*${oneMonth()}`));
});

test('a sale is undone from its card, and all of it comes back', {
  tag: '@main',
}, async ({ page }) => {
  const username = `sold-${unique()}`;
  await signIn(page, person, '/users/add');
  const before = await shownCredits(page);
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('radio', { name: /^12 months/ }).check();
  await page.getByRole('button', { name: /^Create line/ }).click();
  await expect(page.getByRole('heading', { name: 'Line created' })).toBeVisible();
  await expect.poll(() => here.read('CCcam.cfg')).toContain(`F: ${username} `);
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  await expect(resultOf(page, `Sale of ${username} undone`)).toContainText('10 credits refunded');
  await expectAccessible(page);
  await expect.poll(() => shownCredits(page)).toBe(before);
  await expect.poll(() => here.read('CCcam.cfg')).not.toContain(`F: ${username} `);
});

test('a sale that never was on its server is undone in the tray', async ({ page, admin }) => {
  await here.stop();
  const { username } = await sell('never');
  await signIn(page, person, '/users/all');
  const before = await shownCredits(page);
  const results = await openResults(page);
  const row = results.getByRole('listitem').filter({ hasText: `${username} sold for 1 month` });
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(results).toContainText(`Sale of ${username} undone`);
  await expect.poll(() => shownCredits(page)).toBe(before + 2);
  await here.start();
  await admin.post(`/api/servers/${server_id}/test`);
});

test('the tabs of the bell are walked by arrows, and an hour without results says so', async ({
  page,
  newAccount,
}) => {
  await signIn(page, await newAccount({ credits: 1 }), '/users/all');
  const results = await openResults(page);
  await expect(results).toContainText('Nothing in the last hour');
  await expectAccessible(page);
  await page.getByRole('tab', { name: /^Results/ }).press('ArrowLeft');
  const notifications = page.getByRole('tab', { name: /^Notifications/ });
  await expect(notifications).toBeFocused();
  await expect(notifications).toHaveAttribute('aria-selected', 'true');
});

test.describe('on a phone, in German', () => {
  test.use({ viewport: smallPhone });

  test('renew stays in sight, and the result does not cover it', async ({ page }) => {
    const { id, username } = await sell('phone');
    await signIn(page, person, `/users/${id}`);
    await page.evaluate(() => localStorage.setItem('app-language', 'de'));
    await page.reload();
    const renew = page.getByRole('button', { name: 'Verlängern: 1 Monat, 2 Credits' });
    const others = page.getByRole('button', { name: 'Andere Laufzeit' });
    for (const button of [renew, others]) await expect(button).toBeInViewport({ ratio: 1 });
    await renew.click();
    const said = resultOf(page, `${username} bis`);
    await expect(said).toBeVisible();
    // Neither the sentence nor the word of its button is cut.
    for (const part of [
      said.getByText(`${username} bis`),
      said.getByRole('button', { name: 'Rückgängig machen' }),
    ]) {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = await part.evaluate(
        ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => ({
          ...{ scrollHeight, clientHeight, scrollWidth, clientWidth },
        }),
      );
      expect(scrollHeight).toBeLessThanOrEqual(clientHeight + 1);
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth + 1);
    }
    // The click fails if another element receives it.
    for (const button of [renew, others]) await button.click({ trial: true });
    const overflow = await sidewaysOverflow(page);
    expect(overflow).toBe(0);
    await expectAccessible(page);
  });
});

for (const height of [844, 600]) {
  test.describe(`on a phone of 390 by ${height}`, () => {
    test.use({ viewport: { width: 390, height } });

    test('a renewal is undone where it is said, and nothing of the page is covered or moves', async ({
      page,
    }) => {
      const { username } = await sell('thumb');
      await page.clock.install();
      await signIn(page, person, `/users/all?q=${username}`);
      await page.getByRole('link', { name: username, exact: true }).click();
      await page.getByRole('button', { name: 'Renew 1 month for 2 credits' }).click();
      const result = resultOf(page, `${username} renewed until`);
      await expect(result).toBeVisible();
      await page.goBack();
      await expect(page.getByText(formatDay(addMonths(oneMonth(), 1))).last()).toBeVisible();
      const [line, header] = await Promise.all(
        [result, page.getByRole('banner')].map((part) => part.boundingBox()),
      );
      if (!line || !header) throw new Error('The line has no place');
      expect(line.y).toBeGreaterThanOrEqual(header.y);
      expect(line.y + line.height).toBeLessThanOrEqual(header.y + header.height);
      const bell = page.getByRole('banner').getByRole('button', { name: /^Notif|unread/ });
      await expect(bell).toBeInViewport({ ratio: 1 });
      await expectAccessible(page);
      const undo = result.getByRole('button', { name: 'Undo' });
      expect((await undo.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await undo.click();
      await expect(resultOf(page, `Renewal of ${username} undone`)).toBeVisible();
      await expect(page.getByText(formatDay(oneMonth())).last()).toBeVisible();
      const before = await boxesOf(page);
      await page.clock.runFor(10_000);
      await expect(resultOf(page, username)).toHaveCount(0);
      expect(await boxesOf(page)).toEqual(before);
      await expect
        .poll(() => here.read('oscam.user'))
        .toMatch(new RegExp(`${username}\\b[^[]*${oneMonth()}`));
    });

    test('three changes that wait for a server are one line, and its strip counts them', async ({
      page,
      admin,
    }) => {
      const lines = [await sell('away-a'), await sell('away-b'), await sell('away-c')];
      await here.stop();
      // The actions of a line, and the text of the strip, depend on the test of its server.
      await admin.post(`/api/servers/${server_id}/test`);
      await signIn(page, person, `/users/all?q=away-&sort=-added_date`);
      // The strip is meant, not the line's own page, which also reports the state of its server.
      const strip = page.getByRole('status').filter({ hasText: 'of your lines' });
      for (const { username } of lines) {
        await page.getByRole('link', { name: username, exact: true }).click();
        const answered = page.waitForResponse('**/renew');
        // A line whose server is offline offers another action first.
        await page.getByRole('button', { name: 'Renew', exact: true }).click();
        await page.getByRole('button', { name: 'Renew for 2 credits' }).click();
        await answered;
        // The results disappear, and the strip may appear later.
        await expect(page.getByRole('banner').getByRole('status').locator('> *')).toHaveCount(1);
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(strip).toBeVisible();
        await page.goBack();
      }
      await expect(strip).toContainText('3 pending changes.');
      await page
        .getByRole('link', { name: lines[2]?.username ?? '', exact: true })
        .click({ trial: true });
      await expectAccessible(page);
      await here.start();
      for (const { id } of lines) await seller.post(`/api/lines/${id}/sync`);
      await expect(strip).toHaveCount(0);
    });
  });
}

test('a sale whose name is on the server already says so, and is undone from its row in full', async ({
  page,
}) => {
  const username = `taken-${unique()}`;
  await here.append('oscam.user', `\n[account]\nuser = ${username}\npwd = theirs\n`);
  const before = await seller.get('/api/me').then(({ credits }) => credits);
  const { line } = await seller.post('/api/lines', {
    ...{ username, password: 'tulip-9', subscription_months: 1, server_id, is_trial: false },
  });
  await signIn(page, person, `/users/${line.id}`);
  await expect(
    page.getByText('Not on its server: a row written by hand there has this username'),
  ).toBeVisible();
  const ways = page.getByRole('region', { name: 'What to do' });
  await expect(ways.getByRole('listitem')).toContainText([
    'Choose another name',
    'Undo the sale',
    'Delete it',
  ]);
  await expectAccessible(page);
  expect(await sidewaysOverflow(page)).toBe(0);
  await page.goto(`/users/all?q=${username}`);
  await page.getByRole('button', { name: `More actions for ${username}` }).click();
  await expect(page.getByRole('menuitem')).toContainText(['Rename', 'Undo']);
  await page.getByRole('menuitem', { name: 'Undo' }).click();
  const dialog = page.getByRole('dialog', { name: `Undo the sale of ${username}?` });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Undo sale' }).click();
  await expect(resultOf(page, `Sale of ${username} undone`)).toContainText('2 credits');
  await expect.poll(() => shownCredits(page)).toBe(before);
  expect(await here.read('oscam.user')).toContain('pwd = theirs');
});
