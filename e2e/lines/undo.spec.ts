import type { Page } from '@playwright/test';
import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addMonths, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { CardServer } from '../support/card-server.ts';
import { coveredButtons } from '../support/covered-buttons.ts';
import { shownCredits, sidewaysOverflow } from '../support/page.ts';
import { sellLine } from '../support/sell-line.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { smallPhone } from '../support/sizes.ts';
import type { Account } from '../support/test.ts';
import { expect, test } from '../support/test.ts';

const here = new CardServer();
let person: Account;
let seller: Api;
let server_id = '';

// One account's credits and cards, changed by one test after the other.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ newAccount, addServer }) => {
  await here.start();
  server_id = await addServer(`Undo ${here.port}`, here);
  person = await newAccount({ credits: 100 });
  seller = await apiOf(person);
});
test.afterAll(() => here.remove());

const sell = (name: string) => sellLine(seller, name, { server_id });

const oneMonth = () => addMonths(today(ZONE), 1);

const cardOf = (page: Page, username: string) =>
  page.getByRole('region', { name: `Renewal of ${username}` });

async function renew(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: `Renew ${username}` }).click();
  await page.getByRole('button', { name: 'Renew for 2 credits' }).click();
}

test('a renewal is undone from its card, which stays while somebody is at it', {
  tag: '@main',
}, async ({ page }) => {
  const { username } = await sell('undone');
  await page.clock.install();
  await signIn(page, person, `/users/all?q=${username}`);
  const before = await shownCredits(page);
  const row = page.getByRole('row').filter({ hasText: username });
  await renew(page, username);
  const day = formatDay(addMonths(oneMonth(), 1));
  const card = cardOf(page, username);
  await card.hover();
  await expect(card).toContainText(`${username} renewed until ${day}`);
  await expect(card).toContainText('Paid: 2 credits');
  await expect(row).toContainText(day);
  await page.clock.runFor(20_000);
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Undo' }).click();
  const question = page.getByRole('dialog', { name: `Undo: Renewal of ${username}?` });
  await expect(question).toContainText(`Changes to ${username} are reverted.`);
  await expect(question).toContainText('This refunds 2 credits.');
  // The dialog lies over the card, and the pointer on the dialog.
  await question.getByRole('button', { name: 'Undo' }).hover();
  await page.clock.runFor(20_000);
  await question.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`Undone changes to ${username}. Refunded: 2 credits`)).toBeVisible();
  await expect(card).toHaveCount(0);
  await expect(row).toContainText(formatDay(oneMonth()));
  await expect.poll(() => shownCredits(page)).toBe(before);
  await expect
    .poll(() => here.read('oscam.user'))
    .toMatch(new RegExp(`${username}\\b[^[]*${oneMonth()}`));
});

test('cards leave by themselves, and each Undo lives on in the bell', async ({ page }) => {
  const lines = [await sell('stack-a'), await sell('stack-b'), await sell('stack-c')];
  await signIn(page, person, `/users/all?q=stack-&sort=-added_date`);
  for (const { username } of lines) {
    await renew(page, username);
    await expect(page.getByText(`${username} renewed until`)).toBeVisible();
  }
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(page.getByRole('region', { name: /^Renewal of/ })).toHaveCount(0);
  await page.reload();
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Notifications|unread/ })
    .click();
  const results = page.getByRole('region', { name: 'Results' });
  for (const { username } of lines) await expect(results).toContainText(`Renewal of ${username}`);
  await expectAccessible(page);
  const [{ username: first } = { username: '' }] = lines;
  const row = results.getByRole('listitem').filter({ hasText: first });
  await row.getByRole('button', { name: 'Undo' }).click();
  await page
    .getByRole('dialog', { name: /^Undo:/ })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(results.getByRole('listitem').filter({ hasText: first })).toHaveCount(0);
  await expect
    .poll(() => here.read('oscam.user'))
    .toMatch(new RegExp(`${first}\\b[^[]*${oneMonth()}`));
});

test('a renewal that its server has not taken is tried again from its card, or undone', async ({
  page,
}) => {
  const { username } = await sell('behind');
  await here.stop();
  await signIn(page, person, `/users/all?q=${username}`);
  await page.getByRole('button', { name: `Renew ${username}` }).click();
  await page.getByRole('button', { name: 'Renew for 2 credits' }).click();
  const card = cardOf(page, username);
  await card.hover();
  await expect(card).toHaveAttribute('data-tone', 'warning');
  await expect(card).toContainText('connection refused');
  await expect(card.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectAccessible(page);
  await here.start();
  await card.getByRole('button', { name: 'Retry sync' }).click();
  await expect(card).toHaveAttribute('data-tone', 'success');
  await expect(card.getByRole('button', { name: 'Retry sync' })).toHaveCount(0);
});

test.describe('on a phone, in German', () => {
  test.use({ viewport: smallPhone });

  test('renew and save stay in sight, and the card covers neither', async ({ page }) => {
    const { id, username } = await sell('phone');
    await signIn(page, person, `/users/edit/${id}`);
    await page.evaluate(() => localStorage.setItem('app-language', 'de'));
    await page.reload();
    const save = page.getByRole('button', { name: 'Änderungen speichern' });
    const renew = page.getByRole('button', { name: 'Verlängern', exact: true });
    const cancel = page.getByRole('main').getByRole('button', { name: 'Abbrechen' });
    for (const button of [save, renew, cancel]) await expect(button).toBeInViewport({ ratio: 1 });
    await expect(renew).toHaveCount(1);
    await renew.click();
    await page.getByRole('button', { name: 'Für 2 Credits verlängern' }).click();
    const said = page.getByText(`${username} bis`);
    await expect(said).toBeVisible();
    // Neither the sentence nor the word of its button is cut.
    for (const part of [
      said.locator('xpath=ancestor::div[1]'),
      page.getByRole('button', { name: 'Rückgängig machen' }),
    ]) {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = await part.evaluate(
        ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => ({
          ...{ scrollHeight, clientHeight, scrollWidth, clientWidth },
        }),
      );
      expect(scrollHeight).toBeLessThanOrEqual(clientHeight + 1);
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth + 1);
    }
    // A click that is answered by something else fails.
    for (const button of [save, renew, cancel]) await button.click({ trial: true });
    const overflow = await sidewaysOverflow(page);
    expect(overflow).toBe(0);
    await expectAccessible(page);
  });
});

for (const height of [844, 600]) {
  test.describe(`on a phone of 390 by ${height}`, () => {
    test.use({ viewport: { width: 390, height } });

    test('Undo of a renewal can be pressed, and its cross is beside it', async ({ page }) => {
      const { username } = await sell('thumb');
      await signIn(page, person, `/users/all?q=${username}`);
      await renew(page, username);
      const card = cardOf(page, username);
      const undo = card.getByRole('button', { name: 'Undo' });
      await undo.focus();
      const [one, other] = [
        await undo.boundingBox(),
        await card.getByRole('button', { name: 'Dismiss' }).boundingBox(),
      ];
      if (!one || !other) throw new Error('A button has no place');
      const isApart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y;
      expect(isApart).toBe(true);
      await undo.click();
      await expect(page.getByRole('dialog', { name: /^Undo:/ })).toBeVisible();
    });

    test('a result is a bar that covers nothing, and no pointer holds it', async ({ page }) => {
      const { username } = await sell('bar');
      await page.clock.install();
      await signIn(page, person, '/users/all?sort=-added_date');
      await renew(page, username);
      const card = cardOf(page, username);
      await expect(card).toContainText(`${username} renewed until`);
      const box = await card.boundingBox();
      if (!box) throw new Error('The bar has no place');
      expect(box.height).toBeLessThanOrEqual(56);
      expect(box.y + box.height).toBe(height);
      // Rows get their real height only when they come into view: scroll until the end is reached.
      await card.getByRole('button', { name: 'Undo' }).focus();
      await expect
        .poll(async () => {
          await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
          return coveredButtons(page);
        })
        .toEqual([]);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await card.hover();
      await page.clock.runFor(10_000);
      await expect(card).toHaveCount(0);
    });

    test('a server that is away is one strip with a count, and covers nothing', async ({
      page,
    }) => {
      const lines = [await sell('away-a'), await sell('away-b'), await sell('away-c')];
      await here.stop();
      await signIn(page, person, `/users/all?q=away-&sort=-added_date`);
      for (const { username } of lines) {
        await renew(page, username);
        const card = cardOf(page, username);
        await expect(card).toContainText('Change not on server');
        // The strip names all of them, so no toast names each one again.
        await expect(card).not.toContainText('CCcam server');
        await expect(page.getByRole('region', { name: /^Renewal of/ })).toHaveCount(1);
        expect((await card.boundingBox())?.height).toBeLessThanOrEqual(56);
      }
      const strip = page.getByRole('status').filter({ hasText: 'has not responded since' });
      await expect(strip).toContainText('3 changes are pending and will be sent automatically.');
      await expect(page.locator('[data-sonner-toast][data-visible="true"]')).not.toHaveCount(2);
      await expect(page.getByRole('region', { name: /^Renewal of/ })).toHaveCount(0);
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
      await page
        .getByRole('button', { name: `Renew ${lines[2]?.username}` })
        .click({ trial: true });
      await expectAccessible(page);
      await here.start();
      for (const { id } of lines) await seller.post(`/api/lines/${id}/sync`);
      await expect(strip).toHaveCount(0);
      for (const { id } of lines) await seller.delete(`/api/lines/${id}`);
    });
  });
}
