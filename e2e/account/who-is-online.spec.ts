import { expectAccessible } from '../support/accessible.ts';
import { sellLine } from '../support/sell-line.ts';
import { signIn } from '../support/sign-in.ts';
import { expect, test } from '../support/test.ts';

// The panel's settings are shared by all tests of the worker.
test.afterEach(({ admin }) =>
  admin.patch('/api/settings', {
    kept_addresses: 'network',
    sharing_connections: 1,
    sharing_suspend_hours: 0,
  }),
);

test.describe('at both sizes', { tag: '@both' }, () => {
  test('what is kept of addresses, and what several networks lead to, is changed and stays', async ({
    page,
    admin,
  }) => {
    await signIn(page, 'admin', '/settings');
    const kept = page.getByRole('combobox', { name: 'Customer addresses' });
    const networks = page.getByLabel('Networks at once');
    const hours = page.getByLabel('Suspension in hours');
    await expect(kept).toHaveText('Keep the network (/24, /48)');
    await expect(networks).toHaveValue('1');
    await expect(hours).toHaveValue('0');
    await kept.click();
    await page.getByRole('option', { name: 'Keep nothing' }).click();
    await networks.fill('3');
    await hours.fill('24');
    await expect(page.getByText('Unsaved changes: 3')).toBeVisible();
    await expect(page.getByText(/Networks at once 1 › 3/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await page.reload();
    await expect(kept).toHaveText('Keep nothing');
    await expect(networks).toHaveValue('3');
    await expect(hours).toHaveValue('24');
    expect(await admin.get('/api/settings')).toMatchObject({
      kept_addresses: 'none',
      sharing_connections: 3,
      sharing_suspend_hours: 24,
    });
  });

  test('values that cannot be are refused with words, and nothing is changed', async ({
    page,
    admin,
  }) => {
    await signIn(page, 'admin', '/settings');
    const networks = page.getByLabel('Networks at once');
    const hours = page.getByLabel('Suspension in hours');
    const save = page.getByRole('button', { name: 'Save changes' });
    await networks.fill('0');
    await hours.fill('721');
    await save.click();
    await expect(networks).toHaveAttribute('aria-invalid', 'true');
    await expect(networks).toHaveAccessibleDescription(/Enter 1 or more/);
    await expect(hours).toHaveAccessibleDescription(/Enter 720 or less/);
    await expectAccessible(page);
    await networks.fill('101');
    await networks.blur();
    await expect(networks).toHaveAccessibleDescription(/Enter 100 or less/);
    await networks.fill('');
    await hours.fill('0.5');
    await hours.blur();
    await expect(hours).toHaveAttribute('aria-invalid', 'true');
    await expect(networks).toHaveAttribute('aria-invalid', 'true');
    await save.click();
    await expect(networks).toHaveAttribute('aria-invalid', 'true');
    expect(await admin.get('/api/settings')).toMatchObject({
      sharing_connections: 1,
      sharing_suspend_hours: 0,
    });
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(networks).toHaveValue('1');
    await expect(hours).toHaveValue('0');
  });

  test('a line is excepted from the limit of networks, and stays so', async ({ page, admin }) => {
    const { id } = await sellLine(admin, 'homes');
    const open = async () => {
      await page.locator('summary').filter({ hasText: 'Several networks' }).click();
      return page.getByRole('switch', { name: 'Several networks at once are allowed' });
    };
    await signIn(page, 'admin', `/users/edit/${id}`);
    const allowed = await open();
    await expect(allowed).not.toBeChecked();
    await allowed.check();
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect(async () =>
      expect((await admin.get(`/api/lines/${id}`)).sharing_exempt).toBe(true),
    ).toPass();
    await page.goto(`/users/edit/${id}`);
    await expect(await open()).toBeChecked();
    await expectAccessible(page);
  });
});
