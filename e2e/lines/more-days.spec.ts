import { ZONE } from '../../apps/server/src/testing/zone.ts';
import { addDays, formatDay, today } from '../../packages/contract/src/dates.ts';
import { expectAccessible } from '../support/accessible.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

// One worker runs all tests, because each run of `beforeAll` needs names of its own.
test.describe.configure({ mode: 'default' });

const stamp = unique();
const day = (later: number) => formatDay(addDays(today(ZONE), later));
const nameOf = (what: string) => `days-${stamp}-${what}`;

test.beforeAll(async ({ admin }) => {
  const lineOf = async (what: string, later: number, more: object = {}) => {
    const body = { username: nameOf(what), password: 'tulip-harbor', expiry_date: day(later) };
    const { line } = await admin.post('/api/lines', { ...body, ...more });
    return line.id;
  };
  await lineOf('a', 10);
  await lineOf('b', 20);
  await lineOf('old', -40);
  await lineOf('trial', 1, { is_trial: true });
  const held = await lineOf('held', 30);
  await admin.post(`/api/lines/${held}/suspend`, {});
});

test('days for many: what is skipped is named, and given only if chosen', { tag: '@both' }, async ({
  page,
}) => {
  await signIn(page, 'admin', `/users/all?q=days-${stamp}&sort=username`);
  const names = ['a', 'b', 'held', 'old', 'trial'];
  for (const name of names) {
    await page.getByRole('checkbox', { name: `Select ${nameOf(name)}`, exact: true }).check();
  }
  await page
    .getByRole('button', { name: /^Renew( 5 lines)?$/ })
    .last()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /Days/ }).check();
  const days = dialog.getByRole('spinbutton', { name: 'Days for each line' });
  await days.fill('3');
  await expect(dialog.getByRole('button', { name: 'Renew 2 lines' })).toBeVisible();
  await expect(dialog.getByRole('checkbox', { name: '1 expired line' })).not.toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: '1 suspended line' })).not.toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: '1 trial' })).not.toBeChecked();
  await expect(dialog.getByText('The line has expired')).toBeVisible();
  await expectAccessible(page);

  await dialog.getByRole('checkbox', { name: '1 expired line' }).check();
  const order = dialog.getByRole('button', { name: 'Renew 3 lines' });
  await expect(order).toHaveAttribute('aria-disabled', 'false');
  await expect(dialog.getByText(day(3))).toBeVisible();
  await days.fill('');
  await expect(order).toBeHidden();
  await expect(dialog.getByText('Choose 1 to 366 days.').first()).toBeVisible();
});

test('one line is shortened only where that is said in so many words', async ({ page }) => {
  await signIn(page, 'admin', `/users/all?q=${nameOf('b')}`);
  await page
    .getByRole('button', { name: /^Renew/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Another date' }).check();
  await dialog.getByRole('textbox', { name: 'Date' }).fill(day(5));
  const shorten = dialog.getByRole('checkbox', { name: /^Shorten the line/ });
  await expect(shorten).not.toBeChecked();
  await dialog.getByRole('button', { name: 'Renew' }).click();
  await expect(dialog.getByText(/^The line is valid for longer than this/)).toBeVisible();
  await shorten.check();
  await dialog.getByRole('button', { name: 'Renew' }).click();
  await expect(page.getByText(`${nameOf('b')} renewed until ${day(5)}`)).toBeVisible();
});

test('lines that expired long ago are found by a filter, as address and chip', async ({ page }) => {
  await signIn(page, 'admin', `/users/all?q=days-${stamp}&ended=30d`);
  await expect(page.getByRole('rowheader')).toHaveText([new RegExp(nameOf('old'))]);
  await expect(page.getByText('more than 30 days ago').first()).toBeVisible();
  await page.goto(`/users/all?q=days-${stamp}&ended=90d`);
  await expect(page.getByRole('rowheader')).toHaveCount(0);
});
