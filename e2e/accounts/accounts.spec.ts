import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { rowOf } from '../support/page.ts';
import { resultOf } from '../support/results.ts';
import { apiOf, signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();
const password = 'heron-on-the-lake-9';
const at = (name: string) => `${name}-${stamp}@tree.example`;
const top = { email: at('top'), full_name: `Tessa Top ${stamp}`, password };
const below = { email: at('below'), full_name: `Bea Below ${stamp}`, password };
const other = { email: at('other'), full_name: `Otto Other ${stamp}`, password };

let seller: Api;
let ids: Record<'top' | 'below' | 'other', string>;

// One worker for the file, so that its accounts are created once.
test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ admin }) => {
  const made = async (api: Api, who: object, credits: number) =>
    (await api.post('/api/accounts', { ...who, group_id: '2', credits })).account.id;
  ids = { top: await made(admin, top, 300), below: '', other: await made(admin, other, 5) };
  seller = await apiOf(top);
  ids.below = await made(seller, below, 80);
  await admin.post(`/api/accounts/${ids.below}/credits`, { amount: 20 });
});

async function choose(page: Page, { email }: { email: string }, act: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: act, exact: true }).click();
}

/** The value beside a name in a dialog. */
const besideName = (dialog: Locator, name: string) =>
  dialog.getByText(name, { exact: true }).locator('xpath=..');

/** The balance before, the change and the balance after, of one side of the dialog. */
const balancesOf = (dialog: Locator, side: 'From' | 'To', who: { full_name: string }) =>
  dialog.getByRole('region', { name: `${side} ${who.full_name}` }).getByRole('definition');

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a reseller sees its own subtree, and takes back with both balances said', {
    tag: '@main',
  }, async ({ page, admin }) => {
    await signIn(page, top, '/accounts');
    await expect(rowOf(page, below.email)).toBeVisible();
    await expect(rowOf(page, other.email)).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: `More actions for ${below.email}` }).click();
    await expect(page.getByRole('menuitem', { name: 'Set balance' })).toHaveCount(0);
    await expect(page.getByRole('menuitem', { name: 'Move account' })).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await choose(page, below, 'Take back credits');
    const dialog = page.getByRole('dialog', { name: 'Credits' });
    await expect(dialog.getByRole('radio', { name: 'Take back' })).toBeChecked();
    const { credits } = await admin.get(`/api/accounts/${ids.below}`);
    const { from_above: most } = await seller.get(`/api/accounts/${ids.below}/figures`);
    const own = (await seller.get('/api/me')).credits;
    // Credits that came from the administrator cannot be transferred, so the maximum is lower.
    expect(most).toBeLessThan(credits);
    await expect(dialog).toContainText(
      `You can take back at most ${most}. The account keeps the ${credits - most} that`,
    );
    await dialog.getByLabel('Amount').fill(String(credits + 1));
    await expect(balancesOf(dialog, 'From', below)).toHaveText([
      String(credits),
      `−${credits + 1}`,
      '−1',
    ]);
    await dialog.getByRole('button', { name: /^Take back/ }).click();
    await expect(dialog.getByLabel('Amount')).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('Amount').fill('3');
    await expect(balancesOf(dialog, 'From', below)).toHaveText([
      String(credits),
      '−3',
      String(credits - 3),
    ]);
    await expect(balancesOf(dialog, 'To', top)).toHaveText([String(own), '+3', String(own + 3)]);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Take back 3 credits' }).click();
    await expect(page.getByText('3 credits taken back from')).toBeVisible();
    expect((await admin.get(`/api/accounts/${ids.below}`)).credits).toBe(credits - 3);
  });

  test('the same dialog adds credits, from the own balance', async ({ page, admin }) => {
    await signIn(page, top, `/accounts/${ids.below}`);
    await page.getByRole('main').getByRole('button', { name: 'Take back' }).click();
    const dialog = page.getByRole('dialog', { name: 'Credits' });
    await dialog.getByLabel('Amount').fill('4');
    await dialog.getByRole('radio', { name: 'Add' }).check({ force: true });
    const { credits } = await admin.get(`/api/accounts/${ids.below}`);
    const own = (await seller.get('/api/me')).credits;
    await expect(dialog.getByLabel('Amount')).toHaveValue('4');
    await expect(balancesOf(dialog, 'From', top)).toHaveText([String(own), '−4', String(own - 4)]);
    await expect(balancesOf(dialog, 'To', below)).toHaveText([
      String(credits),
      '+4',
      String(credits + 4),
    ]);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add 4 credits' }).click();
    await expect(page.getByText('4 credits added to')).toBeVisible();
    expect((await seller.get('/api/me')).credits).toBe(own - 4);
  });

  test('a ban says what ends and what stays, and is lifted again', async ({ page }) => {
    await signIn(page, 'admin', `/resellers?q=${below.email}`);
    await choose(page, below, 'Ban');
    const dialog = page.getByRole('dialog', { name: /^Ban / });
    await expect(besideName(dialog, 'Lines')).toContainText('0');
    await expect(besideName(dialog, 'Credits')).toContainText(/\d/);
    await expect(dialog.getByRole('checkbox')).toHaveCount(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Ban' }).click();
    await expect(rowOf(page, below.email)).toContainText('Suspended');
    await choose(page, below, 'Unban');
    await page.getByRole('dialog').getByRole('button', { name: 'Unban' }).click();
    await expect(rowOf(page, below.email)).toContainText('Active');
  });

  test('a ban suspends the lines of all below it, by a job, and lifting it resumes them', async ({
    page,
    admin,
  }) => {
    const owner = { email: at('ban'), full_name: `Bruno Banned ${stamp}`, password };
    const { account } = await admin.post('/api/accounts', {
      ...owner,
      group_id: '2',
      credits: 9,
    });
    const sell = await apiOf(owner);
    const line = (username: string) =>
      sell.post('/api/lines', { username, password: 'pw', is_trial: true });
    const { line: first } = await line(`b1-${stamp}`);
    await line(`b2-${stamp}`);
    await signIn(page, 'admin', `/resellers?q=${owner.email}`);
    await choose(page, owner, 'Ban');
    const dialog = page.getByRole('dialog', { name: /^Ban / });
    await expect(besideName(dialog, 'Lines')).toContainText('2');
    await dialog.getByRole('checkbox', { name: /^Also suspend the lines/ }).check();
    await expect(dialog).toContainText('Lines: 2, accounts: 1.');
    await expect(besideName(dialog, 'Lines')).toContainText('0');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Ban and suspend lines' }).click();
    await expect(resultOf(page, '2 lines suspended')).toBeVisible();
    expect((await admin.get(`/api/lines/${first.id}`)).suspension).not.toBeNull();
    await choose(page, owner, 'Unban');
    const lifting = page.getByRole('dialog', { name: /^Unban / });
    await expect(
      lifting.getByRole('checkbox', { name: /^Resume the lines suspended by the ban: 2/ }),
    ).toBeChecked();
    await expect(lifting.getByRole('link', { name: 'Show suspended lines' })).toBeVisible();
    await expectAccessible(page);
    await lifting.getByRole('button', { name: 'Unban and resume lines' }).click();
    await expect
      .poll(async () => (await admin.get(`/api/lines/${first.id}`)).suspension)
      .toBeNull();
    expect((await admin.get(`/api/accounts/${account.id}`)).banned).toBe(false);
  });

  test('an account is edited, and what changes is said before', { tag: '@main' }, async ({
    page,
    admin,
  }) => {
    const person = { email: at('edit'), full_name: `Edna Edit ${stamp}`, password };
    const { account } = await admin.post('/api/accounts', { ...person, group_id: '2' });
    await signIn(page, 'admin', `/accounts/${account.id}`);
    await choose(page, person, 'Edit account');
    const dialog = page.getByRole('dialog', { name: /^Edit / });
    const save = dialog.getByRole('button', { name: 'Save changes' });
    await expect(dialog).toContainText('No changes to save yet');
    await dialog.getByLabel('Full name').fill(`Edna Other ${stamp}`);
    await dialog.getByLabel('Notes').fill('Pays by transfer');
    await dialog.getByRole('combobox', { name: 'Group' }).click();
    await page.getByRole('option', { name: 'Users' }).click();
    const changes = dialog.getByRole('definition');
    await expect(changes).toHaveText([`Edna Edit ${stamp}Edna Other ${stamp}`, 'ResellersUsers']);
    await expectAccessible(page);
    await save.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edna Other ${stamp}`);
    expect(await admin.get(`/api/accounts/${account.id}`)).toMatchObject({
      full_name: `Edna Other ${stamp}`,
      group_id: '3',
      notes: 'Pays by transfer',
    });
  });

  test('a balance is set with a reason', async ({ page, admin }) => {
    await signIn(page, 'admin', `/resellers?q=${other.email}`);
    await choose(page, other, 'Set balance');
    const dialog = page.getByRole('dialog', { name: /^Set balance of/ });
    await dialog.getByLabel('New balance').fill('-1');
    await dialog.getByRole('button', { name: 'Set balance' }).click();
    await expect(dialog.getByText('Credits cannot be negative').first()).toBeVisible();
    const { credits } = await admin.get(`/api/accounts/${ids.other}`);
    await dialog.getByLabel('New balance').fill(String(credits + 7));
    await dialog.getByLabel('Reason').fill('Counted again');
    await expect(besideName(dialog, 'Difference')).toContainText('+7');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Set balance' }).click();
    await expect(page.getByText(/^Balance of/)).toBeVisible();
    const { items } = await admin.get(`/api/credits/transfers?account_id=${ids.other}`);
    expect(items[0]).toMatchObject({ kind: 'adjustment', amount: 7, note: 'Counted again' });
  });

  test('an account is moved with what goes along said, and not into a circle', async ({
    page,
    admin,
  }) => {
    await signIn(page, 'admin', `/accounts/${ids.top}`);
    await expect(page.getByRole('heading', { level: 1, name: top.full_name })).toBeVisible();
    await choose(page, top, 'Move account');
    const dialog = page.getByRole('dialog', { name: /^Move / });
    await expect(besideName(dialog, 'Accounts that move with it')).toContainText('1');
    await expect(besideName(dialog, 'Current owner')).toContainText('Nobody');
    const owner = dialog.getByLabel('New owner');
    await owner.fill(below.email);
    await page.getByRole('option', { name: below.email }).click();
    await dialog.getByRole('button', { name: 'Move account' }).click();
    await expect(
      dialog
        .getByText('An account cannot be moved below itself or below one of its own accounts')
        .first(),
    ).toBeVisible();
    await expectAccessible(page);
    await owner.fill(other.email);
    await page.getByRole('option', { name: other.email }).click();
    await dialog.getByRole('button', { name: 'Move account' }).click();
    await expect(page.getByText(`${top.full_name} moved`)).toBeVisible();
    expect((await admin.get(`/api/accounts/${ids.other}`)).subtree_count).toBe(2);
    await admin.patch(`/api/accounts/${ids.top}`, { owner_id: null });
  });

  test('a reset link is shown once and sets a password', async ({ page, browser }) => {
    await signIn(page, top, `/accounts/${ids.below}`);
    await choose(page, below, 'Password reset link');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const url = (await dialog.locator('code').textContent()) ?? '';
    await expectAccessible(page);
    const visitor = await browser.newPage();
    const { pathname, search } = new URL(url);
    await visitor.goto(pathname + search);
    await visitor.getByRole('button', { name: 'Set password' }).click();
    await expect(visitor.getByRole('textbox', { name: 'New password' })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await expectAccessible(visitor);
    await visitor.getByRole('textbox', { name: 'New password' }).fill(password);
    await visitor.getByRole('button', { name: 'Set password' }).click();
    await expect(
      visitor.getByRole('heading', { name: 'Password successfully changed' }),
    ).toBeVisible();
    await visitor.goto(pathname + search);
    await visitor.getByRole('textbox', { name: 'New password' }).fill(password);
    await visitor.getByRole('button', { name: 'Set password' }).click();
    await expect(visitor.getByRole('heading', { name: 'The link did not work' })).toBeVisible();
    await visitor.close();
  });
});

test('an account of nobody’s subtree is not there, and My accounts is not for administrators', async ({
  page,
}) => {
  await signIn(page, top, `/accounts/${ids.other}`);
  const missing = page.getByRole('heading', { name: 'Account not found' });
  await expect(missing).toBeVisible();
  await page.goto('/accounts/nonsense');
  await expect(missing).toBeVisible();
  await expect(page.getByText('Invalid user ID')).toHaveCount(0);
  await expectAccessible(page);
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My accounts' }),
  ).toBeVisible();
  await page.context().clearCookies();
  await signIn(page, 'admin');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link', { name: 'Manage Resellers' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'My accounts' })).toHaveCount(0);
});

test('the list is downloaded as it is filtered', async ({ page }) => {
  await signIn(page, 'admin', `/resellers?q=${stamp}&sort=lines`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^accounts-.*\.csv$/);
});
