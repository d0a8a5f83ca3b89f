import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import type { Api } from '../support/api.ts';
import { blockEvents } from '../support/requests.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';
import { unique } from '../support/unique.ts';

const stamp = unique();

async function makeGroup(admin: Api, name: string, permissions: string[] = []): Promise<string> {
  return (await admin.post('/api/groups', { name, permissions })).group.id;
}

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name });

test.describe('at both sizes', { tag: '@both' }, () => {
  test('a group is added once what is wrong with it is put right, and changed', {
    tag: '@spec:1.8',
  }, async ({ page, admin }) => {
    const name = `Desk ${stamp}`;
    await signIn(page, 'admin', '/groups/manage');
    await expect(page).toHaveURL(/\/manage-groups$/);
    for (const fixed of ['Runs the whole panel', 'Sell lines with their own credits']) {
      await expect(rowOf(page, fixed)).toContainText('Fixed');
    }
    await page.getByRole('link', { name: 'Add group' }).click();
    const add = page.getByRole('button', { name: 'Add group' });
    await add.click();
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Name').fill('resellers');
    await page.getByLabel('Description').fill('Looks lines up');
    await page.getByRole('checkbox', { name: 'View lines' }).check();
    await expect(page.getByText('1 of 7 chosen')).toBeVisible();
    await add.click();
    await expect(page.getByText('A group with this name already exists')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Name').fill(name);
    await add.click();
    await expect(page).toHaveURL(/\/manage-groups$/);
    await expect(rowOf(page, name)).toContainText('Permissions: 1');
    await expectAccessible(page);

    await page.getByRole('link', { name }).click();
    await expect(page.getByText(/^Created by .+ on \d/)).toBeVisible();
    await page.getByText('See groups and their members.').click();
    await page.getByRole('checkbox', { name: 'View lines' }).uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(`${name} saved`)).toBeVisible();
    const { items } = await admin.get(`/api/groups?q=${encodeURIComponent(name)}`);
    expect(items[0]).toMatchObject({
      permissions: ['view_groups'],
      description: 'Looks lines up',
    });
  });

  test('members are counted and shown, and keep their group from being deleted', async ({
    page,
    admin,
    newAccount,
  }) => {
    const name = `Full ${stamp}`;
    const id = await makeGroup(admin, name, ['view_users']);
    const member = await newAccount({ group_id: id });
    await signIn(page, 'admin', '/manage-groups');
    await rowOf(page, name)
      .getByRole('link', { name: /^1 member/ })
      .click();
    await expect(page).toHaveURL(new RegExp(`/resellers\\?group=.*${id}`));
    await expect(page.getByText(member.email)).toBeVisible();
    await expect(page.getByText(name).first()).toBeVisible();
    await page.goto(`/manage-groups/${id}`);
    await expect(page.getByRole('link', { name: 'Show members' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete group' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('1 account is in this group');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    // The page gets the event that the member has left.
    const [{ id: account }] = (await admin.get(`/api/accounts?q=${member.email}`)).items;
    await admin.patch(`/api/accounts/${account}`, { group_id: '3' });
    await expect(page.getByText('No members yet')).toBeVisible();
    await page.getByRole('button', { name: 'Delete group' }).click();
    await dialog.getByRole('button', { name: 'Delete group' }).click();
    await expect(page.getByText(`${name} deleted`)).toBeVisible();
    await expect(page).toHaveURL(/\/manage-groups$/);
    await expect(rowOf(page, name)).toHaveCount(0);
  });

  test('Admin keeps its permissions, and no fixed group can be deleted', async ({
    page,
    isPhone,
  }) => {
    await signIn(page, 'admin', '/manage-groups/1');
    await expect(page.getByText('Administrators keep all permissions')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Manage groups' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Delete group' })).toHaveCount(0);
    // On a phone the link back is in the header.
    await (isPhone
      ? page.getByRole('banner').getByRole('button', { name: 'Back' })
      : page.getByRole('link', { name: 'Manage Groups' }).last()
    ).click();
    await expect(page).toHaveURL(/\/manage-groups$/);
  });
});

test('a group that is made elsewhere appears by itself, here and where accounts are filtered', async ({
  page,
  admin,
}) => {
  const name = `Elsewhere ${stamp}`;
  await signIn(page, 'admin', '/manage-groups');
  await expect(rowOf(page, 'Fixed').first()).toBeVisible();
  const id = await makeGroup(admin, name);
  await expect(rowOf(page, name)).toBeVisible();
  await page.goto('/resellers/add');
  await page.getByRole('combobox', { name: 'Group' }).click();
  await expect(page.getByRole('option', { name })).toBeVisible();
  await page.goto(`/resellers?group=${id}`);
  await expect(page.getByRole('button', { name: `Remove Group ${name}` })).toBeVisible();
});

test('a permission that is taken away is gone from the open page of a member', async ({
  page,
  admin,
  newAccount,
}) => {
  const id = await makeGroup(admin, `Sellers ${stamp}`, ['view_users']);
  await signIn(page, await newAccount({ group_id: id }), '/users/all');
  await expect(page.getByRole('heading', { level: 1, name: 'Lines' })).toBeVisible();
  await admin.patch(`/api/groups/${id}`, { permissions: [] });
  await expect(page.getByRole('heading', { level: 1, name: 'No access' })).toBeVisible();
});

test('a group that is gone says so, and a list that cannot be had can be asked for again', async ({
  page,
}) => {
  await signIn(page, 'admin', '/manage-groups/999999');
  await expect(page.getByText('This group no longer exists.')).toBeVisible();
  await expectAccessible(page);
  await blockEvents(page);
  await page.route('**/api/groups?*', (route) => route.abort());
  await page.goto('/manage-groups');
  const retry = page.getByRole('main').getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await page.unroute('**/api/groups?*');
  await retry.click();
  await expect(rowOf(page, 'Runs the whole panel')).toBeVisible();
});
