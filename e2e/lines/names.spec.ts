import type { Locator, Page } from '@playwright/test';
import { CardServer } from '../support/card-server.ts';
import { storeDirectly } from '../support/database.ts';
import { clipboardText, openFields, rowOf } from '../support/page.ts';
import { signIn } from '../support/sign-in.ts';
import { phone } from '../support/sizes.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const RIGHT_TO_LEFT_OVERRIDE = '\u202e';
const POP_ISOLATE = '\u2069';
const hebrew = 'שלום';
const cardServer = new CardServer();
const stamp = unique();
const seller = { email: `lies-${stamp}@linekeeper.example`, password: 'lies-seller-41-kite' };
/** Displays as "administrator" if the control character has an effect. */
const fullName = `${RIGHT_TO_LEFT_OVERRIDE}rotartsinimda`;
/** Would end the surrounding isolate and then reverse the text after it. */
const turned = `turned-${stamp}${POP_ISOLATE}${RIGHT_TO_LEFT_OVERRIDE}`;
const shownTurned = `turned-${stamp}`;
const foreign = `${hebrew}-${stamp}`;
const serverName = `${RIGHT_TO_LEFT_OVERRIDE}srevres ${hebrew} ${stamp}`;
const shownServer = `srevres ${hebrew} ${stamp}`;

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin, addServer }) => {
  await cardServer.start();
  const server_id = await addServer(`Lies ${stamp}`, cardServer);
  const { account } = await admin.post('/api/accounts', { ...seller, group_id: '2', credits: 10 });
  const add = async (username: string) => {
    const line = { username, password: 'tulip-1', expiry_date: '01-06-2030', server_id };
    return (await admin.post('/api/lines', { ...line, owner_id: account.id })).line.id as string;
  };
  const first = await add(`lies-1-${stamp}`);
  const second = await add(`lies-2-${stamp}`);
  const renameLine = 'UPDATE users SET username = $2, name = $3, notes = $3 WHERE id = $1';
  await storeDirectly([
    ['UPDATE auth_users SET full_name = $2 WHERE id = $1', [account.id, fullName]],
    ['UPDATE cccam_servers SET server_name = $2 WHERE id = $1', [server_id, serverName]],
    [renameLine, [first, turned, `${RIGHT_TO_LEFT_OVERRIDE}nosredna`]],
    [renameLine, [second, foreign, `${hebrew} 12`]],
  ]);
});
test.afterAll(() => cardServer.remove());

/** Expects each Latin letter and sign to the right of the one before, or on a later line. */
async function expectInOrder(place: Locator, text: string): Promise<void> {
  await expect(place).toContainText(text);
  const misplaced = await place.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    let last: DOMRect | undefined;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // Text for screen readers alone has no place among the others.
      if (node.parentElement?.closest('.visually-hidden')) continue;
      const letters = node.textContent ?? '';
      for (let at = 0; at < letters.length; at++) {
        if (!/[A-Za-z?!:.]/.test(letters[at] ?? '')) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        if (box.width === 0) continue;
        if (last && box.top < last.bottom && box.left < last.left) found.push(letters.slice(at));
        last = box;
      }
    }
    return found;
  });
  expect(misplaced).toEqual([]);
}

/** Expects no text, including accessible names, that reorders its surroundings. */
async function expectAllIsolated(page: Page): Promise<void> {
  const loose = await page.evaluate(() => {
    const turns = /[\u202a-\u202e\u2066\u2067]/;
    const letters = /[\u0590-\u08ff]/;
    const outsideOfIsolates = (text: string) => text.replace(/\u2068[^\u2068\u2069]*\u2069/g, '');
    const isLoose = (text: string) => turns.test(text) || letters.test(outsideOfIsolates(text));
    const found: string[] = [];
    const walker = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      // A textarea isolates its own text.
      if (node.parentElement instanceof HTMLTextAreaElement) continue;
      const isApart = node.parentElement?.closest('bdi') != null;
      if (node instanceof Text && (isApart ? turns.test(text) : isLoose(text))) found.push(text);
      if (!(node instanceof Element)) continue;
      for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'data-initials']) {
        const value = node.getAttribute(name);
        if (value && isLoose(value)) found.push(`${name}: ${value}`);
      }
    }
    if (isLoose(document.title)) found.push(document.title);
    return found;
  });
  expect(loose).toEqual([]);
}

test('the side bar, the list and its dialogs show names as they were typed', async ({ page }) => {
  await signIn(page, seller, '/users/all');
  const profile = page.getByRole('navigation').getByRole('link', { name: 'rotartsinimda' });
  await expectInOrder(profile, 'rotartsinimda');
  await expectInOrder(rowOf(page, shownTurned), shownTurned);
  await expectInOrder(rowOf(page, foreign), foreign);
  await expect(rowOf(page, foreign)).toContainText(shownServer);
  await expectAllIsolated(page);

  await page.getByRole('button', { name: /^Account:/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await expectAllIsolated(page);
  await page.keyboard.press('Escape');

  await rowOf(page, shownTurned)
    .getByRole('button', { name: /^More actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await expectInOrder(dialog.getByRole('heading'), `Delete ${shownTurned}?`);
  await expectAllIsolated(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await rowOf(page, foreign)
    .getByRole('button', { name: /^Renew/ })
    .click();
  await expectInOrder(page.getByRole('heading', { name: /^Renew/ }), hebrew);
  await expectAllIsolated(page);
});

test('many lines at once, the palette and the page of a line isolate names', async ({ page }) => {
  await signIn(page, seller, '/users/all');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page
    .getByRole('region', { name: 'Selection' })
    .getByRole('button', { name: /^Renew/ })
    .click();
  await expectInOrder(
    page.getByRole('dialog').getByRole('row', { name: shownTurned }),
    shownTurned,
  );
  await expectAllIsolated(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(hebrew);
  await expect(page.getByRole('option', { name: foreign })).toBeVisible();
  await expectAllIsolated(page);
  await page.keyboard.press('Escape');

  await rowOf(page, foreign).getByRole('link', { name: foreign }).click();
  await page.getByRole('complementary').getByRole('link', { name: 'Edit' }).click();
  await expectInOrder(page.getByRole('complementary').getByRole('heading').first(), hebrew);
  await expectAllIsolated(page);
  await page.getByRole('link', { name: 'Open as a page' }).click();
  await expectInOrder(page.getByRole('heading', { level: 1 }), hebrew);
  await openFields(page, 'Customer');
  await expect(page.getByLabel('Name', { exact: true })).toHaveCSS('direction', 'rtl');
  await expectAllIsolated(page);
});

test('what is copied is the name itself', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, seller, '/users/all');
  await rowOf(page, foreign).getByRole('link').click();
  await page.getByRole('link', { name: 'Receiver', exact: true }).click();
  await page.getByRole('button', { name: 'Copy Username' }).click();
  await expect.poll(() => clipboardText(page)).toBe(foreign);
});

test('the pages of servers isolate their names', async ({ page }) => {
  await signIn(page, 'admin', '/cccam-servers/manage');
  await expectInOrder(page.getByRole('heading', { name: shownServer }), 'srevres');
  await expectAllIsolated(page);
  await page.getByRole('button', { name: new RegExp(`^More actions for.*${stamp}`) }).click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAllIsolated(page);
});

test('forms and choices isolate what they offer', async ({ page }) => {
  await signIn(page, seller, '/users/all');
  await page.getByRole('button', { name: /^Filter/ }).click();
  await expect(page.getByRole('checkbox', { name: shownServer })).toBeVisible();
  await expectAllIsolated(page);
  await page.goto('/users/add');
  await page.getByRole('combobox', { name: 'Server' }).click();
  await expect(page.getByRole('option', { name: shownServer })).toBeVisible();
  await expectAllIsolated(page);
  await page.goto('/users/import');
  await page.locator('input[type="file"]').setInputFiles({
    name: `${RIGHT_TO_LEFT_OVERRIDE}vsc.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`username;${turned};name\n${turned};${hebrew};${hebrew}\n`),
  });
  await expectInOrder(page.getByRole('rowheader', { name: shownTurned }), shownTurned);
  await expect(page.getByRole('cell', { name: hebrew }).first()).toBeVisible();
  await expectAllIsolated(page);
});

test("a server's page isolates its name", async ({ page }) => {
  await signIn(page, 'admin', '/cccam-servers/manage');
  await page.getByRole('link', { name: shownServer, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: shownServer })).toBeVisible();
  await expectAllIsolated(page);
});

test('the filter of pending changes isolates the names of servers', async ({ page }) => {
  // Without a filter, an empty list has no toolbar.
  await signIn(page, 'admin', '/cccam-servers/sync?state=pending');
  await page.getByRole('button', { name: /^Filter/ }).click();
  const more = page.getByRole('dialog').getByRole('button', { name: /more$/ });
  await expect(page.getByRole('checkbox').first()).toBeVisible();
  if ((await more.count()) > 0) await more.click();
  await expect(page.getByRole('checkbox', { name: shownServer })).toBeVisible();
  await expectAllIsolated(page);
});

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('the cards show names as they were typed', async ({ page }) => {
    await signIn(page, seller, '/users/all');
    const card = page.getByRole('listitem').filter({ hasText: shownTurned });
    await expectInOrder(card, shownTurned);
    await expectAllIsolated(page);
  });
});
